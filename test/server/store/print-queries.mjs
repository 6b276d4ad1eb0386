// Prints the SQL of every query that the modules of the SQLite store define, also those that none exports, as a JSON
// array. A process of its own: it replaces `defineQuery` before the modules are loaded, to see each call.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createJiti } from 'jiti'

const STORE = join(import.meta.dirname, '../../../src/server/store')

const jiti = createJiti(import.meta.url, { fsCache: false })
const { compileQuery } = await jiti.import(join(STORE, 'query.ts'))
const queries = []
jiti.cache[join(STORE, 'query.ts')].exports.defineQuery = (query) => {
  queries.push(query)
  return query
}
for (const folder of ['', 'admin', 'sqlite'])
  for (const name of readdirSync(join(STORE, folder)))
    if (name.endsWith('.ts')) await jiti.import(join(STORE, folder, name))
const { SQLITE_BUILDER } = await jiti.import(join(STORE, 'sqlite/sqlite-session.ts'))
const dialect = { jsonElements: 'json_each' }
const statements = queries.map((query) => compileQuery(SQLITE_BUILDER, query, dialect).sql)
process.stdout.write(JSON.stringify(statements))
