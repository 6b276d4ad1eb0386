// What a sync leaves out for now: its article keeps its place on the target, and nothing is deleted for it.
import { documentKey, type LocalArticle } from '../../core/model/document.ts'
import type { Diagnostic } from '../../core/model/diagnostic.ts'
import type { Operation } from '../../core/model/plan.ts'
import type { TargetState } from '../../core/model/target-state.ts'
import type { RemoteEntry } from '../../sync/plan/remote-entry.ts'
import type { PlannedRun } from '../../sync/planning/planned-run.ts'

/**
 * The articles as a run may ask for them: those that are held back keep their place on the target, but what they name
 * need not be there. Pure.
 */
export function withoutReferences(
  articles: readonly LocalArticle[],
  held: ReadonlySet<string>,
): readonly LocalArticle[] {
  if (held.size === 0) return articles
  return articles.map((article) =>
    held.has(article.source) ? { ...article, categories: [], tags: [] } : article,
  )
}

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
      const reason = 'the target lacks one of its categories or tags'
      return { kind: 'article', action: 'skip', source, slug, language, reason }
    })
  const diagnostics = plan.diagnostics.filter((each) => !problems.includes(each))
  const operations = [...plan.operations.filter(({ action }) => action !== 'delete-orphan'), ...skipped]
  return { planned: { ...planned, plan: { ...plan, operations, diagnostics } }, problems }
}

/** Articles whose files cannot be read for now are wanted all the same: they are no orphans. Pure. */
export function withoutHeldOrphans(
  planned: PlannedRun,
  held: ReadonlySet<string>,
  { articles }: Pick<TargetState, 'articles'>,
): PlannedRun {
  const { orphans } = planned.matches
  if (held.size === 0 || orphans.length === 0) return planned
  const knownIds = new Set(
    articles.flatMap(({ id, source }) => (source !== undefined && held.has(source) ? [id] : [])),
  )
  const isHeld = ({ id, language, ours }: RemoteEntry) =>
    knownIds.has(id) || [...held].some((source) => documentKey(source, language) === ours?.key)
  const heldIds = new Set(orphans.filter(isHeld).map(({ id }) => id))
  const { plan } = planned
  return { ...planned, plan: { ...plan, orphans: plan.orphans.filter(({ id }) => !heldIds.has(id)) } }
}
