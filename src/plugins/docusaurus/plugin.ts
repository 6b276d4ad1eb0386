import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CONFIG_NAMES } from '../../core/config/load-config.ts'
import { isInside } from '../../core/paths.ts'
import { createKb } from '../../index.ts'
import { type ParseFrontMatter, toDocusaurus } from './front-matter.ts'
import { createPlugin } from './create-plugin.ts'
import type { DocusaurusPlugin, LoadContext } from './docusaurus-types.ts'
import { createSharedAdapters } from './shared-adapters.ts'
import { loadToolLogger } from './tool-messages.ts'
import { memoize } from '../../core/memoize.ts'

export { normaliseOptions } from './docusaurus-options.ts'

// One for each process, see shared-adapters.ts.
const adapters = createSharedAdapters(process)

export function kb(context: LoadContext, options: unknown): Promise<DocusaurusPlugin> {
  return createPlugin(context, options, { adapters, env: process.env, loadLogger: loadToolLogger })
}

export const parseFrontMatter = createParseFrontMatter({ cwd: process.cwd(), env: process.env })

/** The components for `docusaurus swizzle kb-sync`: all of theme/. */
export const SWIZZLE_CONFIG = {
  components: {
    KbRoot: component('The frame of all pages of articles, with the sidebar'),
    KbSidebar: component('The categories and their articles'),
    KbBreadcrumbs: component('The categories above a page'),
    KbArticlePage: component('An article, with its tags, its headings at the side, and its neighbours'),
    KbContent: component('The text of an article'),
    KbListPage: component('A category, a tag, or all categories'),
  },
}

function component(description: string) {
  return { description, actions: { eject: 'safe', wrap: 'safe' } as const }
}

interface Surroundings {
  /** Project folder, if no folder above a file has a configuration. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Reads the configuration of a project once: Docusaurus calls this for every file of its site. */
export function createParseFrontMatter({ cwd, env }: Surroundings): ParseFrontMatter {
  const rootOf = memoize((folder: string): string => {
    const above = dirname(folder)
    const hasConfig = CONFIG_NAMES.some((name) => existsSync(join(folder, name)))
    return hasConfig ? folder : above === folder ? cwd : rootOf(above)
  })
  const settingsOf = memoize((root: string) => createKb({ cwd: root, env }).loadSettings())
  return async ({ filePath, fileContent, defaultParseFrontMatter }) => {
    const parsed = await defaultParseFrontMatter({ filePath, fileContent })
    const { contentRoot, defaults, render } = await settingsOf(rootOf(dirname(filePath)))
    // With the preset, the file already has Docusaurus' names.
    if (render.dialect === 'docusaurus' || !isInside(contentRoot, filePath)) return parsed
    return { ...parsed, frontMatter: toDocusaurus(parsed.frontMatter, defaults.status) }
  }
}
