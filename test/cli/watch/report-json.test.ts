import { expect, test } from 'vitest'
import { createJsonReport, formatFailedEvent } from '../../../src/cli/watch/report-json.ts'
import { collectingTerminal } from '../../support/collecting-terminal.ts'
import {
  done,
  operation,
  outage,
  PRODUCTION,
  ready,
  sent,
  standing,
  started,
  titleMissing,
} from './watch-events.ts'

test('each event is an object on its own line', () => {
  const terminal = collectingTerminal()
  const report = createJsonReport(terminal)
  report.onEvent(started({ target: PRODUCTION, passedOver: undefined }))
  report.onEvent(ready())
  report.onEvent(sent(operation('a.md')))
  report.onEvent({ kind: 'unchanged', sources: ['a.md'], durationMs: 5.04 })
  report.onEvent({ kind: 'orphaned', source: 'b.md', slug: 'b' })
  report.onEvent({
    kind: 'problems',
    diagnostics: [titleMissing],
    appeared: [titleMissing],
    fixed: [],
    heldBack: ['a.md'],
    everythingHeldBy: [],
  })
  report.onEvent({ kind: 'guarded', reason: 'too many' })
  report.onEvent({ kind: 'offline', failure: outage, retryInMs: 1000.4 })
  report.onEvent({ kind: 'online' })
  report.onEvent({ kind: 'configured', failure: undefined, restartFor: [] })
  report.onEvent({ kind: 'page-failed', error: new TypeError('not a function') })
  report.onEvent(standing({ sent: 1 }))
  report.end({ ...done, failure: outage })
  const objects = terminal
    .output()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { event: string })
  const error = { code: 'TARGET_UNREACHABLE', message: outage.message, hint: outage.hint }
  expect(objects.filter(({ event }) => event !== 'ready')).toEqual([
    { event: 'started', version: 2, target: PRODUCTION, content: 'content', pages: 'http://127.0.0.1:4400/' },
    { event: 'sent', ms: 38.3, operations: [operation('a.md')] },
    { event: 'unchanged', ms: 5, sources: ['a.md'] },
    { event: 'orphaned', source: 'b.md', slug: 'b' },
    {
      event: 'problems',
      diagnostics: [titleMissing],
      appeared: [titleMissing],
      fixed: [],
      heldBack: ['a.md'],
      everythingHeldBy: [],
    },
    { event: 'guarded', reason: 'too many' },
    { event: 'offline', error, retryInMs: 1000 },
    { event: 'online' },
    { event: 'configured', restartFor: [] },
    { event: 'page-failed', error: { code: 'BUG', message: 'not a function' } },
    {
      event: 'standing',
      state: 'watching',
      pending: 0,
      sent: 1,
      conflicts: 0,
      failed: 0,
      errors: 0,
      warnings: 0,
    },
    {
      event: 'stopped',
      target: 'builtin',
      sent: 12,
      pending: 0,
      heldBack: [],
      failures: [],
      isComplete: true,
      error,
    },
  ])
  expect(objects[1]).toMatchObject({
    event: 'ready',
    ms: 1234,
    summary: { created: 12 },
    operations: [],
    requests: {},
  })
})

test('a failure before the start is also a line', () => {
  expect(formatFailedEvent(outage)).toBe(
    `{"event":"failed","error":{"code":"TARGET_UNREACHABLE","message":${JSON.stringify(outage.message)},"hint":${JSON.stringify(outage.hint)}}}\n`,
  )
})
