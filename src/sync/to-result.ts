import type { LoadedContent } from '../content/pipeline/load-content.ts'
import { type OperationResult, type Orphan, effectOf } from '../core/model/plan.ts'
import { summarise } from './plan/summarise.ts'
import type { ExecutedRun } from './execute-run.ts'
import type { Run } from './plan-content.ts'
import type { SyncContentOptions, SyncResult } from './sync-options.ts'
import type { ArticleRecord } from '../core/model/target-state.ts'

/** What a run has to tell. */
export function toResult(
  content: Pick<LoadedContent, 'diagnostics'>,
  { session, state, planned: { plan, recovery }, created }: Run,
  { results, guard, ledger }: Omit<ExecutedRun, 'isRejected'>,
  { target }: Pick<SyncContentOptions, 'target'>,
): SyncResult {
  const named = nameOrphans(results, state.articles, plan.orphans)
  const articles = named.filter(({ kind }) => kind === 'article')
  const taxonomy = results.filter(({ kind }) => kind !== 'article')
  // What a plan would delete is no more left over than what a sync has deleted.
  const toDelete = articles.filter((each) => effectOf(each) === 'delete' && each.outcome === 'planned')
  const goneIds = new Set([...ledger.deletedIds, ...toDelete.flatMap(({ id }) => id ?? [])])
  const orphans = plan.orphans.filter(({ id }) => !goneIds.has(id))
  // What was to be deleted and was not is counted as skipped.
  const heldDeletes = articles.filter(
    ({ action, outcome }) => action === 'delete-orphan' && outcome === 'skipped',
  ).length
  return {
    target: target.name,
    summary: summarise(articles, plan.unchanged.articles, orphans.length - heldDeletes),
    taxonomy: summarise(
      taxonomy,
      // What was created just before the plan was made looks unchanged to it.
      plan.unchanged.taxonomy - created.categories.length - created.tags.length,
      0,
    ),
    operations: [...taxonomy, ...articles],
    orphans,
    diagnostics: [...content.diagnostics, ...plan.diagnostics],
    requests: session.client.countRequests(),
    guard,
    recovery,
    failure: ledger.failure,
  }
}

/** Gives operations on articles that no file wants a name that their authors know: the path they had, else the title. */
function nameOrphans(
  results: readonly OperationResult[],
  records: readonly ArticleRecord[],
  orphans: readonly Orphan[],
): OperationResult[] {
  if (results.every(isOfFile)) return [...results]
  const titles = new Map(orphans.map(({ id, title }) => [id, title]))
  const sources = new Map(records.map(({ id, source }) => [id, source]))
  return results.map((result) => {
    if (isOfFile(result)) return result
    const { id = '' } = result
    const name = sources.get(id) ?? titles.get(id)
    return name === undefined || name === '' ? result : { ...result, name }
  })
}

function isOfFile({ kind, source }: OperationResult): boolean {
  return kind !== 'article' || source !== undefined
}
