import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { OperationResult } from '../../core/model/plan.ts'
import type { SyncResult } from '../../sync/sync-options.ts'
import type { UnsentFile } from './watch-event.ts'

/** Operations that were not done, by their subject. */
type UnsentOperations = ReadonlyMap<string, OperationResult>

/** @param isWhole true if everything was compared */
export function unsentAfter(
  before: UnsentOperations,
  { operations }: SyncResult,
  isWhole: boolean,
): UnsentOperations {
  const unsent = new Map(isWhole ? [] : before)
  for (const operation of operations) {
    if (operation.outcome !== 'done') unsent.set(keyOf(operation), operation)
    else unsent.delete(keyOf(operation))
  }
  return unsent
}

/** Returns the operations to report. A failure is reported again only if it has changed or its file was just saved. */
export function unreportedOperations(
  before: UnsentOperations,
  { operations }: SyncResult,
  saved: ReadonlySet<string>,
): readonly OperationResult[] {
  return operations.filter(
    (operation) =>
      operation.outcome === 'done' ||
      saved.has(operation.source ?? '') ||
      !isSame(before.get(keyOf(operation)), operation),
  )
}

/** Lists the articles that could not be sent. */
export function unsentFiles(
  unsent: UnsentOperations,
  content: LoadedContent | undefined,
): readonly UnsentFile[] {
  if (unsent.size === 0) return []
  const titles = new Map(content?.articles.map(({ source, title }) => [source, title]))
  return [...unsent.values()].flatMap(({ kind, source, slug, outcome, action, reason = outcome }) =>
    kind === 'article' && action !== 'skip'
      ? [{ source: source ?? slug, title: titles.get(source ?? ''), reason }]
      : [],
  )
}

export function countUnsent(unsent: UnsentOperations) {
  const all = [...unsent.values()]
  return {
    conflicts: all.filter(({ action }) => action === 'conflict').length,
    failed: all.filter(({ outcome }) => outcome === 'failed').length,
  }
}

/** True if a retry may help without a change of the files. */
export function isRetried(unsent: UnsentOperations): boolean {
  return [...unsent.values()].some(({ outcome }) => outcome === 'failed' || outcome === 'planned')
}

function keyOf({ kind, source, id, slug, language }: OperationResult): string {
  return JSON.stringify(source === undefined ? [kind, id, slug, language] : [kind, source, language])
}

function isSame(before: OperationResult | undefined, now: OperationResult): boolean {
  return before?.action === now.action && before.outcome === now.outcome && before.reason === now.reason
}
