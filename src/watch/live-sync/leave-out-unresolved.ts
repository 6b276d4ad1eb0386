import type { Diagnostic } from '../../core/model/diagnostic.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import type { Operation } from '../../core/model/plan.ts'
import type { PlannedRun } from '../../sync/planning/planned-run.ts'

/**
 * Articles that name a category or tag which the target lacks are held back alone; a run that stands alone sends nothing
 * then. As long as one is held back, no orphan is deleted: it may be that article as it was before its file was moved.
 * Pure.
 *
 * @returns the plan without them, and what is to be told of them
 */
export function leaveOutUnresolved(
  planned: PlannedRun,
  articles: readonly LocalArticle[],
): { readonly planned: PlannedRun; readonly problems: readonly Diagnostic[] } {
  const { plan, wanted } = planned
  const problems = plan.diagnostics.filter(({ severity }) => severity === 'error')
  if (problems.length === 0) return { planned, problems }
  const told = new Set(plan.operations.map(({ source }) => source))
  const skipped = articles
    .filter(({ source }) => !wanted.has(source) && !told.has(source))
    .map(({ source, slug, language }): Operation => {
      const reason = 'the target lacks a category or tag that it names'
      return { kind: 'article', action: 'skip', source, slug, language, reason }
    })
  const diagnostics = plan.diagnostics.filter((each) => !problems.includes(each))
  const operations = [...plan.operations.filter(({ action }) => action !== 'delete-orphan'), ...skipped]
  return { planned: { ...planned, plan: { ...plan, operations, diagnostics } }, problems }
}
