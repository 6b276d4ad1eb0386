// The events of a watch, from the first line to the last.
import type { KbWatchEvent, WatchedOperation, WatchSummary } from '../../../src/kb/watch-events.ts'
import { KbError } from '../../../src/core/errors/kb-error.ts'
import type { Diagnostic } from '../../../src/core/model/diagnostic.ts'
import type { SyncResult } from '../../../src/sync/sync-options.ts'
import type { WatchStatus } from '../../../src/watch/reducer/watch-event.ts'

const NO_COUNTS = {
  created: 0,
  updated: 0,
  replaced: 0,
  deleted: 0,
  unchanged: 0,
  conflicts: 0,
  failed: 0,
  skipped: 0,
  orphans: 0,
}

export const PRODUCTION = { kind: 'remote', name: 'production', url: 'https://help.example.com' } as const
const BUILTIN = { kind: 'builtin', name: 'builtin', url: undefined } as const

export function started(changes: Partial<Extract<KbWatchEvent, { kind: 'started' }>> = {}): KbWatchEvent {
  return {
    kind: 'started',
    target: BUILTIN,
    passedOver: undefined,
    content: 'content',
    pages: 'http://127.0.0.1:4400/',
    portTaken: undefined,
    ...changes,
  }
}

export function ready(changes: Partial<SyncResult> = {}): KbWatchEvent {
  const result: SyncResult = {
    target: 'builtin',
    summary: { ...NO_COUNTS, created: 12, unchanged: 4988 },
    taxonomy: NO_COUNTS,
    operations: [],
    orphans: [],
    diagnostics: [],
    requests: {},
    guard: undefined,
    failure: undefined,
    ...changes,
  }
  return { kind: 'ready', result, durationMs: 1234 }
}

export function operation(source: string, changes: object = {}): WatchedOperation {
  const slug = source.replace(/^.*\//, '').replace('.md', '')
  return {
    kind: 'article',
    action: 'update',
    source,
    slug,
    language: null,
    id: 'a1',
    outcome: 'done',
    url: `/articles/${slug}`,
    ...changes,
  }
}

export function sent(...operations: readonly WatchedOperation[]): KbWatchEvent {
  return { kind: 'sent', operations, durationMs: 38.26 }
}

export function standing(changes: Partial<WatchStatus> = {}): KbWatchEvent {
  return {
    kind: 'standing',
    standing: {
      state: 'watching',
      pending: 0,
      sent: 0,
      conflicts: 0,
      failed: 0,
      errors: 0,
      warnings: 0,
      ...changes,
    },
  }
}

export const titleMissing: Diagnostic = {
  code: 'frontmatter-missing',
  severity: 'error',
  file: 'content/guides/reset.md',
  line: 1,
  column: 1,
  message: 'The title is missing.',
}

export const outage = new KbError('TARGET_UNREACHABLE', 'https://help.example.com did not respond.', {
  hint: 'Look whether it runs.',
})

export const done: WatchSummary = {
  target: 'builtin',
  sent: 12,
  pending: 0,
  heldBack: [],
  failures: [],
  isComplete: true,
  failure: undefined,
}
