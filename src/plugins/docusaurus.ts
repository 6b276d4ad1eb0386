// Docusaurus loads plugins through a translator into CommonJS, which would translate the whole program, once for each
// locale. So this module imports nothing of it: Node itself loads what the plugin needs, once.
import { createRequire } from 'node:module'
import type { DocusaurusPlugin, LoadContext } from './docusaurus/docusaurus-types.ts'
import type { ParseFrontMatter } from './docusaurus/front-matter.ts'
import type * as Plugin from './docusaurus/plugin.ts'

export type { DocusaurusOptions } from './docusaurus/docusaurus-options.ts'
export type { KbGlobalData } from './docusaurus/global-data.ts'

const load = createRequire(import.meta.url)
const plugin = load('./docusaurus/plugin.js') as typeof Plugin

/** Docusaurus plugin: checks the articles, makes pages of them where `routeBasePath` is given, and sends them on request. */
export default function kb(context: LoadContext, options: unknown): Promise<DocusaurusPlugin> {
  return plugin.kb(context, options)
}

// The type parameters are those that Docusaurus declares.
// oxlint-disable-next-line no-unnecessary-type-parameters
kb.validateOptions = <T, U>({ options }: { readonly options: T }): U => plugin.normaliseOptions(options) as U

kb.getSwizzleConfig = () => plugin.SWIZZLE_CONFIG

/**
 * For `markdown.parseFrontMatter` of the configuration of Docusaurus: the frontmatter of articles with the names that
 * Docusaurus has for it. What is no article of a project of kb-sync stays as it is.
 */
export const parseFrontMatter: ParseFrontMatter = (params) => plugin.parseFrontMatter(params)
