import type { LoadedContent } from '../content/pipeline/load-content.ts'
import type { OperationResult } from '../core/model/plan.ts'
import type { SyncResult } from '../sync/sync-options.ts'
import type { UnsentFile } from './watch-view.ts'

/** What was told of the runs so far: what did not work is told once, not in each of them. */
export interface OperationReporter {
  /**
   * The operations that are news. Those that could not be done are, where they are other than before, or where their
   * file was just saved.
   */
  readonly unreported: (
    result: SyncResult,
    saved: ReadonlyMap<string, number>,
    isWhole: boolean,
  ) => readonly OperationResult[]
  /** Articles that could not be sent. */
  readonly failures: (content: LoadedContent | undefined) => readonly UnsentFile[]
  readonly count: () => { readonly conflicts: number; readonly failed: number }
  /** Whether it may go better without a change of the files. */
  readonly isRetried: () => boolean
}

export function createOperationReporter(): OperationReporter {
  let open = new Map<string, OperationResult>()
  return {
    unreported: (result, saved, isWhole) => {
      const before = open
      open = new Map(isWhole ? [] : before)
      for (const operation of result.operations) {
        if (isOpen(operation)) open.set(keyOf(operation), operation)
        else open.delete(keyOf(operation))
      }
      return result.operations.filter(
        (operation) =>
          !isOpen(operation) ||
          saved.has(operation.source) ||
          !isSame(before.get(keyOf(operation)), operation),
      )
    },
    failures: (content) => {
      if (open.size === 0) return []
      const titles = new Map(content?.articles.map(({ source, title }) => [source, title]))
      return [...open.values()].flatMap(({ kind, source, slug, outcome, action, reason = outcome }) =>
        kind === 'article' && action !== 'skip'
          ? [{ source: source === '' ? slug : source, title: titles.get(source), reason }]
          : [],
      )
    },
    count: () => {
      const all = [...open.values()]
      return {
        conflicts: all.filter(({ action }) => action === 'conflict').length,
        failed: all.filter(({ outcome }) => outcome === 'failed').length,
      }
    },
    isRetried: () => [...open.values()].some(({ outcome }) => outcome === 'failed' || outcome === 'planned'),
  }
}

function isOpen({ outcome }: OperationResult): boolean {
  return outcome !== 'done'
}

function keyOf({ kind, source, id, slug, language }: OperationResult): string {
  return [kind, source, source === '' ? id : '', source === '' ? slug : '', language ?? ''].join('\0')
}

function isSame(before: OperationResult | undefined, now: OperationResult): boolean {
  return before?.action === now.action && before.outcome === now.outcome && before.reason === now.reason
}
