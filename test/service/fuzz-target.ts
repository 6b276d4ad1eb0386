import { join } from 'node:path'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { listen } from '../../src/server/http/listen.ts'
import { openKnowledgeBase } from '../../src/server/open-knowledge-base.ts'
import { createOpenApiValidator } from '../support/open-api-validator.ts'

/** A server to throw things at. */
export interface FuzzTarget {
  readonly port: number
  /** The header with a key that may write, with its line end. */
  readonly authorization: string
  /** Every operation that takes a body, with one that is right. */
  readonly writes: readonly {
    readonly method: string
    readonly path: string
    readonly body: Readonly<Record<string, unknown>>
  }[]
  /** What the server met and did not expect. */
  readonly faults: readonly unknown[]
  /** Whether normal requests are answered as ever, and what was accepted is sent as documented. */
  isServing(): Promise<{ readonly faults: readonly unknown[]; readonly problems: readonly string[] }>
  close(): Promise<void>
}

const KEY = 'key-of-the-fuzz-tests'
const BODY_LIMIT_BYTES = 1_000_000
const LISTS = ['categories', 'tools/review_dates', 'tools/link_manager']

export async function createFuzzTarget(): Promise<FuzzTarget> {
  const folder = mkdtempSync(join(tmpdir(), 'kb-sync-'))
  const faults: unknown[] = []
  const kb = await openKnowledgeBase({
    db: join(folder, 'kb.db'),
    apiKey: KEY,
    languages: ['en', 'fr'],
    bodyLimitBytes: BODY_LIMIT_BYTES,
    onError: (error) => faults.push(error),
    seed: { categories: [{ name: 'Guides', slug: 'guides' }], tags: [{ name: 'Safe', slug: 'safe' }] },
  })
  const listening = await listen(kb, { host: '127.0.0.1', port: 0 })
  const headers = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' }
  const read = async (path: string) => {
    const response = await fetch(`${listening.url}/api/v2/${path}`, { headers })
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      body: await response.json(),
    }
  }
  const validator = createOpenApiValidator((await read('openapi.json')).body as object)
  const [category, tag] = [kb.seeded.categories['guides'] ?? '', kb.seeded.tags['safe'] ?? '']
  const article = articleBody(category, tag)
  const created = { ...article, slug: 'to-be-updated', articleReviewDate: '2027-01-31' }
  await fetch(`${listening.url}/api/v2/articles`, { method: 'PUT', headers, body: JSON.stringify(created) })
  const { data } = (await read('tools/review_dates')).body as { data: { id: string }[] }

  return {
    port: Number(new URL(listening.url).port),
    authorization: `Authorization: Bearer ${KEY}\r\n`,
    faults,
    writes: [
      { method: 'PUT', path: '/api/v2/articles', body: article },
      { method: 'POST', path: `/api/v2/articles/${data[0]?.id}`, body: { ...article, slug: 'updated' } },
      { method: 'POST', path: `/api/v2/categories/${category}`, body: categoryBody() },
      { method: 'POST', path: `/api/v2/tags/${tag}`, body: tagBody(tag) },
    ],
    async isServing() {
      const problems: string[] = []
      for (const list of LISTS) {
        const answer = await read(list)
        if (answer.status !== 200) problems.push(`${list}: ${answer.status}`)
        problems.push(...validator.problemsOf({ method: 'GET', path: `/api/v2/${list}`, ...answer }))
      }
      return { faults: faults.splice(0).map(String), problems }
    },
    async close() {
      await listening.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function articleBody(category: string, tag: string): Record<string, unknown> {
  return {
    title: 'A title',
    slug: 'a-slug',
    categories: [{ value: category }],
    tags: [{ value: tag }],
    excerpt: 'Short.',
    ordering: 1,
    status: 'published',
    content: '<p><a href="https://example.com/">x</a></p>',
    hideFromSearch: false,
    seoBannerUrl: 'https://example.com/b.png',
    articleReviewDate: '2027-01-31',
    lang: 'en',
    languageParent: '',
  }
}

function categoryBody(): Record<string, unknown> {
  return {
    name: 'Guides',
    slug: 'guides',
    priority: 1,
    categoryParent: '',
    description: 'Plain',
    longDescription: '<p>Long</p>',
    thumbnailUrl: 'https://example.com/t.png',
    iconUrl: '',
    lang: 'en',
  }
}

function tagBody(id: string): Record<string, unknown> {
  return { id, name: 'Safe', slug: 'safe', description: 'Plain', longDescription: '<p>Long</p>', lang: 'fr' }
}
