import { error } from '@sveltejs/kit'
import { articles, findArticle, loadArticle } from 'virtual:kb'

export const entries = () => articles.map(({ id }) => ({ id }))

export async function load({ params }) {
  const article = findArticle(params.id)
  if (article === undefined) error(404)
  return { title: article.title, body: await loadArticle(article.id) }
}
