import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { API_KEY, readText } from './server-requests.mjs'

const FLOOR = fileURLToPath(new URL('../floors/watch-and-post.mjs', import.meta.url))

const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' }

/**
 * Writes what a bare watcher of `content` has to know to send these articles to the server at `url`.
 *
 * @returns the arguments that start it
 */
export async function writeFloor({ url, content, articles, scratch }) {
  const known = {}
  for (const { source, id } of articles) known[join(content, source)] = { id, body: await bodyOf(url, id) }
  const file = join(scratch, 'floor.json')
  writeFileSync(file, JSON.stringify({ folder: content, url, headers, articles: known }))
  return [FLOOR, file]
}

/** What an update in place takes, of an article as it is read. */
async function bodyOf(url, id) {
  const { data, categories } = JSON.parse(await readText(url, `/api/v2/articles/${id}`))
  const { name: title, slug, excerpt } = data
  return {
    title,
    slug,
    excerpt,
    categories: categories.map(({ value }) => ({ value })),
    ordering: 0,
    status: 'published',
    articleReviewDate: '2030-01-31',
  }
}
