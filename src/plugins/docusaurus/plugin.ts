import { createParseFrontMatter } from './create-parse-front-matter.ts'
import { createPlugin } from './create-plugin.ts'
import type { DocusaurusPlugin, LoadContext } from './docusaurus-types.ts'
import { createSharedAdapters } from './shared-adapters.ts'
import { loadToolLogger } from './tool-logger.ts'

export { normaliseOptions } from './docusaurus-options.ts'

// One for the process: see shared-adapters.ts.
const adapters = createSharedAdapters(process)

export function kb(context: LoadContext, options: unknown): Promise<DocusaurusPlugin> {
  return createPlugin(context, options, { adapters, env: process.env, loadLogger: loadToolLogger })
}

export const parseFrontMatter = createParseFrontMatter({ cwd: process.cwd(), env: process.env })

/** What `docusaurus swizzle kb-sync` offers: every component of theme/. */
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
