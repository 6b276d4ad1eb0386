// The requirements of every store, on PostgreSQL.
import { openAdminStore } from '../../../src/server/store/admin/open-admin-store.ts'
import { openStore } from '../../../src/server/store/open-store.ts'
import { createPostgresDatabase } from '../../support/postgres-database.ts'
import { type AdminHome, describeAdministration } from './admin-suite.ts'
import { describeFiles } from './file-suite.ts'
import { describeLanguages } from './language-suite.ts'
import { describeLinkChecks } from './link-check-suite.ts'
import { describeLinks } from './link-suite.ts'
import { describeRedirects } from './redirect-suite.ts'
import { describeChanges } from './change-suite.ts'
import { NOW } from './store-fixture.ts'
import { describeStore } from './store-suite.ts'
import { describeUpdates } from './update-suite.ts'

async function createHome(tables?: 'next'): Promise<AdminHome> {
  const db = await createPostgresDatabase(tables)
  const defaults = { db, languages: ['en'], articleLimit: 1000, now: NOW }
  return {
    open: (options = {}) => openStore({ ...defaults, ...options }),
    openAdmin: () => openAdminStore({ db, languages: ['en'], now: NOW }),
  }
}

const SUITES = [
  describeStore,
  describeLanguages,
  describeUpdates,
  describeChanges,
  describeLinks,
  describeLinkChecks,
  describeRedirects,
  describeFiles,
  describeAdministration,
]

for (const describeSuite of SUITES) {
  describeSuite('PostgreSQL store', () => createHome())
  describeSuite('PostgreSQL store on tables of a later version', () => createHome('next'))
}
