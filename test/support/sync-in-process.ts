import { loadConfig } from '../../src/core/config/load-config.ts'
import { revisionReader } from '../../src/kb/on-target.ts'
import { runSync } from '../../src/sync/run-sync.ts'
import type { SyncContentOptions, SyncResult } from '../../src/sync/sync-options.ts'
import { connectInProcess } from './connect-in-process.ts'

/** Syncs the project in `root` with its built-in target, in this process. */
export async function syncInProcess(
  root: string,
  changes: Partial<SyncContentOptions> = {},
): Promise<SyncResult> {
  const settings = await loadConfig({ cwd: root })
  return runSync({
    settings,
    target: settings.target,
    connect: connectInProcess(settings),
    readRevision: revisionReader(settings.target, settings),
    mode: 'sync',
    prune: settings.sync.prune,
    onConflict: 'fail',
    adopt: [],
    maxDeletes: settings.sync.maxDeletes,
    yes: false,
    verify: false,
    concurrency: 8,
    now: () => new Date(),
    sleep: () => Promise.resolve(),
    ...changes,
  })
}
