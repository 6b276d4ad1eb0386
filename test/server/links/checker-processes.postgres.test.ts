// Several server processes check the links of one database: the limits apply to all of them together, and the others
// check the links claimed by a killed one.
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { serveWeb } from '../../api/link-probe/web-fixture.ts'
import { bundleScript } from '../../support/bundle-script.ts'
import { type ChildScript, startScript } from '../../support/child-script.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { createPostgresDatabase } from '../../support/postgres-database.ts'
import { articleBody, NOW, openTestServer } from '../../support/server.ts'
import { waitFor } from '../../support/wait-for.ts'

const SCRIPT = join(import.meta.dirname, 'check-until-killed.ts')
const START_MS = Date.parse(NOW)
const CLAIM_MS = 15 * 60_000
const DAY_MS = 86_400_000

/** More than two processes claim at a time, so that the third one finds some. */
const HOSTS = Array.from({ length: 20 }, (_, index) => `h${index}.test`)
const PER_HOST = 10

const DATABASES = {
  SQLite: async () => join(temporaryFolder(), 'kb.db'),
  PostgreSQL: () => createPostgresDatabase(),
}

test.each(Object.entries(DATABASES))(
  'three processes on %s share links and hosts',
  async (_, createDatabase) => {
    const db = await createDatabase()
    const children: ChildScript[] = []
    const agents: string[] = []
    let onRequest = (_agent: string) => {}
    let startAll = () => {}
    const allStarted = new Promise<void>((resolve) => (startAll = resolve))
    const answer = async (request: IncomingMessage) => {
      const agent = /\/(\d)/.exec(request.headers['user-agent'] ?? '')?.[1] ?? ''
      agents.push(agent)
      if (new Set(agents).size === 3) startAll()
      await allStarted
      onRequest(agent)
      for (let turns = 0; turns < 20; turns++) await turn()
      return 200
    }
    const web = await serveWeb(Object.fromEntries(HOSTS.map((host) => [`${host}/*`, answer])))
    const pages = HOSTS.flatMap((host) =>
      Array.from({ length: PER_HOST }, (_each, index) => `${host}/${index}`),
    )
    const server = await openTestServer({ db })
    const content = pages.map((page) => `<a href="${web.url(page)}">x</a>`).join('')
    expect(await server.call('PUT', '/api/v2/articles', articleBody(server, { content }))).toMatchObject({
      status: 200,
    })

    const { store } = server
    await store.scheduleTargets(NOW, 1000)
    const places = { dueDate: '', target: '' }
    /** Returns pages whose check is due or claimed before a moment, by the process that claimed them. */
    const openUntil = async (ms: number) => {
      const due = await store.dueLinks(store.defaultSiteId, new Date(ms).toISOString(), places, 1000)
      return due.map(({ target, dueDate }) => ({
        page: target.replace(/^http:\/\/(.*?):\d+/, '$1'),
        process: Date.parse(dueDate) % 1000,
      }))
    }
    // The clock of each process is a millisecond ahead of the previous one, so that claims show their owner.
    const tell = (child: ChildScript, ms: number) =>
      child.process.stdin?.write(`${ms + children.indexOf(child) + 1}\n`)
    const killed = new Promise<void>((resolve) => {
      let count = 0
      onRequest = (agent) => {
        if (agent !== '1' || ++count !== 12) return
        children[0]?.process.kill('SIGKILL')
        resolve()
      }
    })
    const script = await bundleScript(SCRIPT)
    for (const number of [1, 2, 3])
      children.push(startScript(script, db, `${number}.0.0`, `${START_MS + number}`))
    await killed
    const others = children.slice(1)
    // The remaining links are those that it has claimed, and others to the same hosts.
    const later = new Date(START_MS + 10).toISOString()
    const left = await waitFor(async () => {
      const open = await openUntil(START_MS + DAY_MS - 1)
      const hosts = new Set(await store.busyHosts(store.defaultSiteId, later))
      const isLeft = ({ page, process }: (typeof open)[number]) =>
        process === 1 || (process === 0 && hosts.has(page.split('/', 1)[0] ?? ''))
      expect(open.filter((each) => !isLeft(each))).toEqual([])
      return open.filter(({ process }) => process === 1).map(({ page }) => page)
    })
    expect(left.length).toBeGreaterThan(0)
    for (const child of others) tell(child, START_MS + CLAIM_MS)
    await waitFor(async () => expect(await openUntil(START_MS + DAY_MS - 1)).toEqual([]))
    const counted = countOf(web.seen.map(({ page }) => page))
    expect([...counted.keys()].toSorted()).toEqual(pages.toSorted())
    const twice = [...counted].filter(([, count]) => count > 1)
    expect(twice.filter(([page, count]) => count > 2 || !left.includes(page))).toEqual([])

    const before = web.seen.length
    for (const child of others) tell(child, START_MS + CLAIM_MS + DAY_MS)
    await waitFor(async () => expect(await openUntil(START_MS + 2 * DAY_MS - 1)).toEqual([]))
    expect(
      web.seen
        .slice(before)
        .map(({ page }) => page)
        .toSorted(),
    ).toEqual(pages.toSorted())
    expect(HOSTS.map((host) => web.most.get(host))).toEqual(HOSTS.map(() => 1))
  },
)

function countOf(pages: readonly string[]): Map<string, number> {
  const counted = new Map<string, number>()
  for (const page of pages) counted.set(page, (counted.get(page) ?? 0) + 1)
  return counted
}
