import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import Libsql from 'libsql'
import { expect, test } from 'vitest'
import { MIGRATIONS } from '../../src/server/store/sqlite/migrations.ts'
import { temporaryFolder } from '../support/folder.ts'
import { openTestServer } from '../support/server.ts'

const SCRIPT = join(import.meta.dirname, 'create-until-killed.ts')

function run(...args: string[]): { child: ChildProcess; lines: AsyncIterable<string> } {
  const child = spawn(process.execPath, ['--import', 'jiti/register', SCRIPT, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { child, lines: createInterface({ input: child.stdout as NodeJS.ReadableStream }) }
}

async function titlesIn(db: string): Promise<string[]> {
  const server = await openTestServer({ db })
  const { body } = await server.call('GET', '/api/v2/tools/review_dates')
  return (body as { data: { name: string }[] }).data.map(({ name }) => name)
}

test('every acknowledged article survives a kill', async () => {
  const db = join(temporaryFolder(), 'kb.db')
  const { child, lines } = run(db, 'killed')
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
])('four processes that start at once share %s: one schema, no lost write, one limit', async (_, steps) => {
  const db = join(temporaryFolder(), 'kb.db')
  if (steps > 0) createOldDatabase(db, steps)
  const runs = ['one', 'two', 'three', 'four'].map((name) => run(db, name, '80'))
  const acknowledged = await Promise.all(
    runs.map(async ({ child, lines }) => {
      const exited = once(child, 'exit')
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

/** A database as the program left it that knew only the first `steps` of the schema. */
function createOldDatabase(file: string, steps: number): void {
  const connection = new Libsql(file)
  connection.exec(MIGRATIONS.slice(0, steps).join(';'))
  connection.exec(`pragma user_version = ${steps}`)
  connection.close()
}
