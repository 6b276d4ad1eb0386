// Several clients write and sync to three servers behind a load balancer, while one of them is killed and restarted and
// the database is restarted. KILLS sets how often.
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { article, configFile, createProject, manyArticles, startServing } from '../support/project.ts'
import { readRuns, timeoutOf } from '../support/runs.ts'
import { articleBody } from '../support/server.ts'
import { startPostgres } from '../support/start-postgres.ts'
import { startBalancer } from '../support/tcp-proxy.ts'

const API_KEY = 'key-of-all-processes'
const SERVERS = 3
const CLIENTS = 6
const SYNCED = 40
/** Acknowledged writes before and after each failure. */
const WRITES = 40

const UNCHANGED = 'The database server does not respond. Nothing was changed.'

const RUNS = readRuns('KILLS', 5)

test(
  `no acknowledged write is lost or doubled in ${RUNS.numRuns} outages`,
  timeoutOf(RUNS, 60_000),
  async () => {
    const postgres = await startPostgres()
    onTestFinished(() => postgres.stop())
    const db = postgres.urlOf('postgres')
    const home = createProject({ 'content/_categories.yml': '- name: Guides\n  slug: guides\n' })
    const env = { KB_DB: db, KB_API_KEY: API_KEY }
    const serve = () => startServing(home, { env })
    const servers = await Promise.all(Array.from({ length: SERVERS }, serve))
    const urls = servers.map(({ url }) => url)
    const balancer = await startBalancer(urls)
    const writers = startWriters(balancer.url, await readCategory(balancer.url))
    const project = createProject({
      ...manyArticles(SYNCED),
      'kb.config.ts': configFile({ project: 'outages', target: { url: balancer.url } }),
    })
    const sync = () => project.start(['sync', '--json'], { env: { KB_API_KEY: API_KEY } }).ended

    async function replaceServer(index: number, whileDown = async () => {}): Promise<void> {
      const killed = servers[index]
      killed?.process.kill('SIGKILL')
      await killed?.ended
      await whileDown()
      const started = await serve()
      servers[index] = started
      urls[index] = started.url
    }

    const interrupted: (number | null)[] = []
    for (let round = 0; round < RUNS.numRuns; round++) {
      for (let page = 0; page < SYNCED; page++) {
        const body = `Text of round ${round}, page ${page}.`
        project.write({ [`content/page-${page}.md`]: article(`Page ${page}`, { body }) })
      }
      await writers.acknowledge(WRITES)
      const sending = balancer.waitFor(`Text of round ${round},`)
      const syncing = sync()
      await sending
      const restart = () => postgres.restart(() => writers.refused())
      // The database is restarted while the process is gone, or before that is noticed.
      if (round % 2 === 0) await replaceServer(round % SERVERS, restart)
      else {
        await restart()
        await replaceServer(round % SERVERS)
      }
      await writers.acknowledge(WRITES)
      const first = await syncing
      interrupted.push(first.code)
      if (first.code !== 0) expect(await sync()).toMatchObject({ code: 0 })
      expect(await sync()).toMatchObject({
        code: 0,
        json: { summary: { unchanged: SYNCED, created: 0, updated: 0 } },
      })
    }
    await writers.stop()
    expect(interrupted.filter((code) => ![0, 1, 3].includes(code ?? -1))).toEqual([])

    const stored = await readArticles(db)
    const pages = stored.filter(({ slug }) => slug.startsWith('page-'))
    expect(pages.map(({ slug }) => slug).toSorted()).toEqual(
      Array.from({ length: SYNCED }, (_, page) => `page-${page}`).toSorted(),
    )
    for (const { slug, content } of pages) {
      expect(content).toContain(`Text of round ${RUNS.numRuns - 1}, page ${slug.slice('page-'.length)}.`)
    }
    expect(writers.unexpected).toEqual([])
    const written = new Map(stored.filter(({ slug }) => slug.startsWith('w')).map((row) => [row.slug, row]))
    for (const [slug, possible] of writers.ledger) {
      const row = written.get(slug)
      written.delete(slug)
      expect({ slug, possible }).toEqual({ slug, possible: expect.arrayContaining([row?.content]) })
      const id = writers.ids.get(slug)
      if (row !== undefined && id !== undefined) expect([slug, row.id]).toEqual([slug, id])
    }
    expect([...written.keys()]).toEqual([])
  },
)

/** Possible contents of an article; undefined: it may be missing. There is one unless a response was lost. */
type Possible = readonly (string | undefined)[]

/** Creates, updates and deletes articles concurrently until it is stopped. */
function startWriters(url: string, category: string) {
  const ledger = new Map<string, Possible>()
  const ids = new Map<string, string>()
  const unexpected: unknown[] = []
  const stopping = new AbortController()
  let acknowledged = 0
  let onAnswer = (_isRefusal: boolean) => {}

  /** @returns true if the slug can be written again */
  async function write(slug: string, method: string, content: string | undefined): Promise<boolean> {
    const [before] = ledger.get(slug) ?? []
    const path = method === 'PUT' ? '' : `/${ids.get(slug)}`
    const response = await fetch(new URL(`/api/v2/articles${path}`, url), {
      method,
      headers: { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' },
      ...(content !== undefined && {
        body: JSON.stringify(articleBody({ guides: category }, { slug, content })),
      }),
    }).catch(() => undefined)
    const message = await response?.json().then(
      (body) => (body as { message: string }).message,
      () => undefined,
    )
    const [status, retryAfter] = [response?.status, response?.headers.get('retry-after')]
    if (status === 200 && message !== undefined) {
      ledger.set(slug, [content])
      if (method === 'PUT') ids.set(slug, response?.headers.get('location')?.split('/').at(-1) ?? '')
      acknowledged++
      onAnswer(false)
      return true
    }
    if (status === 503 && retryAfter !== null && message === UNCHANGED) {
      onAnswer(true)
      await pause(1000 * Number(retryAfter))
      return true
    }
    ledger.set(slug, [before, content])
    // The process was killed before it responded.
    if (message !== undefined) unexpected.push([method, status, retryAfter, message])
    return false
  }

  async function work(client: number): Promise<void> {
    const own: string[] = []
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      const at = (turn * 7) % Math.max(own.length, 1)
      const present = own[at]
      if (present === undefined || turn % 5 < 2) {
        const slug = `w${client}-${turn}`
        ledger.set(slug, [undefined])
        if ((await write(slug, 'PUT', `<p>${turn}</p>`)) && ids.has(slug)) own.push(slug)
      } else if (turn % 5 < 4) {
        if (!(await write(present, 'POST', `<p>${turn}</p>`))) own.splice(at, 1)
      } else {
        own.splice(at, 1)
        await write(present, 'DELETE', undefined)
      }
    }
  }

  const working = Promise.all(Array.from({ length: CLIENTS }, (_, client) => work(client)))
  const until = (isDone: (isRefusal: boolean) => boolean) =>
    new Promise<void>((resolve) => {
      onAnswer = (isRefusal) => {
        if (isDone(isRefusal)) resolve()
      }
    })
  return {
    ledger,
    ids,
    unexpected,
    /** Resolves after this many further acknowledged writes. */
    acknowledge(count: number) {
      const wanted = acknowledged + count
      return until(() => acknowledged >= wanted)
    },
    /** Resolves when the next write is rejected. */
    refused: () => until((isRefusal) => isRefusal),
    async stop() {
      stopping.abort()
      await working
    },
  }
}

async function readCategory(url: string): Promise<string> {
  const headers = { Authorization: `Bearer ${API_KEY}` }
  const answer = await fetch(new URL('/api/v2/categories', url), { headers })
  return ((await answer.json()) as { data: { id: string }[] }).data[0]?.id ?? ''
}

async function readArticles(db: string) {
  const client = new Client({ connectionString: db })
  await client.connect()
  const { rows } = await client.query<{ id: string; slug: string; content: string }>(
    'select id, slug, content from articles',
  )
  await client.end()
  return rows
}
