import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startServer } from '../measure/start-server.mjs'
import { API_KEY, readText } from './server-requests.mjs'

const FLOOR = fileURLToPath(new URL('../floors/watch-and-post.mjs', import.meta.url))

const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' }

/** Starts a bare watcher of `content` that sends these articles, whose other fields it knows, to the server at `url`. */
export async function startFloor({ url, content, articles, scratch }) {
  const known = {}
  for (const { source, id } of articles) known[join(content, source)] = { id, body: await bodyOf(url, id) }
  const file = join(scratch, 'floor.json')
  writeFileSync(file, JSON.stringify({ folder: content, url, headers, articles: known }))
  return startServer([FLOOR, file])
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
