// Docusaurus transpiles plugins to CommonJS, which would include the whole program, once for each locale. So this
// module imports nothing, and Node itself loads the plugin's code, once.
import { createRequire } from 'node:module'
import type { DocusaurusPlugin, LoadContext } from './docusaurus/docusaurus-types.ts'
import type { ParseFrontMatter } from './docusaurus/front-matter.ts'
import type * as Plugin from './docusaurus/plugin.ts'

export type { DocusaurusOptions } from './docusaurus/docusaurus-options.ts'
export type { KbGlobalData } from './docusaurus/global-data.ts'

const load = createRequire(import.meta.url)
const plugin = load('./docusaurus/plugin.js') as typeof Plugin

/**
 * The plugin for Docusaurus 3, the default export. It checks the articles in every build, creates pages for them if
 * `routeBasePath` is set, and sends them if `sync` is set.
 *
 * @example
 * ```js
 * export default {
 *   title: 'Help',
 *   url: 'https://help.example.com',
 *   baseUrl: '/',
 *   plugins: [['kb-sync/docusaurus', { routeBasePath: 'help', sync: 'build' }]],
 * }
 * ```
 */
export default function kb(context: LoadContext, options: unknown): Promise<DocusaurusPlugin> {
  return plugin.kb(context, options)
}

// The type parameters are those that Docusaurus declares.
// oxlint-disable-next-line no-unnecessary-type-parameters
kb.validateOptions = <T, U>({ options }: { readonly options: T }): U => plugin.normaliseOptions(options) as U

kb.getSwizzleConfig = () => plugin.SWIZZLE_CONFIG

/**
 * Translates the frontmatter of articles for Docusaurus, as its option `markdown.parseFrontMatter`. Files that are not
 * articles of a kb-sync project are not changed.
 *
 * @example
 * ```js
 * import { parseFrontMatter } from 'kb-sync/docusaurus'
 *
 * export default {
 *   title: 'Help',
 *   url: 'https://help.example.com',
 *   baseUrl: '/',
 *   markdown: { format: 'detect', parseFrontMatter },
 *   presets: [['classic', { docs: { path: 'content' } }]],
 * }
 * ```
 */
export const parseFrontMatter: ParseFrontMatter = (params) => plugin.parseFrontMatter(params)
