import type { KbWatchEvent, WatchSummary } from '../../kb/watch-events.ts'

/** Tells somebody, or some program, what a watch does. */
export interface WatchReport {
  readonly tell: (event: KbWatchEvent) => void
  readonly end: (summary: WatchSummary) => void
}
