import { expect, test } from 'vitest'
import { summarizeSync } from '../../../../src/web/dashboard/summary/summarize-status.ts'
import type { SyncStatus } from '../../../../src/web/dashboard/status-source.ts'
import { syncStatus, unsent } from '../../pages/status/status-samples.ts'

test('long lists are cut, sorted by file; the count covers all', () => {
  const failures = ['c.md', 'a.md', 'b.md'].map((file) => unsent(file))
  expect(summarizeSync(syncStatus({ failures, pending: 4 }), 2)).toEqual({
    target: 'builtin',
    state: 'synced',
    lastSync: '2026-11-21T23:10:12.345Z',
    pending: 4,
    sent: 12,
    failures: { total: 3, entries: [unsent('a.md'), unsent('b.md')] },
    heldBack: { total: 0, entries: [] },
    orphans: 0,
    isClean: false,
  })
})

test.each<[boolean, Partial<SyncStatus>]>([
  [true, {}],
  [false, { state: 'syncing' }],
  [false, { state: 'offline' }],
  [false, { lastSync: undefined }],
  [false, { pending: 1 }],
  [false, { orphans: 1 }],
  [false, { failures: [unsent('a.md')] }],
  [false, { heldBack: [unsent('a.md')] }],
])('clean: %s with %j', (isClean, change) => {
  expect(summarizeSync(syncStatus(change), 10).isClean).toBe(isClean)
})
