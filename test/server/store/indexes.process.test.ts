// An index costs every write. SQLite's bytecode shows the use of each: all queries of the store are compiled on the
// real schema, including triggers and foreign keys.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import Libsql from 'libsql'
import { expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '../../../src/server/store/sqlite/open-sqlite.ts'
import { temporaryFolder } from '../../support/folder.ts'

function printQueries(): string[] {
  const script = join(import.meta.dirname, 'print-queries.mjs')
  const output = execFileSync(process.execPath, [script], { encoding: 'utf8', maxBuffer: 10_000_000 })
  return JSON.parse(output) as string[]
}

interface Instruction {
  readonly opcode: string
  readonly p1: number
  readonly p2: number
}

/** Instructions that look up entries; others maintain an index or check its uniqueness. */
const READING = /^(?:Seek|Rewind$|Last$|Found$|NotFound$|Count$)/

const OPENING = /^(?:OpenRead|OpenWrite|ReopenIdx)$/

/** Returns the root pages that a statement reads. Each of its programs numbers its cursors separately. */
function pagesRead(connection: Libsql.Database, sql: string): number[] {
  const pages: number[] = []
  let cursors = new Map<number, number>()
  for (const { opcode, p1, p2 } of connection.prepare(`explain ${sql}`).all() as Instruction[]) {
    if (opcode === 'Init') cursors = new Map()
    if (OPENING.test(opcode)) cursors.set(p1, p2)
    const page = cursors.get(p1)
    if (READING.test(opcode) && page !== undefined) pages.push(page)
  }
  return pages
}

test('every index is used by a query of the store', async () => {
  const file = join(temporaryFolder(), 'kb.db')
  await openSqlite(file).close()
  const connection = new Libsql(file)
  onTestFinished(() => void connection.close())
  connection.exec('create index read_by_none on articles (excerpt, seo_banner_url)')
  const queries = printQueries()
  expect(queries.length).toBeGreaterThan(200)
  const pages = new Set(queries.flatMap((sql) => pagesRead(connection, sql)))
  const indexes = connection
    .prepare(`select name, rootpage from sqlite_master where type = 'index' and sql is not null`)
    .all() as { name: string; rootpage: number }[]
  expect(indexes.filter(({ rootpage }) => !pages.has(rootpage)).map(({ name }) => name)).toEqual([
    'read_by_none',
  ])
})
