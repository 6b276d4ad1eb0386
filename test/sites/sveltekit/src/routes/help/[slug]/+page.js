import { error } from '@sveltejs/kit'
import { articles, findArticle, loadArticle } from 'virtual:kb'

export const entries = () => articles.map(({ slug }) => ({ slug }))

export async function load({ params }) {
  const article = findArticle(params.slug)
  if (article === undefined) error(404)
  return { title: article.title, body: await loadArticle(article.id) }
}
