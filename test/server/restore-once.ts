// A separate process: restores a backup into a database, reports its steps, and hangs after one of them.
import { writeSync } from 'node:fs'
import { restoreDatabase } from '../../src/server/backup-and-copy.ts'

const [db = '', backup = '', now = '', last = ''] = process.argv.slice(2)
restoreDatabase(db, backup, now, (step) => {
  writeSync(1, `${step}\n`)
  if (step === last) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})
