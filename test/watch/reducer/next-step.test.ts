import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addTouches, NO_CHANGES } from '../../../src/watch/reducer/pending-changes.ts'
import { nextStep, type Situation } from '../../../src/watch/reducer/reduce.ts'
import { readRuns } from '../../support/runs.ts'

const NOW_MS = 1_000_000
const articles: ReadonlySet<string> = new Set(['a.md', 'b.md'])
const at = fc.integer({ min: NOW_MS - 40_000, max: NOW_MS })
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const touch = fc.oneof(
  fc
    .constantFrom('a.md', 'b.md', '_tags.yml', 'c.png')
    .map((source) => ({ kind: 'source', source }) as const),
  fc.constant({ kind: 'folders' } as const),
  fc.constant({ kind: 'config', isKnown: true } as const),
)

const situation: fc.Arbitrary<Situation> = fc
  .record({
    touches: fc.array(fc.tuple(touch, at), { maxLength: 5 }),
    editsSinceScan: fc.nat(30),
    recheckSinceMs: maybe(at),
    scanBlockedMs: fc.constantFrom(0, 5, 900),
    syncInMs: maybe(fc.constantFrom(0, 7, 700)),
    sync: maybe(fc.record({ startedMs: at })),
    scannedMs: at,
    quietMs: fc.constantFrom(300, 1000),
  })
  .map(({ touches, ...rest }) => {
    const seen = touches.toSorted(([, a], [, b]) => a - b)
    const changes = addTouches(
      NO_CHANGES,
      seen.map(([what, atMs]) => ({ touch: what, atMs })),
      articles,
    )
    return { ...rest, changes, articles }
  })

test('each step has something to do, and a rest takes time', () => {
  fc.assert(
    fc.property(situation, (now) => {
      const { changes, sync, syncInMs, scanBlockedMs, recheckSinceMs, scannedMs } = now
      const step = nextStep(now, NOW_MS)
      switch (step.kind) {
        case 'reload-config':
          expect([changes.configMs !== undefined, sync]).toEqual([true, undefined])
          break
        case 'edit':
          expect(step.sources.length).toBeGreaterThan(0)
          expect(step.sources.filter((source) => !changes.sources.has(source))).toEqual([])
          break
        case 'sync':
          expect([syncInMs, sync]).toEqual([0, undefined])
          break
        case 'scan': {
          const isTouched = changes.lastTouchMs !== undefined || changes.sources.size > 0
          expect(isTouched || recheckSinceMs !== undefined || NOW_MS - scannedMs >= 30_000).toBe(true)
          expect(scanBlockedMs).toBe(0)
          break
        }
        case 'wait':
          expect(step.ms ?? 1).toBeGreaterThan(0)
          break
      }
    }),
    readRuns('FUZZ', 2000),
  )
})

const CALM: Situation = {
  changes: NO_CHANGES,
  articles,
  editsSinceScan: 0,
  recheckSinceMs: undefined,
  scanBlockedMs: 0,
  syncInMs: undefined,
  sync: undefined,
  scannedMs: NOW_MS,
  quietMs: 1000,
}

test('all files are scanned every half minute, even without an event', () => {
  expect(nextStep(CALM, NOW_MS)).toEqual({ kind: 'wait', ms: 30_000 })
  expect(nextStep(CALM, NOW_MS + 30_000)).toEqual({ kind: 'scan', isQuiet: true })
})

test('no file is read before a changed configuration, which may exclude it', () => {
  const touches = [{ touch: { kind: 'source', source: 'SUMMARY.md', isConfig: true }, atMs: NOW_MS }] as const
  const touched = { ...CALM, changes: addTouches(NO_CHANGES, touches, articles) }
  expect(nextStep(touched, NOW_MS + 60)).toEqual({ kind: 'wait', ms: 40 })
  expect(nextStep(touched, NOW_MS + 100)).toEqual({ kind: 'reload-config' })
})

test('files are scanned during a long run', () => {
  const touches = [{ touch: { kind: 'source', source: 'a.md' }, atMs: NOW_MS }] as const
  const changes = addTouches(NO_CHANGES, touches, articles)
  const busy = { ...CALM, changes, syncInMs: 0, sync: { startedMs: NOW_MS } }
  expect(nextStep(busy, NOW_MS)).toEqual({ kind: 'wait', ms: 300 })
  expect(nextStep(busy, NOW_MS + 300)).toEqual({ kind: 'edit', sources: ['a.md'] })
})
