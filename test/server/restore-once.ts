// Run as a process of its own: restores a backup into a database, and says when it begins and when it is through.
import { writeSync } from 'node:fs'
import { restore } from '../../src/server/open-administration.ts'

const [db = '', backup = '', now = ''] = process.argv.slice(2)
writeSync(1, 'begin\n')
restore(db, backup, now)
writeSync(1, 'done\n')
