import { join } from 'node:path'
import { openStore } from '../../../src/server/store/open-store.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { describeLinkChecks } from './link-check-suite.ts'
import { describeLinks } from './link-suite.ts'

for (const describeSuite of [describeLinks, describeLinkChecks]) {
  describeSuite('SQLite store', async () => {
    const db = join(temporaryFolder(), 'kb.db')
    const defaults = { db, languages: ['en'], articleLimit: 1000, now: '2026-03-01T10:00:00.000Z' }
    return { open: (options = {}) => openStore({ ...defaults, ...options }) }
  })
}
