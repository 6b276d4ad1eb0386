import type { PulledFile, PullSummary } from './pull-options.ts'

/** @param documents number of files that the run selected */
export function summarisePull(files: readonly PulledFile[], documents: number): PullSummary {
  const count = (test: (file: PulledFile) => boolean) => files.filter(test).length
  const named = new Set(
    files.flatMap(({ action, file }) => (file === undefined || action === 'create' ? [] : [file])),
  )
  const isWritten = ({ outcome }: PulledFile) => outcome === 'done' || outcome === 'planned'
  const is = (action: PulledFile['action']) => (file: PulledFile) => file.action === action && isWritten(file)
  return {
    updated: count(is('update')),
    created: count(is('create')),
    unchanged: Math.max(0, documents - named.size),
    conflicts: count(({ action }) => action === 'conflict'),
    skipped: count(({ action, outcome }) => action !== 'conflict' && outcome === 'skipped'),
    failed: count(({ outcome }) => outcome === 'failed'),
  }
}
