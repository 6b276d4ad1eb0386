// Run as a process of its own: keeps the built-in target of a project open, does to it what its name says, and writes
// down how each run went.
import { rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { normaliseConfig } from '../../src/core/config/settings.ts'
import { openTarget } from '../../src/kb/open-target.ts'
import { findContent, openContent } from '../../src/sync/open-content.ts'
import { LiveTarget } from '../../src/watch/live-sync/live-target.ts'
import type { SyncResult } from '../../src/sync/sync-options.ts'

const [root = '', name = ''] = process.argv.slice(2)
const settings = normaliseConfig(
  { project: 'demo' },
  { root, programVersion: 'test', configFile: undefined, packageName: undefined },
)
const threads: Worker[] = []
process.on('worker', (worker) => threads.push(worker))
const target = new LiveTarget({
  settings,
  target: settings.target,
  connect: openTarget(settings.target, settings, { concurrency: 8, env: {} }),
  onConflict: 'fail',
  adopt: [],
  maxDeletes: { kind: 'count', count: 1 },
  yes: true,
  concurrency: 8,
  now: () => new Date(),
  sleep: (ms) => sleep(ms),
})
const open = await openContent(settings, await findContent(settings))
let { content } = open
const told: unknown[] = []
let order = 0

function tell(what: string, result: SyncResult | undefined): void {
  const counts = Object.entries(result?.summary ?? {}).filter(([, count]) => count > 0)
  const failure = result?.failure && { failure: result.failure.code }
  told.push([what, result === undefined ? null : { ...Object.fromEntries(counts), ...failure }])
}

async function all(): Promise<void> {
  tell('all', await target.syncAll(content, { held: new Set(), prune: false }))
}

async function edit(): Promise<void> {
  const [first, ...others] = content.articles
  if (first === undefined) throw new Error('There is no article')
  const edited = { ...first, order: ++order, sourceHash: String(order).padStart(64, '0') }
  content = { ...content, articles: [edited, ...others] }
  tell('edit', await target.syncEdited(content, [edited], {}))
}

const WAYS: Readonly<Record<string, () => Promise<void>>> = {
  edits: async () => {
    await all()
    await edit()
    await edit()
    await all()
  },
  'dying threads': async () => {
    await all()
    await edit()
    await Promise.all(threads.map((worker) => worker.terminate()))
    await edit()
    await all()
    await edit()
    await target.flush()
    await threads.at(-1)?.terminate()
  },
  'a database that goes': async () => {
    await all()
    await edit()
    for (const end of ['', '-wal', '-shm']) rmSync(`${root}/.kb/kb.db${end}`, { force: true })
    await edit()
    await all()
    await edit()
  },
}

await WAYS[name]?.()
await target.close()
open.cache.close()
writeFileSync(`${root}/told.json`, JSON.stringify(told))
