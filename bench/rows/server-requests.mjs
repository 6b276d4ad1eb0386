// What the servers are asked. Everything is made before the clock starts.
import { request } from 'undici'
import { markdownToHtml } from 'satteri'

/** As long as those that the server creates: a short one could be guessed, so that its requests take a longer way. */
export const API_KEY = 'kb_this-key-opens-nothing-but-a-benchmark-here'

const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' }

/** `count` requests that create articles; `round` keeps their slugs apart from those of other rounds. */
export function createRequests(documents, { count, category, round }) {
  return bodies(documents, { count, category, round, prefix: 'round' }).map((body) => ({
    method: 'PUT',
    path: '/api/v2/articles',
    headers,
    body,
  }))
}

/** Requests that write the articles of `creates` together, `size` in each. */
export function batchRequests(creates, size) {
  const batches = []
  for (let start = 0; start < creates.length; start += size) {
    const articles = creates.slice(start, start + size).map(({ body }) => body)
    const body = `{"articles":[${articles.join(',')}]}`
    batches.push({ method: 'POST', path: '/api/v2/articles', headers, body })
  }
  return batches
}

/** `count` requests that give the articles with these ids, in turn, other words and other slugs. */
export function updateRequests(documents, { count, category, round, ids }) {
  return bodies(documents, { count, category, round, prefix: 'update' }).map((body, index) => ({
    method: 'POST',
    path: `/api/v2/articles/${ids[index % ids.length]}`,
    headers,
    body,
  }))
}

function bodies(documents, { count, category, round, prefix }) {
  const articles = documents.map(({ title, body }) => ({ title, content: markdownToHtml(body).html }))
  return Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      ...articles[(index + (Number(round) || 0) + 1) % articles.length],
      slug: `${prefix}-${round}-${index}`,
      categories: [{ value: category }],
      excerpt: '',
      ordering: 0,
      status: 'published',
      articleReviewDate: '2030-01-31',
    }),
  )
}

/** `count` requests that read the articles at `paths` in turn. */
export function readRequests(paths, count) {
  return Array.from({ length: count }, (_, index) => ({
    method: 'GET',
    path: paths[index % paths.length],
    headers,
  }))
}

/** One answer, as text. */
export async function readText(url, path) {
  const { statusCode, body } = await request(`${url}${path}`, { headers })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`GET ${path} was answered with ${statusCode}: ${text}`)
  return text
}
