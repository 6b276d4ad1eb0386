import { join } from 'node:path'
import { openAdminStore } from '../../../src/server/store/admin/open-admin-store.ts'
import { openStore } from '../../../src/server/store/open-store.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { describeAdministration } from './admin-suite.ts'
import { NOW } from './store-fixture.ts'

describeAdministration('SQLite store', async () => {
  const db = join(temporaryFolder(), 'kb.db')
  const defaults = { db, languages: ['en'], articleLimit: 1000, now: NOW }
  return {
    open: (options = {}) => openStore({ ...defaults, ...options }),
    openAdmin: () => openAdminStore({ db, languages: ['en'], now: NOW }),
  }
})
