// A watch as a sequence of inputs, in orders that rarely occur with files, timers and a target.
import { createIgnores } from '../../../src/content/rules/ignored-lines.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { LoadedContent } from '../../../src/content/pipeline/load-content.ts'
import { loadConfig } from '../../../src/core/config/load-config.ts'
import { KbError } from '../../../src/core/errors/kb-error.ts'
import type { Diagnostic } from '../../../src/core/model/diagnostic.ts'
import type { OperationResult, Summary } from '../../../src/core/model/plan.ts'
import type { SyncResult } from '../../../src/sync/sync-options.ts'
import { resultOf } from '../../../src/watch/reducer/announce.ts'
import {
  type WatchEffect,
  createWatchState,
  PAUSES,
  type WatchState,
} from '../../../src/watch/reducer/watch-state.ts'
import { reduce, type WatchInput } from '../../../src/watch/reducer/reduce.ts'
import { mayCancelScan } from '../../../src/watch/reducer/reduce-scan.ts'
import { readRuns } from '../../support/runs.ts'
import { EMPTY_INDEX } from '../../support/empty-index.ts'
import { desired } from '../../sync/plan/examples.ts'

const root = mkdtempSync(join(tmpdir(), 'kb-sync-'))
afterAll(() => rmSync(root, { recursive: true }))
/** The defaults, because there is no configuration. */
const SETTINGS = await loadConfig({ cwd: root })
const PROJECT = { settings: SETTINGS, target: SETTINGS.target }
const AWAY = new KbError('TARGET_UNREACHABLE', 'Away.')
const UNREADABLE = new KbError('CONTENT_UNREADABLE', 'The folder is gone.')
const NOTHING: Summary = {
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

/** Articles by source, with their texts. */
function contentOf(texts: Record<string, string>, diagnostics: readonly Diagnostic[] = []): LoadedContent {
  return {
    articles: Object.entries(texts).map(([source, text]) => desired(source, { contentHash: text })),
    rejected: new Set(),
    waiting: new Map(),
    pages: new Set(),
    taxonomy: { categories: undefined, tags: undefined },
    describedFiles: [],
    diagnostics,
    ignores: createIgnores([]),
    assets: [],
    unusableAssets: () => [],
    includes: new Map(),
    readHtml: () => '',
    findAddresses: () => [],
    readExternalLinks: () => [],
    index: () => ({ content: EMPTY_INDEX, articles: [] }),
  }
}

const BEFORE = contentOf({ 'a.md': 'first', 'b.md': 'first' })
const AFTER = contentOf({ 'a.md': 'second', 'b.md': 'first' })
const WITHOUT_B = contentOf({ 'a.md': 'first' })

function resultWith(changes: Partial<SyncResult> = {}): SyncResult {
  return {
    target: 'builtin',
    summary: NOTHING,
    taxonomy: NOTHING,
    operations: [],
    orphans: [],
    diagnostics: [],
    requests: {},
    guard: undefined,
    failure: undefined,
    ...changes,
  }
}

const UPDATE_A: OperationResult = {
  kind: 'article',
  action: 'update',
  source: 'a.md',
  slug: 'a',
  language: null,
  id: '1',
  outcome: 'done',
}

function scanned(
  content: LoadedContent,
  others: readonly string[] = [],
  missing: readonly string[] = [],
): WatchInput {
  return { kind: 'scanned', content, touched: others, unsound: new Set(), missing: new Set(missing) }
}

function touched(source: string, atMs: number): WatchInput {
  return { kind: 'touched', touches: [{ touch: { kind: 'source', source }, atMs }] }
}

function ended(changes: Partial<SyncResult> = {}, isWhole = true): WatchInput {
  return { kind: 'sync-ended', isWhole, result: resultWith(changes), updatesInPlace: undefined }
}

function edited(content: LoadedContent, source: string, sinceMs: number): WatchInput {
  return {
    kind: 'edited',
    content,
    articles: content.articles.filter((article) => article.source === source),
    sources: new Map([[source, sinceMs]]),
    declined: new Map(),
  }
}

type Step = readonly [nowMs: number, input: WatchInput]

const NEW = createWatchState(PROJECT, undefined, 0)
const IDLE: WatchInput = { kind: 'idle' }
const BEGIN: WatchInput = { kind: 'scan-begun', isQuiet: true }

function play(before: WatchState, ...steps: readonly Step[]) {
  let state = before
  const effects: WatchEffect[] = []
  for (const [nowMs, input] of steps) {
    const next = reduce(state, input, nowMs)
    state = next.state
    effects.push(...next.effects)
  }
  return { state, effects: effects.map(describe).filter((effect) => effect !== undefined) }
}

/** Omits the view, which follows from the events. */
function describe(effect: WatchEffect): unknown {
  if (effect.kind === 'show') return undefined
  if (effect.kind === 'report')
    return effect.event.kind === 'standing' ? effect.event.standing.state : effect.event
  if (effect.kind === 'sync') {
    const { sync, scope, asksOffer } = effect
    const { pendingSince: waiting, prune } = sync
    return {
      kind: effect.kind,
      waiting,
      prune,
      edited: scope.kind === 'all' ? 'all' : scope.articles.map(({ source }) => source),
      asksOffer,
    }
  }
  return effect
}

const FIRST_SCAN: readonly Step[] = [
  [0, { kind: 'started' }],
  [0, BEGIN],
  [50, scanned(BEFORE, ['a.md', 'b.md'])],
]

/** A watch after everything was sent and reported. */
const SETTLED = play(
  NEW,
  ...FIRST_SCAN,
  [50, IDLE],
  [90, ended()],
  [90, IDLE],
  [95, { kind: 'flushed', scannedMs: 0, failure: undefined }],
).state

test('from the start until all is settled', () => {
  const first = play(NEW, ...FIRST_SCAN, [50, IDLE])
  expect(first.effects).toEqual([
    { kind: 'started', target: PROJECT.target },
    'starting',
    { kind: 'scan', isQuiet: true, rewatches: false },
    'watching',
    'sending',
    {
      kind: 'sync',
      waiting: new Map([
        ['a.md', 0],
        ['b.md', 0],
      ]),
      prune: false,
      edited: 'all',
      asksOffer: false,
    },
  ])
  const result = resultWith()
  const rest = play(
    first.state,
    [90, ended()],
    [90, IDLE],
    [95, { kind: 'flushed', scannedMs: 0, failure: undefined }],
    [95, IDLE],
  )
  expect(rest.effects).toEqual([
    { kind: 'ready', result, durationMs: 90 },
    'watching',
    { kind: 'flush', scannedMs: 0 },
    { kind: 'settled', lookedAtMs: 0 },
    { kind: 'wait', ms: 30_000 - 95 },
  ])
})

test('an edited article is sent alone, and a second edit of it during that is sent afterwards', () => {
  const first = play(
    SETTLED,
    [1000, touched('a.md', 1000)],
    [1000, IDLE],
    [1002, edited(AFTER, 'a.md', 1000)],
    [1002, IDLE],
  )
  expect(first.effects).toEqual([
    { kind: 'edit', sources: new Map([['a.md', 1000]]) },
    'watching',
    'sending',
    { kind: 'sync', waiting: new Map([['a.md', 1000]]), prune: false, edited: ['a.md'], asksOffer: false },
  ])
  const third = contentOf({ 'a.md': 'third', 'b.md': 'first' })
  const second = play(
    first.state,
    [1010, touched('a.md', 1010)],
    [1010, IDLE],
    [1302, IDLE],
    [1304, edited(third, 'a.md', 1010)],
    [1305, ended({ operations: [UPDATE_A] }, false)],
    [1305, IDLE],
  )
  expect(second.effects).toEqual([
    { kind: 'wait', ms: 292 },
    { kind: 'edit', sources: new Map([['a.md', 1010]]) },
    { kind: 'sent', operations: [UPDATE_A], durationMs: 305 },
    'watching',
    'sending',
    { kind: 'sync', waiting: new Map([['a.md', 1010]]), prune: false, edited: ['a.md'], asksOffer: false },
  ])
})

test.each([
  [
    'after a scan',
    [
      [1306, BEGIN],
      [1307, scanned(WITHOUT_B, ['b.md'], ['content/b.md'])],
    ],
    ended({}, false),
  ],
  ['after a failure', [], ended({ failure: AWAY }, false)],
] as const)('edits during a sync are compared with all others %s', (_, inputs, end) => {
  const { effects } = play(
    SETTLED,
    [1000, touched('a.md', 1000)],
    [1000, IDLE],
    [1002, edited(AFTER, 'a.md', 1000)],
    [1002, IDLE],
    [1010, touched('a.md', 1010)],
    [1302, IDLE],
    [1304, edited(contentOf({ 'a.md': 'third', 'b.md': 'first' }), 'a.md', 1010)],
    ...inputs,
    [1308, end],
    [9000, IDLE],
  )
  expect(effects).toContainEqual(expect.objectContaining({ kind: 'sync', edited: 'all' }))
})

test('files touched during a scan are checked after it, counted from their first touch', () => {
  const { state } = play(
    SETTLED,
    [1000, touched('new.md', 1000)],
    [1100, { kind: 'scan-begun', isQuiet: false }],
    [1110, touched('b.md', 1110)],
    [1120, touched('b.md', 1120)],
    [1150, scanned(AFTER, ['a.md', 'new.md'])],
  )
  expect([state.pendingSince, state.changes]).toEqual([
    new Map([
      ['a.md', 1100],
      ['new.md', 1000],
    ]),
    { sources: new Map([['b.md', 1110]]), unclearSinceMs: undefined, lastTouchMs: 1120, configMs: undefined },
  ])
})

test('a failed scan returns the touches before it, in addition to those during it', () => {
  const { state, effects } = play(
    SETTLED,
    [1000, touched('b.md', 1000)],
    [2000, { kind: 'scan-begun', isQuiet: true }],
    [2010, touched('a.md', 2010)],
    [2020, { kind: 'scan-failed', failure: UNREADABLE }],
  )
  expect(effects).toEqual([{ kind: 'unreadable', failure: UNREADABLE, retryInMs: 1000 }, 'unreadable'])
  expect([state.scan, state.changes]).toEqual([
    undefined,
    {
      sources: new Map([
        ['a.md', 2010],
        ['b.md', 1000],
      ]),
      unclearSinceMs: 2000,
      lastTouchMs: 2010,
      configMs: undefined,
    },
  ])
})

test('a scan cancelled for a save is repeated in the next quiet moment', () => {
  const { state, effects } = play(
    { ...SETTLED, editsSinceScan: 7 },
    [40_000, BEGIN],
    [40_010, touched('a.md', 40_010)],
    [40_011, { kind: 'scan-cancelled' }],
    [40_011, IDLE],
    [40_012, edited(AFTER, 'a.md', 40_010)],
    [40_013, IDLE],
    [40_030, ended({ operations: [UPDATE_A] }, false)],
    [41_010, IDLE],
  )
  expect([state.scan, state.editsSinceScan]).toEqual([undefined, 8])
  expect(effects).toContainEqual({ kind: 'edit', sources: new Map([['a.md', 40_010]]) })
  expect(effects.at(-1)).toEqual({ kind: 'scan', isQuiet: true, rewatches: true })
})

test('only a scan without a cause is cancelled for a save', () => {
  const during = (...steps: readonly Step[]) => mayCancelScan(play(SETTLED, ...steps).state)
  expect([
    during([40_000, BEGIN]),
    during([40_000, { kind: 'scan-begun', isQuiet: false }]),
    during([1000, touched('new.md', 1000)], [2000, BEGIN]),
    during([40_000, BEGIN], [40_001, { kind: 'stop' }]),
    during([40_000, IDLE]),
  ]).toEqual([true, false, false, false, false])
  expect(mayCancelScan(play(NEW, [0, { kind: 'started' }], [0, BEGIN]).state)).toBe(false)
})

test('an unreadable content folder ends the watch at its start, but not later', () => {
  const failed: WatchInput = { kind: 'scan-failed', failure: UNREADABLE }
  expect(play(NEW, [0, { kind: 'started' }], [0, BEGIN], [1, failed]).effects.at(-1)).toEqual({
    kind: 'give-up',
    failure: UNREADABLE,
  })
  expect(play(SETTLED, [40_000, BEGIN], [40_001, failed]).effects).not.toContainEqual({
    kind: 'give-up',
    failure: UNREADABLE,
  })
})

test('a file deleted while its article is sent leaves an orphan, which is reported after the next sync', () => {
  const orphan = { id: '2', title: 'b', slug: 'b', language: null }
  const { effects } = play(
    SETTLED,
    [1000, touched('b.md', 1000)],
    [1000, IDLE],
    [1002, edited(contentOf({ 'a.md': 'first', 'b.md': 'second' }), 'b.md', 1000)],
    [1002, IDLE],
    [1100, touched('b.md', 1100)],
    [2100, BEGIN],
    [2110, scanned(WITHOUT_B, ['b.md'], ['content/b.md'])],
    [2120, ended({ operations: [{ ...UPDATE_A, source: 'b.md', slug: 'b' }] }, false)],
    [2120, IDLE],
    [2150, ended({ orphans: [orphan] })],
    [2150, IDLE],
  )
  expect(effects.slice(-5)).toEqual([
    'sending',
    { kind: 'sync', waiting: new Map([['b.md', 1100]]), prune: false, edited: 'all', asksOffer: false },
    'watching',
    { kind: 'orphaned', source: 'b.md', slug: 'b' },
    { kind: 'flush', scannedMs: 2100 },
  ])
})

test('an interrupted sync reports what it sent, and all waiting changes stay', () => {
  const { effects } = play(
    SETTLED,
    [1000, { kind: 'scan-begun', isQuiet: false }],
    [1000, scanned(AFTER, ['a.md'])],
    [1000, IDLE],
    [1010, ended({ operations: [UPDATE_A], failure: AWAY })],
    [1010, IDLE],
    [2010, IDLE],
  )
  expect(effects).toEqual([
    'watching',
    'sending',
    { kind: 'sync', waiting: new Map([['a.md', 1000]]), prune: false, edited: ['a.md'], asksOffer: false },
    { kind: 'sent', operations: [UPDATE_A], durationMs: 10 },
    { kind: 'offline', failure: AWAY, retryInMs: 1000 },
    'offline',
    { kind: 'wait', ms: 1000 },
    { kind: 'sync', waiting: new Map([['a.md', 1000]]), prune: false, edited: 'all', asksOffer: false },
  ])
})

test('an edit undone during a sync with a failure does not narrow the next sync', () => {
  const { effects } = play(
    SETTLED,
    [1000, { kind: 'scan-begun', isQuiet: false }],
    [1000, scanned(contentOf({ 'a.md': 'first', 'b.md': 'second', 'c.md': 'new' }), ['b.md', 'c.md'])],
    [1000, IDLE],
    [1001, edited(contentOf({ 'a.md': 'second', 'b.md': 'second', 'c.md': 'new' }), 'a.md', 1001)],
    [1002, edited(contentOf({ 'a.md': 'first', 'b.md': 'second', 'c.md': 'new' }), 'a.md', 1002)],
    [1010, ended({ operations: [{ ...UPDATE_A, source: 'b.md', outcome: 'failed', reason: 'Refused.' }] })],
    [1010, IDLE],
    [11_010, IDLE],
  )
  expect(effects.filter((effect) => (effect as { kind?: string }).kind === 'sync')).toMatchObject([
    { edited: 'all' },
    { edited: 'all' },
  ])
})

test('a failure after a stop is not reported, but the remaining work is', () => {
  const { state, effects } = play(
    SETTLED,
    [1000, { kind: 'scan-begun', isQuiet: false }],
    [1000, scanned(AFTER, ['a.md'])],
    [1000, IDLE],
    [1010, { kind: 'stop' }],
    [1010, IDLE],
    [1020, { kind: 'sync-failed', failure: AWAY }],
  )
  expect(effects.slice(-2)).toEqual(['stopping', { kind: 'stop' }])
  expect(resultOf(state)).toEqual({ sent: 0, pending: 1, heldBack: [], failures: [], isComplete: false })
})

test('another configuration during an outage starts again with a scan, before anything is sent', () => {
  const other = { ...PROJECT, settings: { ...SETTINGS, settingsDigest: 'other' } }
  const { state, effects } = play(
    SETTLED,
    [1000, { kind: 'scan-begun', isQuiet: false }],
    [1000, scanned(AFTER, ['a.md'])],
    [1000, IDLE],
    [1010, { kind: 'sync-failed', failure: AWAY }],
    [1020, { kind: 'configured', project: other, content: AFTER }],
    [1020, IDLE],
    [1080, IDLE],
  )
  expect(effects.slice(-3)).toEqual([
    { kind: 'configured', failure: undefined, restartFor: [] },
    { kind: 'wait', ms: 60 },
    { kind: 'scan', isQuiet: false, rewatches: false },
  ])
  expect([state.sent, state.pendingSince, state.syncBackoff.failures, state.articles]).toEqual([
    undefined,
    new Map(),
    0,
    new Set(),
  ])
})

test('a file that only looks like one of the configuration counts while that cannot be read', () => {
  const config: WatchInput = {
    kind: 'touched',
    touches: [{ touch: { kind: 'config', isKnown: false }, atMs: 1000 }],
  }
  expect(play(SETTLED, [1000, config]).state).toEqual(SETTLED)
  const broken = play(SETTLED, [900, { kind: 'config-failed', failure: AWAY }], [1000, config], [1100, IDLE])
  expect(broken.effects).toEqual([
    { kind: 'configured', failure: AWAY, restartFor: [] },
    { kind: 'reload-config' },
  ])
})

const inputs: readonly WatchInput[] = [
  { kind: 'started' },
  touched('a.md', 5),
  touched('c.md', 5),
  { kind: 'touched', touches: [{ touch: { kind: 'folders' }, atMs: 5 }] },
  { kind: 'touched', touches: [{ touch: { kind: 'config', isKnown: true }, atMs: 5 }] },
  IDLE,
  IDLE,
  IDLE,
  { kind: 'configured', project: PROJECT, content: AFTER },
  { kind: 'config-failed', failure: AWAY },
  edited(AFTER, 'a.md', 5),
  BEGIN,
  { kind: 'scan-begun', isQuiet: false },
  scanned(BEFORE, ['a.md', 'b.md']),
  scanned(WITHOUT_B, ['b.md'], ['content/b.md']),
  { kind: 'scan-failed', failure: AWAY },
  { kind: 'scan-cancelled' },
  ended({ operations: [UPDATE_A] }),
  ended({ operations: [{ ...UPDATE_A, outcome: 'failed' }] }, false),
  ended({ failure: AWAY }),
  { kind: 'sync-failed', failure: new KbError('LOCKED', 'Another kb is at work.') },
  { kind: 'flushed', scannedMs: 5, failure: AWAY },
]

const TASKS = new Set(['reload-config', 'edit', 'scan', 'sync', 'flush', 'wait', 'stop'])

test('in any order of inputs, no state is mutated, and only an idle loop gets a task', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...inputs), fc.nat(2000)), { maxLength: 40 }),
      fc.boolean(),
      (sequence, prune) => {
        let nowMs = 5
        let state = createWatchState(PROJECT, prune, nowMs, PAUSES)
        for (const [input, laterMs] of sequence) {
          nowMs += laterMs
          const next = reduce(state, input, nowMs)
          expect(reduce(state, input, nowMs)).toEqual(next)
          const tasks = next.effects.filter(({ kind }) => TASKS.has(kind))
          expect(tasks.length).toBe(input.kind === 'started' || input.kind === 'idle' ? 1 : 0)
          state = next.state
        }
      },
    ),
    readRuns('FUZZ', 500),
  )
})
