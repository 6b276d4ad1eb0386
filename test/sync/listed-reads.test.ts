// On a target with the extension `changed-since`, a run without state reads no article that equals its file. Otherwise
// it does the same as without the extension.
import { cpSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { type ApiClient, createClient } from '../../src/api/client/create-client.ts'
import type { SendRequest } from '../../src/api/client/send-request.ts'
import { loadWritten } from '../../src/sync/state/load-past.ts'
import type { SyncResult } from '../../src/sync/sync-options.ts'
import { startBuiltinService } from '../support/builtin-service.ts'
import { dumpDatabase } from '../support/dump-database.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { temporaryFolder } from '../support/folder.ts'
import { anyEdit, apply, type Edit, type Page, toFiles } from '../support/history-pages.ts'
import { article, manyArticles } from '../support/project.ts'
import { readRuns, timeoutOf } from '../support/runs.ts'
import { API_KEY, openTestServer, type TestServer } from '../support/server.ts'
import { createSyncProject, outcomeOf, type SyncProject } from '../support/sync-project.ts'

test('a fresh checkout of 500 articles takes at most six requests, and reads only changed articles', async () => {
  const service = await startBuiltinService()
  onTestFinished(() => service.close())
  const proxy = await startFaultProxy(service.url)
  onTestFinished(() => proxy.close())
  const project = createSyncProject(proxy.url, manyArticles(500))
  expect(outcomeOf(await project.sync())).toMatchObject({ created: 500 })
  project.forgetState()
  let first = proxy.seen.length
  expect(outcomeOf(await project.sync())).toEqual({ unchanged: 500 })
  expect(proxy.seen.slice(first).map(({ method, path }) => `${method} ${path}`).length).toBeLessThanOrEqual(6)

  project.forgetState()
  project.write({ 'content/page-3.md': article('Page 3', { body: 'Changed.' }) })
  first = proxy.seen.length
  expect(outcomeOf(await project.plan())).toMatchObject({ updated: 1, unchanged: 499 })
  const reads = proxy.seen
    .slice(first)
    .filter(({ method, path }) => method === 'GET' && /articles\/./.test(path))
  expect(reads).toHaveLength(1)
})

const TARGET = 'http://kb.test'
const RUNS = readRuns('HISTORIES', 25)

/** A change of one of the articles on the target. */
interface Deed {
  readonly kind: 'edit' | 'title' | 'marker' | 'status' | 'double' | 'foreign' | 'delete'
  readonly article: number
}

interface History {
  readonly before: readonly Edit[]
  readonly deeds: readonly Deed[]
  readonly after: readonly Edit[]
  /** Files among the first 16 that are finally removed, renamed or changed. */
  readonly files: readonly { readonly kind: 'remove' | 'move' | 'write'; readonly file: number }[]
  readonly state: 'lost' | 'kept'
  readonly options: { readonly prune: boolean; readonly verify: boolean }
}

const edits = fc.array(anyEdit, { maxLength: 6 })
const history: fc.Arbitrary<History> = fc.record({
  before: edits,
  deeds: fc.array(
    fc.record({
      kind: fc.constantFrom<Deed['kind'][]>(
        'edit',
        'title',
        'marker',
        'status',
        'double',
        'foreign',
        'delete',
      ),
      article: fc.nat(20),
    }),
    { maxLength: 6 },
  ),
  after: edits,
  files: fc.array(
    fc.record({ kind: fc.constantFrom('remove' as const, 'move', 'write'), file: fc.nat(15) }),
    { maxLength: 3 },
  ),
  state: fc.constantFrom('lost', 'lost', 'kept'),
  options: fc.record({ prune: fc.boolean(), verify: fc.boolean() }),
})

/** Articles that were edited on the target and in their file, and only on the target. */
const EDITED: History = {
  before: [],
  deeds: [
    { kind: 'edit', article: 0 },
    { kind: 'edit', article: 1 },
  ],
  after: [],
  files: [{ kind: 'write', file: 0 }],
  state: 'lost',
  options: { prune: false, verify: true },
}

test(
  'plan, writes, database and state are the same as in a run without the extension',
  timeoutOf(RUNS, 5000),
  async () => {
    let listed = 0
    const property = fc.asyncProperty(history, async (steps) => {
      const { project, db } = await live(steps)
      const [withIt, without] = [
        await runOn(project, db, steps, true),
        await runOn(project, db, steps, false),
      ]
      expect(withIt.seen).toEqual(without.seen)
      expect(without.pages).toBe(0)
      if (withIt.pages > 0) listed++
    })
    await fc.assert(property, { ...RUNS, examples: [[EDITED]] })
    expect(listed).toBeGreaterThan(RUNS.numRuns / 3)
  },
)

/** A checkout and the database file of its target, after these steps. */
async function live({ before, deeds, after, files, state }: History) {
  const db = join(temporaryFolder(), 'kb.db')
  let hour = 8
  const server = await openServer(db, () => hour)
  const project = createSyncProject(TARGET, manyArticles(16))
  const first = before.reduce(apply, new Map<string, Page>())
  project.write(toFiles(first))
  const { send } = connect(server, true)
  await project.sync({ client: { send } })
  const client = createClient({
    url: TARGET,
    apiKey: API_KEY,
    timeoutMs: 30_000,
    retries: 0,
    concurrency: 1,
    send,
  })
  hour = 9
  for (const deed of deeds) await act(client, deed)
  await server.close()

  project.remove(...[...first.keys()].map((name) => `content/${name}`))
  project.write(toFiles(after.reduce(apply, first)))
  for (const { kind, file } of files) {
    const name = `content/page-${file}.md`
    if (!existsSync(project.path(name))) continue
    if (kind === 'remove') project.remove(name)
    else if (kind === 'move') project.move(name, `content/moved-${file}.md`)
    else project.write({ [name]: article(`Page ${file}`, { body: 'Changed in its file.' }) })
  }
  if (state === 'lost') project.forgetState()
  return { project, db }
}

async function act(client: ApiClient, { kind, article: number }: Deed): Promise<void> {
  const { data: all } = await client.listArticles({})
  const chosen = all.toSorted((one, two) => (one.slug ?? '').localeCompare(two.slug ?? ''))[
    number % all.length
  ]
  const read = chosen && (await client.readArticle(chosen.id))
  if (read === undefined) return
  const { id, name = '', slug = '', content = '', status = 'draft', excerpt = '', order_by = 0 } = read.data
  const body = {
    title: name,
    slug,
    content,
    status: status === 'draft' ? ('draft' as const) : ('published' as const),
    excerpt,
    ordering: order_by,
    categories: read.categories.map(({ value }) => ({ value })),
  }
  if (kind === 'delete') await client.deleteArticle(id)
  // As after two concurrent checkouts, or a copy in the editor.
  else if (kind === 'double') await client.createArticle({ ...body, slug: `${slug}-${number}` })
  else if (kind === 'foreign')
    await client.createArticle({ ...body, slug: `moved-${number}`, content: '<p>By hand</p>' })
  else {
    const edited = {
      edit: { content: `<p>By hand</p>${content}` },
      title: { title: `${name} by hand` },
      marker: { content: content.replaceAll(/<!--.*?-->/g, '') },
      status: { status: status === 'draft' ? ('published' as const) : ('draft' as const) },
    }
    await client.updateArticle(id, { ...body, ...edited[kind] })
  }
}

/** Plans and syncs a copy of the project to a copy of the database. */
async function runOn(project: SyncProject, db: string, { options }: History, offersList: boolean) {
  const folder = temporaryFolder()
  const copy = join(folder, 'kb.db')
  cpSync(db, copy)
  const root = join(folder, 'project')
  cpSync(project.root, root, { recursive: true })
  const checkout = createSyncProject(TARGET, {}, {}, root)
  const server = await openServer(copy, () => 10)
  const connection = connect(server, offersList)
  const run = { ...options, client: { send: connection.send } }
  const plan = resultOf(await checkout.plan(run))
  const sync = resultOf(await checkout.sync(run))
  await server.close()
  const pages = connection.pages()
  return { pages, seen: withoutChance({ plan, sync, ...dumpDatabase(copy), state: stateIn(checkout) }, db) }
}

function resultOf(result: SyncResult) {
  return { ...result, requests: undefined }
}

/** The state, except for the extensions that the target announced. */
function stateIn(project: SyncProject) {
  const folder = project.path('.kb/state')
  return readdirSync(folder)
    .filter((name) => /^[0-9a-f]+\.ndjson$/.test(name))
    .map((name) => {
      const state = loadWritten({ state: join(folder, name) }, 'demo')
      return { ...state, extensions: undefined }
    })
}

/** Removes the ids given by a run, the time of its deletions and the order of parallel writes. */
function withoutChance(value: unknown, db: string): unknown {
  const known = JSON.stringify(dumpDatabase(db))
  const text = JSON.stringify(value)
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => (known.includes(id) ? id : 'new'))
    .replaceAll(/(deleted_date\\":\\")[^"\\]+/g, '$1now')
  const sortLists = (_: string, part: unknown) =>
    Array.isArray(part)
      ? part.toSorted((one, two) => (JSON.stringify(one) < JSON.stringify(two) ? -1 : 1))
      : part
  return JSON.parse(text, sortLists)
}

/** @param hour returns the time of its clock */
function openServer(db: string, hour: () => number): Promise<TestServer> {
  const clock = () => new Date(Date.UTC(2026, 2, 1, hour()))
  return openTestServer({ db, languages: ['en', 'fr', 'de'], clock })
}

/** @param offersList otherwise, the target does not announce `changed-since` */
function connect(server: TestServer, offersList: boolean) {
  let pages = 0
  const send: SendRequest = async ({ method, path, headers, body, createReader }) => {
    if (method === 'GET' && /\/articles(\?|$)/.test(path)) pages++
    const response = await server.app.request(path, {
      method,
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const received = Object.fromEntries(response.headers)
    const extensions = received['kb-extensions']
    if (extensions !== undefined && !offersList)
      received['kb-extensions'] = extensions.replace(', changed-since', '')
    const bytes = new Uint8Array(await response.arrayBuffer())
    const reader = createReader?.()
    reader?.write(bytes)
    const text = reader?.end() ?? new TextDecoder().decode(bytes)
    return { kind: 'answered', status: response.status, headers: received, text }
  }
  return { send, pages: () => pages }
}
