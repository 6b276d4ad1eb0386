// A separate process: copies a database, and hangs before one of its statements; without a number, it prints how many
// there are.
import { writeSync } from 'node:fs'
import Libsql from 'libsql'
import { Client } from 'pg'
import { copyToDatabase } from '../../src/server/backup-and-copy.ts'

const [from = '', to = '', last = ''] = process.argv.slice(2)
let statements = 0

function count(): void {
  if (`${statements++}` !== last) return
  writeSync(1, 'stopped\n')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

/** Counts the calls of a method. */
function watch(methods: object, name: string): void {
  const original = Reflect.get(methods, name) as (...given: unknown[]) => unknown
  Reflect.set(methods, name, function counted(this: unknown, ...given: unknown[]) {
    count()
    return original.apply(this, given)
  })
}

watch(Client.prototype, 'query')
const statement = Object.getPrototypeOf(new Libsql(':memory:').prepare('select 1')) as object
watch(statement, 'all')
watch(statement, 'run')
await copyToDatabase({ from, to, onProgress: () => undefined })
writeSync(1, `${statements}\n`)
