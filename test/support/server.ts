import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import {
  type KnowledgeBase,
  type KnowledgeBaseOptions,
  openKnowledgeBase,
} from '../../src/server/open-knowledge-base.ts'
import { DatabaseUnavailable } from '../../src/server/store/database-errors.ts'
import { temporaryFolder } from './folder.ts'

export const API_KEY = 'key-for-tests'

/** The moment at which everything happens in a test server. */
export const NOW = '2026-03-01T10:00:00.000Z'

export interface Answer {
  readonly status: number
  /** Content type. */
  readonly type: string | null
  readonly headers: Headers
  readonly body: unknown
}

export interface TestServer extends KnowledgeBase {
  readonly db: string
  /** Calls the app without a socket, as the documented client would: with the key, and JSON as content type. */
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Answer>
  /** Ids of the seed below; '' where another seed was given. */
  readonly guides: string
  readonly accounts: string
  readonly security: string
}

export const SEED = {
  categories: [
    { name: 'Accounts', slug: 'accounts', parent: 'guides', priority: 2 },
    { name: 'Guides', slug: 'guides', priority: 1 },
  ],
  tags: [{ name: 'Security', slug: 'security', description: 'Safe', longDescription: '<p>Safe</p>' }],
}

const clock = (): Date => new Date(NOW)

/** A knowledge base on a SQLite file in a temporary folder, with the seed above. */
export async function openTestServer(options: Partial<KnowledgeBaseOptions> = {}): Promise<TestServer> {
  const db = options.db ?? join(temporaryFolder(), 'kb.db')
  const kb = await openKnowledgeBase({ db, apiKey: API_KEY, seed: SEED, clock, onError: rethrow, ...options })
  onTestFinished(() => kb.close())
  return {
    ...kb,
    db,
    guides: kb.seeded.categories['guides'] ?? '',
    accounts: kb.seeded.categories['accounts'] ?? '',
    security: kb.seeded.tags['security'] ?? '',
    async call(method, path, body, headers = {}) {
      const response = await kb.app.request(path, {
        method,
        headers: { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const { status, headers: received } = response
      return { status, type: received.get('content-type'), headers: received, body: await readJson(response) }
    },
  }
}

/** The body of a valid create, changed as the test needs it. */
export function articleBody(
  server: Pick<TestServer, 'guides'>,
  changes: object = {},
): Record<string, unknown> {
  return {
    title: 'Reset your password',
    slug: 'reset-password',
    categories: [{ value: server.guides }],
    excerpt: 'How to reset it.',
    ordering: 3,
    status: 'published',
    content: '<p>Hello</p>',
    ...changes,
  }
}

/** Ids of all articles that have a review date, oldest first: the interface has no other list. */
export async function reviewedIds(server: TestServer): Promise<string[]> {
  const { body } = await server.call('GET', '/api/v2/tools/review_dates')
  return (body as { data: { id: string }[] }).data.map(({ id }) => id)
}

/** Creates an article and returns its id. */
export async function createArticle(server: TestServer, changes: object = {}): Promise<string> {
  const before = await reviewedIds(server)
  const body = articleBody(server, { articleReviewDate: '2027-01-31', ...changes })
  const answer = await server.call('PUT', '/api/v2/articles', body)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  const made = (await reviewedIds(server)).find((id) => !before.includes(id))
  if (made === undefined) throw new Error('The new article is not in the review-dates list')
  return made
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  return text === '' ? undefined : JSON.parse(text)
}

function rethrow(error: unknown): void {
  throw error
}

/** `onError` of a test with an outage, which the removal of files at start may meet, too. */
export function rethrowUnlessUnavailable(error: unknown): void {
  if (!(error instanceof DatabaseUnavailable)) throw error
}
