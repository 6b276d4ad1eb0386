// A project that is synced with a service and pulled from it, in this process.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../../../src/api/client/create-client.ts'
import type { KbConfig } from '../../../src/core/config/schema.ts'
import { normaliseConfig } from '../../../src/core/config/settings.ts'
import type { PullContentOptions, PullResult } from '../../../src/authoring/pull/pulled-files.ts'
import { runPull } from '../../../src/authoring/pull/run-pull.ts'
import { runCheck } from '../../../src/inspect/check/run-check.ts'
import type { Files } from '../../support/project.ts'
import { SERVICE_KEY } from '../../support/strict-service.ts'
import { createSyncProject, type SyncProject } from '../../support/sync-project.ts'

/** `whenCompiled` is called after the files are read and before the target is. */
export interface PullTestOptions extends Partial<PullContentOptions> {
  readonly whenCompiled?: () => void
}

export interface PullProject extends SyncProject {
  readonly pull: (options?: PullTestOptions) => Promise<PullResult>
  /** Returns codes of the errors that `kb check` finds. */
  readonly check: () => Promise<string[]>
  /** Returns every file of the content folder by path. */
  readonly contents: () => Record<string, string>
}

export function createPullProject(url: string, files: Files, config: KbConfig = {}): PullProject {
  const project = createSyncProject(url, files, config)
  const settings = normaliseConfig(
    { project: 'demo', target: { url, apiKey: SERVICE_KEY }, ...config },
    { root: project.root, configFile: undefined, packageName: undefined, programVersion: 'test' },
  )
  const pull = ({ whenCompiled, ...options }: PullTestOptions = {}) =>
    runPull({
      settings,
      target: settings.target,
      connect: ({ signal }) => {
        whenCompiled?.()
        return Promise.resolve({
          name: settings.target.name,
          client: createClient({
            url,
            apiKey: SERVICE_KEY,
            timeoutMs: 30_000,
            retries: 0,
            concurrency: 8,
            signal,
            sleep: () => Promise.resolve(),
          }),
          createTaxonomy: undefined,
          close: () => Promise.resolve({ ownRevisions: 0 }),
        })
      },
      dryRun: false,
      onConflict: 'fail',
      editsOnly: false,
      now: () => new Date('2026-03-01T12:00:00Z'),
      sleep: () => Promise.resolve(),
      ...options,
    })
  return {
    ...project,
    pull,
    check: async () => {
      const { diagnostics } = await runCheck({ settings })
      return diagnostics.flatMap(({ severity, code }) => (severity === 'error' ? [code] : []))
    },
    contents: () => readTree(project.path('content')),
  }
}

export function readTree(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
  return Object.fromEntries(
    names.flatMap((name) => {
      try {
        return [[name, readFileSync(join(folder, name), 'latin1')] as const]
      } catch {
        return []
      }
    }),
  )
}

/** Summarises the result of a pull. */
export function pullOutcome({ summary, files, diagnostics, failure }: PullResult) {
  return {
    ...Object.fromEntries(Object.entries(summary).filter(([, count]) => count > 0)),
    ...(files.length > 0 && {
      files: files.map(({ action, file, slug, outcome, fields, text, reason }) => {
        const parts = [...fields, ...(text ? ['text'] : [])].join('+')
        const subject = `${action} ${file ?? slug} ${outcome}`
        return `${subject}${parts === '' ? '' : ` [${parts}]`}${reason === undefined ? '' : `: ${reason}`}`
      }),
    }),
    ...(diagnostics.length > 0 && { diagnostics: diagnostics.map(({ code }) => code) }),
    ...(failure !== undefined && { failure: failure.code }),
  }
}
