import type { SiteBody, SiteView } from '../../index.ts'
import { articleName } from './virtual-ids.ts'

/** The code of `virtual:kb`: the list of all articles, each body as a dynamic import. */
export function indexCode({
  articles,
  categories,
  tags,
  languages,
  defaultLanguage,
}: Omit<SiteView, 'diagnostics'>): string {
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
