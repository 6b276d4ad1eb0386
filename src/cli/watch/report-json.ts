import { SYNC_JSON_VERSION } from '../results/format-sync-json.ts'
import { toFailureReport } from '../failures/report-failure.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { escapeControlInJson } from '../../core/escape-control.ts'
import type { KbWatchEvent, WatchSummary } from '../../kb/watch-events.ts'

/** Prints each event as a JSON object on its own line; `event` is its kind. */
export function createJsonReport(terminal: Pick<Terminal, 'out'>): WatchReport {
  const print = (event: string, members: object) =>
    terminal.out(`${escapeControlInJson(JSON.stringify({ event, ...members }))}\n`)
  return {
    onEvent: (event) => print(event.kind, membersOf(event)),
    end: ({ failure, ...summary }) =>
      print('stopped', { ...summary, ...(failure && { error: toFailureReport(failure) }) }),
  }
}

/** Formats the failure of the whole command as a line like all others. */
export function formatFailedEvent(error: unknown): string {
  return `${escapeControlInJson(JSON.stringify({ event: 'failed', error: toFailureReport(error) }))}\n`
}

function membersOf(event: KbWatchEvent): object {
  switch (event.kind) {
    case 'ready': {
      const { summary, taxonomy, files, operations, requests, guard, failure } = event.result
      const ended = {
        ...(guard !== undefined && { guard }),
        ...(failure && { error: toFailureReport(failure) }),
      }
      const uploads = files && { files }
      return { ms: round(event.durationMs), summary, taxonomy, ...uploads, operations, requests, ...ended }
    }
    case 'sent':
      return { ms: round(event.durationMs), operations: event.operations }
    case 'unchanged':
      return { ms: round(event.durationMs), sources: event.sources }
    case 'offline':
    case 'unreadable':
      return { error: toFailureReport(event.failure), retryInMs: Math.round(event.retryInMs) }
    case 'configured':
      return {
        restartFor: event.restartFor,
        ...(event.failure !== undefined && { error: toFailureReport(event.failure) }),
      }
    case 'page-failed':
      return { error: toFailureReport(event.error) }
    case 'standing':
      return event.standing
    case 'online':
    case 'readable':
      return {}
    case 'started': {
      const { kind: _kind, ...members } = event
      return { version: SYNC_JSON_VERSION, ...members }
    }
    case 'orphaned':
    case 'problems':
    case 'held':
    case 'moved':
    case 'gone':
    case 'offers':
    case 'settled':
    case 'guarded': {
      const { kind: _kind, ...members } = event
      return members
    }
  }
}

/** More digits than tenths of a millisecond would be noise. */
function round(ms: number): number {
  return Math.round(ms * 10) / 10
}

/** Reports the events of a watch to a person or a program. */
export interface WatchReport {
  readonly onEvent: (event: KbWatchEvent) => void
  readonly end: (summary: WatchSummary) => void
}
