import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../../src/api/client/create-client.ts'
import { EMPTY_STATE } from '../../../src/core/model/target-state.ts'
import { listBrokenLinks } from '../../../src/watch/live-sync/list-broken-links.ts'

/** The list of links of any service, with entries that a lenient reader must accept. */
const LINKS = [
  { article_id: '1', url: 'https://works.example/', working: true, articles: { id: '1', name: 'One' } },
  {
    article_id: '1',
    // As in the HTML.
    url: 'https://gone.example/?a=1&#x26;b=2',
    working: false,
    articles: { id: '1', name: 'One' },
  },
  { article_id: '9', url: 'https://lost.example/', working: false, articles: null },
  { article_id: '1', url: 'https://unknown.example/' },
]

test('links that the target reports as broken are listed with the file of their article', async () => {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ success: true, message: '', data: LINKS }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = createClient({ url, apiKey: 'key', timeoutMs: 5000, retries: 0, concurrency: 1 })
  onTestFinished(() => client.close())
  const session = {
    name: 'remote',
    client,
    createTaxonomy: undefined,
    close: () => Promise.resolve({ ownRevisions: 0 }),
  }
  const record = {
    key: 'k',
    source: 'guides/one.md',
    slug: 'one',
    language: null,
    title: 'One',
    id: '1',
    fingerprint: '',
    sourceHash: '',
    fieldsHash: '',
    projectionHash: '',
  }
  const state = { ...EMPTY_STATE, articles: [record] }
  expect(await listBrokenLinks(session, state)).toEqual([
    { url: 'https://gone.example/?a=1&b=2', title: 'One', source: 'guides/one.md' },
    { url: 'https://lost.example/', title: '', source: undefined },
  ])
})
