// A separate process: creates articles endlessly, and writes the title of each to stdout once the server has
// acknowledged it.
import { writeSync } from 'node:fs'
import { openKnowledgeBase } from '../../src/server/open-knowledge-base.ts'

const [db = '', name = '', count = 'Infinity'] = process.argv.slice(2)
const headers = { Authorization: 'Bearer k', 'Content-Type': 'application/json' }
const seed = { categories: [{ name: 'Guides', slug: 'guides' }] }
const { app, close } = await openKnowledgeBase({ db, apiKey: 'k', seed, articleLimit: 100 })

async function create(title: string): Promise<void> {
  const article = {
    title,
    slug: title,
    categories: [],
    excerpt: '',
    ordering: 0,
    status: 'draft',
    content: '<p>x</p>',
  }
  const body = JSON.stringify({ ...article, articleReviewDate: '2027-01-31' })
  const response = await app.request('/api/v2/articles', { method: 'PUT', headers, body })
  if (response.status === 200) writeSync(1, `${title}\n`)
}

for (let round = 0; round < Number(count); round += 5) {
  const titles = Array.from({ length: 5 }, (_, index) => `${name}-${round + index}`)
  await Promise.all(titles.map((title) => create(title)))
}
await close()
