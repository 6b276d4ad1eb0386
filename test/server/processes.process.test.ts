import { join } from 'node:path'
import Libsql from 'libsql'
import { request } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { MIGRATIONS } from '../../src/server/store/sqlite/migrations.ts'
import { API_KEY as KILLABLE_KEY, startKillableServer } from '../service/killable-server.ts'
import { bundleScript } from '../support/bundle-script.ts'
import { type ChildScript, startScript } from '../support/child-script.ts'
import { temporaryFolder } from '../support/folder.ts'
import { articleBody, createArticle, openTestServer } from '../support/server.ts'

const SCRIPT = join(import.meta.dirname, 'create-until-killed.ts')

async function run(...args: string[]): Promise<ChildScript> {
  return startScript(await bundleScript(SCRIPT), ...args)
}

async function titlesIn(db: string): Promise<string[]> {
  const server = await openTestServer({ db })
  const { body } = await server.call('GET', '/api/v2/tools/review_dates')
  return (body as { data: { name: string }[] }).data.map(({ name }) => name)
}

test('every acknowledged article survives a kill', async () => {
  const db = join(temporaryFolder(), 'kb.db')
  const { process: child, lines } = await run(db, 'killed')
  const acknowledged: string[] = []
  for await (const title of lines) {
    acknowledged.push(title)
    if (acknowledged.length === 40) child.kill('SIGKILL')
  }
  const stored = await titlesIn(db)
  expect(acknowledged.length).toBeGreaterThanOrEqual(40)
  expect(acknowledged.filter((title) => !stored.includes(title))).toEqual([])
})

test.each([
  ['a new file', 0],
  ['a file of the first schema', 1],
])('four processes started at once share %s: one schema, no lost write, one limit', async (_, steps) => {
  const db = join(temporaryFolder(), 'kb.db')
  if (steps > 0) createOldDatabase(db, steps)
  const runs = await Promise.all(['one', 'two', 'three', 'four'].map((name) => run(db, name, '80')))
  const acknowledged = await Promise.all(
    runs.map(async ({ exited, lines }) => {
      const titles: string[] = []
      for await (const title of lines) titles.push(title)
      expect(await exited).toEqual([0, null])
      return titles
    }),
  )
  expect(acknowledged.flat()).toHaveLength(100)
  expect((await titlesIn(db)).toSorted()).toEqual(acknowledged.flat().toSorted())
  const { user_version: version } = new Libsql(db).prepare('pragma user_version').get() as {
    user_version: number
  }
  expect(version).toBe(MIGRATIONS.length)
})

test('a read that begins after the acknowledged write of another process contains it, beside any other reads', async () => {
  const server = await openTestServer()
  const served = await startKillableServer(server.db)
  onTestFinished(() => served.kill())
  const headers = { Authorization: `Bearer ${KILLABLE_KEY}` }
  const body = articleBody(server, { articleReviewDate: '2027-01-31' })
  const path = `/api/v2/articles/${await createArticle(server, { title: '0' })}`
  let acknowledged = 0
  async function readUntil(last: number): Promise<number> {
    for (let reads = 1; ; reads++) {
      const from = acknowledged
      // fetch() would accept a compressed response, which the app makes.
      const { body: stream } = await request(served.url + path, { headers })
      const { data } = (await stream.json()) as { data: { name: string } }
      expect(Number(data.name)).toBeGreaterThanOrEqual(from)
      if (Number(data.name) === last) return reads
    }
  }
  const readers = Array.from({ length: 8 }, () => readUntil(100))
  for (let title = 1; title <= 100; title++) {
    await server.call('POST', path, { ...body, title: String(title) })
    acknowledged = title
  }
  expect(Math.min(...(await Promise.all(readers)))).toBeGreaterThan(1)
})

/** A database of the program that knew only the first `steps` of the schema. */
function createOldDatabase(file: string, steps: number): void {
  const connection = new Libsql(file)
  connection.exec(MIGRATIONS.slice(0, steps).join(';'))
  connection.exec(`pragma user_version = ${steps}`)
  connection.close()
}
