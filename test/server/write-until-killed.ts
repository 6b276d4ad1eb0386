// A separate process: creates and deletes articles endlessly, and writes the title of each remaining one to stdout once
// the server has acknowledged it.
import { writeSync } from 'node:fs'
import { openKnowledgeBase } from '../../src/server/open-knowledge-base.ts'

const [db = ''] = process.argv.slice(2)
const headers = { Authorization: 'Bearer k', 'Content-Type': 'application/json' }
const { app } = await openKnowledgeBase({ db, apiKey: 'k' })

async function call(method: string, path: string, body?: object): Promise<Response> {
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
  return app.request(`/api/v2/${path}`, init)
}

async function create(title: string): Promise<void> {
  const article = { title, slug: title, categories: [], excerpt: '', ordering: 0, status: 'draft' }
  const content = `<p>${'x'.repeat(2000)} <a href="https://example.com/${title}">link</a></p>`
  const response = await call('PUT', 'articles', { ...article, content, articleReviewDate: '2027-01-31' })
  if (response.status !== 200) throw new Error(await response.text())
  if (!title.startsWith('gone')) writeSync(1, `${title}\n`)
}

async function removeGone(): Promise<void> {
  const { data } = (await (await call('GET', 'tools/review_dates')).json()) as {
    data: { id: string; name: string }[]
  }
  const gone = data.filter(({ name }) => name.startsWith('gone'))
  await Promise.all(gone.map(({ id }) => call('DELETE', `articles/${id}`)))
}

for (let round = 0; ; round++) {
  await Promise.all(['kept', 'gone'].map((word) => create(`${word}-${round}`)))
  if (round % 10 === 9) await removeGone()
}
