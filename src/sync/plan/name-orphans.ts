import type { OperationResult, Orphan } from '../../core/model/plan.ts'
import type { ArticleRecord } from '../../core/model/target-state.ts'

/** Gives operations on articles that no file wants a name that their authors know: the path they had, else the title. */
export function nameOrphans(
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
    const name = [sources, titles].map((names) => names.get(id) ?? '').find((each) => each !== '')
    return name === undefined ? result : { ...result, name }
  })
}

function isOfFile({ kind, source }: OperationResult): boolean {
  return kind !== 'article' || source !== undefined
}
