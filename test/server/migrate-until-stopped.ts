// A separate process: migrates a database, and hangs before one of its statements, or after the last.
import { writeSync } from 'node:fs'
import { openConnection } from '../../src/server/store/sqlite/open-sqlite.ts'
import { migrate } from '../../src/server/store/sqlite/migrations.ts'

const [db = '', last = ''] = process.argv.slice(2)
const connection = openConnection(db)
const execute = connection.exec.bind(connection)
let statements = 0

function stopAt(statement: number): void {
  if (statement !== Number(last)) return
  writeSync(1, 'stopped\n')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

connection.exec = (sql) => {
  stopAt(statements++)
  return execute(sql)
}
migrate(connection, db)
stopAt(statements)
