import { join } from 'node:path'
import { openStore } from '../../../src/server/store/open-store.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { describeFiles } from './file-suite.ts'
import { describeLanguages } from './language-suite.ts'
import { describeChanges } from './change-suite.ts'
import type { StoreHome } from './store-fixture.ts'
import { describeRedirects } from './redirect-suite.ts'
import { describeStore } from './store-suite.ts'
import { describeUpdates } from './update-suite.ts'

async function createHome(): Promise<StoreHome> {
  const db = join(temporaryFolder(), 'kb.db')
  const defaults = { db, languages: ['en'], articleLimit: 1000, now: '2026-03-01T10:00:00.000Z' }
  return { open: (options = {}) => openStore({ ...defaults, ...options }) }
}

for (const describeSuite of [
  describeStore,
  describeLanguages,
  describeUpdates,
  describeRedirects,
  describeFiles,
  describeChanges,
]) {
  describeSuite('SQLite store', createHome)
}
