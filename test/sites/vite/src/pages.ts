// Pages of the site, made from the articles: in the browser and on the server alike.
import { type ArticleId, articles, categories, findArticle, languages, loadArticle, tags } from 'virtual:kb'

export function navigation(): string {
  const items = articles.map(({ id, title, url }) => `<li><a href="${url}" data-id="${id}">${title}</a></li>`)
  const counts = `${languages.join(', ')}; ${categories.length} categories, ${tags.length} tags`
  return `<ul>${items.join('')}</ul><p>${counts}</p>`
}

export async function page(id: ArticleId): Promise<string> {
  const { html, headings } = await loadArticle(id)
  const outline = headings.map(({ text, id }) => `<li><a href="#${id}">${text}</a></li>`)
  return `<h1>${findArticle(id)?.title ?? ''}</h1><ol>${outline.join('')}</ol>${html}`
}
