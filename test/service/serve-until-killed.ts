// Run as a process of its own: serves the database named on the command line until it is killed. The time may be in a
// file, in milliseconds.
import { readFileSync, writeSync } from 'node:fs'
import { listen } from '../../src/server/http/listen.ts'
import { openKnowledgeBase } from '../../src/server/open-knowledge-base.ts'

const [db = '', apiKey = '', clockFile] = process.argv.slice(2)
const kb = await openKnowledgeBase({
  db,
  apiKey,
  clock: clockFile === undefined ? undefined : () => new Date(Number(readFileSync(clockFile, 'utf8'))),
  seed: {
    categories: [
      { name: 'Guides', slug: 'guides' },
      { name: 'Accounts', slug: 'accounts' },
    ],
    tags: [
      { name: 'Safe', slug: 'safe' },
      { name: 'New', slug: 'new' },
    ],
  },
  onError: (error) => writeSync(2, `${String(error)}\n`),
})
const { url } = await listen(kb, { host: '127.0.0.1', port: 0 })
const { categories, tags } = kb.seeded
writeSync(1, `${JSON.stringify({ url, categories: Object.values(categories), tags: Object.values(tags) })}\n`)
