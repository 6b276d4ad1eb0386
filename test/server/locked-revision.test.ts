import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readRevision } from '../../src/server/store/sqlite/read-revision.ts'
import { temporaryFolder } from '../support/folder.ts'

/** Holds an exclusive lock on a database, like a closing connection, and releases it while the other thread waits. */
const LOCKING = `
  const { parentPort, workerData } = require('node:worker_threads')
  const Libsql = require('libsql')
  const connection = new Libsql(workerData)
  connection.exec('pragma journal_mode = wal; pragma locking_mode = exclusive; create table meta (revision integer)')
  connection.exec('insert into meta values (7)')
  parentPort.postMessage('locked')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  connection.close()
`

test('a temporarily locked database is waited for', async () => {
  const file = join(temporaryFolder(), 'kb.db')
  const locking = new Worker(LOCKING, { eval: true, workerData: file })
  await once(locking, 'message')
  expect(readRevision(file)).toBe(7)
  await once(locking, 'exit')
})
