/// <reference path="../../dist/plugins/virtual.d.ts" />
// The build plugins as the configuration of a site sees them, and what they give to its pages.
import kbAstro, { kb as kbForAstro, kbLoader, type KbOptions } from 'kb-sync/astro'
import kbDocusaurus, { type DocusaurusOptions, parseFrontMatter } from 'kb-sync/docusaurus'
import kbEleventy, { type EleventyPluginOptions, kb as kbForEleventy } from 'kb-sync/eleventy'
import { kb, type KbPluginOptions } from 'kb-sync/vite'
import { createKb, type Site, type SiteArticle, type SiteReading } from 'kb-sync'
import { articles, findArticle, loadArticle } from 'virtual:kb'

// Vite

const options: KbPluginOptions = {
  config: 'help/kb.config.ts',
  sync: 'build',
  check: 'warn',
  drafts: false,
  links: {
    article: '/help/{slug}',
    category: ({ slug, language }) => `/${language}/${slug}`,
    tag: undefined,
  },
}
kb()
kb(options).map(({ name }) => name) satisfies readonly string[]
// @ts-expect-error -- no such moment
kb({ sync: 'always' })
// @ts-expect-error -- a misspelt option
kb({ chekc: 'warn' })
// @ts-expect-error -- an address is a text or a function
kb({ links: { article: true } })

// Astro

kbAstro(options satisfies KbOptions).name satisfies string
kbForAstro satisfies typeof kbAstro
kbLoader({}).name satisfies string
// @ts-expect-error -- no such option
kbAstro({ routeBasePath: '/help' })

// Docusaurus

const docusaurus: DocusaurusOptions = { ...options, id: 'help', routeBasePath: 'help' }
kbDocusaurus satisfies (context: never, options: unknown) => Promise<{ readonly name: string }>
kbDocusaurus.validateOptions satisfies (given: never) => unknown
parseFrontMatter satisfies (params: never) => Promise<unknown>
// @ts-expect-error -- a path is a text
docusaurus.routeBasePath satisfies number

// Eleventy

kbEleventy satisfies (config: never, options?: EleventyPluginOptions) => Promise<void>
kbForEleventy satisfies typeof kbEleventy

// `virtual:kb`

export async function show(): Promise<string[]> {
  articles.map(({ url }) => url) satisfies readonly string[]
  findArticle('reset-password')?.excerpt satisfies string | undefined
  // @ts-expect-error -- not every id is one
  findArticle('reset-password').url satisfies string
  // @ts-expect-error -- texts are apart, each in a chunk of its own
  articles[0]?.html satisfies unknown
  const { html, headings } = await loadArticle('reset-password')
  return [html, ...headings.map(({ id, level, text }) => `${level} ${id} ${text}`)]
}

// The library's own way to the same articles

export async function read(): Promise<readonly SiteArticle[]> {
  const site: Site = await createKb().openSite({ links: { article: '/help/{slug}' }, drafts: true })
  const { view, touched }: SiteReading = await site.read({ asksHistory: true })
  touched satisfies readonly string[]
  site.readBody('reset-password')?.html satisfies string | undefined
  // @ts-expect-error -- what is read is not changed
  view.articles.push()
  // @ts-expect-error -- no such place
  await createKb().openSite({ links: { home: '/' } })
  site.close()
  return view.articles
}
