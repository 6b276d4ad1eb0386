import type { Plugin } from 'vite'
import type { ContentSource, SharedSource } from './content-source.ts'
import { parseResolved, resolveName, articleName } from './virtual-ids.ts'
import type { SiteBody, SiteView } from '../../index.ts'

/** Provides the articles as `virtual:kb`, on the server and in the browser. */
export function virtualPlugin(shared: SharedSource): Plugin {
  return {
    name: 'kb-sync:virtual',
    // Before plugins that resolve the name as a package.
    enforce: 'pre',
    resolveId: (name) => resolveName(name),
    async load(resolved) {
      const module = parseResolved(resolved)
      if (module === undefined || shared.current === undefined) return undefined
      if (module.kind === 'index') return plain(indexCode((await shared.current.read()).view))
      const code = await bodyCode(shared.current, module.id)
      return code === undefined ? this.error(`There is no article "${module.id}".`) : plain(code)
    },
  }
}

async function bodyCode({ read, readBody }: ContentSource, id: string): Promise<string | undefined> {
  await read()
  const body = readBody(id)
  return body === undefined ? undefined : articleCode(body)
}

/** Returns generated code, which has no source map. */
function plain(code: string) {
  return { code, map: { mappings: '' as const } }
}

/** Generates the code of `virtual:kb`: the list of all articles, each body as a dynamic import. */
export function indexCode(view: Omit<SiteView, 'diagnostics'>): string {
  const { articles, categories, tags, languages, defaultLanguage } = view
  const loaders = articles.map(({ id }) => `  [${literal(id)}, () => import(${literal(articleName(id))})],`)
  return `export const articles = ${literal(articles)}
export const categories = ${literal(categories)}
export const tags = ${literal(tags)}
export const languages = ${literal(languages)}
export const defaultLanguage = ${literal(defaultLanguage)}

const byId = new Map(articles.map((article) => [article.id, article]))
const loaders = new Map([
${loaders.join('\n')}
])

export function findArticle(id) {
  return byId.get(id)
}

export async function loadArticle(id) {
  const load = loaders.get(id)
  if (load === undefined) throw new Error('virtual:kb has no article "' + id + '".')
  const { html, headings } = await load()
  return { html, headings }
}
`
}

export function articleCode({ html, headings }: SiteBody): string {
  return `export const html = ${literal(html)}\nexport const headings = ${literal(headings)}\n`
}

function literal(value: unknown): string {
  return JSON.stringify(value)
}
