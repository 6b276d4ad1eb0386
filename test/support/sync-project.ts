// A project that is synced in this process, with a clock that stands still and waits that take no time.
import { rmSync } from 'node:fs'
import { type ClientOptions, createClient } from '../../src/api/client/create-client.ts'
import { normaliseConfig, type Settings } from '../../src/core/config/settings.ts'
import type { KbConfig } from '../../src/core/config/schema.ts'
import type { Summary } from '../../src/core/model/plan.ts'
import { runSync } from '../../src/sync/run-sync.ts'
import type { SyncContentOptions, SyncResult } from '../../src/sync/sync-options.ts'
import { createProject, type Files, type TestProject } from './project.ts'
import { SERVICE_KEY } from './strict-service.ts'

export interface SyncProject extends TestProject {
  readonly settings: Settings
  readonly sync: (options?: RunOptions) => Promise<SyncResult>
  readonly plan: (options?: RunOptions) => Promise<SyncResult>
  /** As on a fresh checkout. */
  readonly forgetState: () => void
}

/** `client`: what the run's client is to do another way. */
export interface RunOptions extends Partial<SyncContentOptions> {
  readonly client?: Partial<ClientOptions>
}

/** A project of these files with the remote target at `url`. @param root its folder; default: a new one */
export function createSyncProject(
  url: string,
  files: Files,
  config: KbConfig = {},
  root?: string,
): SyncProject {
  const project = createProject(files, root)
  const settings = normaliseConfig(
    { project: 'demo', target: { url, apiKey: SERVICE_KEY }, ...config },
    { root: project.root, configFile: undefined, packageName: undefined, programVersion: 'test' },
  )
  const run = (
    mode: SyncContentOptions['mode'],
    { client, ...options }: RunOptions = {},
  ): Promise<SyncResult> => {
    const { concurrency = 8, maxDeletes, timeoutMs, onConflict } = settings.sync
    const createOne = (signal: AbortSignal | undefined) =>
      createClient({
        url,
        apiKey: SERVICE_KEY,
        timeoutMs,
        retries: 0,
        concurrency,
        signal,
        sleep: () => Promise.resolve(),
        ...client,
      })
    return runSync({
      settings,
      target: settings.target,
      connect: ({ signal }) =>
        Promise.resolve({
          name: settings.target.name,
          client: createOne(signal),
          createTaxonomy: undefined,
          close: () => Promise.resolve({ ownRevisions: 0 }),
        }),
      mode,
      prune: false,
      onConflict,
      adopt: [],
      maxDeletes,
      yes: false,
      verify: false,
      concurrency,
      now: () => new Date('2026-03-01T12:00:00Z'),
      sleep: () => Promise.resolve(),
      ...options,
    })
  }
  return {
    ...project,
    settings,
    sync: (options) => run('sync', options),
    plan: (options) => run('plan', options),
    forgetState: () => rmSync(project.path('.kb/state'), { recursive: true, force: true }),
  }
}

/** The counts that are not 0. */
export function counts(summary: Summary): Partial<Summary> {
  return Object.fromEntries(Object.entries(summary).filter(([, count]) => count > 0))
}

/** What a run did, without the counts that are 0; `operations` in few words. */
export function outcomeOf({ summary, operations, failure, guard, diagnostics }: SyncResult) {
  return {
    ...counts(summary),
    ...(operations.length > 0 && {
      operations: operations.map(
        ({ action, source, slug, outcome, reason }) =>
          `${action} ${source ?? slug} ${outcome}${reason === undefined ? '' : `: ${reason}`}`,
      ),
    }),
    ...(failure !== undefined && { failure: failure.code }),
    ...(guard !== undefined && { guard }),
    ...(diagnostics.length > 0 && { diagnostics: diagnostics.map(({ code }) => code) }),
  }
}
