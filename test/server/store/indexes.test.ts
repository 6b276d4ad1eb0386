// An index costs every write. SQLite's bytecode shows what reads one: all queries of the store are compiled on the real
// schema, with the triggers and foreign keys that they set off.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import Libsql from 'libsql'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openSqlite } from '../../../src/server/store/sqlite/open-sqlite.ts'
import { SQLITE_BUILDER } from '../../../src/server/store/sqlite/sqlite-session.ts'
import type * as Query from '../../../src/server/store/query.ts'
import { temporaryFolder } from '../../support/folder.ts'

type AnyQuery = Query.StoreQuery<never, unknown>

const STORE = join(import.meta.dirname, '../../../src/server/store')

/** Every query that the modules of the store define, also those that none exports. */
async function loadQueries(): Promise<AnyQuery[]> {
  const queries: AnyQuery[] = []
  vi.resetModules()
  vi.doMock('../../../src/server/store/query.ts', async (importOriginal) => {
    const defineQuery = (query: AnyQuery) => {
      queries.push(query)
      return query
    }
    return { ...(await importOriginal<typeof Query>()), defineQuery }
  })
  onTestFinished(() => {
    vi.doUnmock('../../../src/server/store/query.ts')
    vi.resetModules()
  })
  for (const folder of ['', 'admin', 'sqlite']) {
    const modules = readdirSync(join(STORE, folder)).filter((name) => name.endsWith('.ts'))
    await Promise.all(modules.map((name) => import(pathToFileURL(join(STORE, folder, name)).href)))
  }
  return queries
}

interface Instruction {
  readonly opcode: string
  readonly p1: number
  readonly p2: number
}

/** Instructions that look for entries; others maintain an index or check that it is unique. */
const READING = /^(?:Seek|Rewind$|Last$|Found$|NotFound$|Count$)/

const OPENING = /^(?:OpenRead|OpenWrite|ReopenIdx)$/

/** Root pages of what a statement reads. Each of its programs numbers its cursors by itself. */
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

test('every index is read by a query of the store', async () => {
  const queries = await loadQueries()
  const { compileQuery } = await import('../../../src/server/store/query.ts')
  const file = join(temporaryFolder(), 'kb.db')
  await openSqlite(file).close()
  const connection = new Libsql(file)
  onTestFinished(() => void connection.close())
  connection.exec('create index read_by_none on articles (excerpt, seo_banner_url)')
  const pages = new Set(
    queries.flatMap((query) => {
      const { sql } = compileQuery(SQLITE_BUILDER, query, { jsonElements: 'json_each', textQuery: 'fts5' })
      return pagesRead(connection, sql)
    }),
  )
  const indexes = connection
    .prepare(`select name, rootpage from sqlite_master where type = 'index' and sql is not null`)
    .all() as { name: string; rootpage: number }[]
  expect(indexes.filter(({ rootpage }) => !pages.has(rootpage)).map(({ name }) => name)).toEqual([
    'read_by_none',
  ])
})
