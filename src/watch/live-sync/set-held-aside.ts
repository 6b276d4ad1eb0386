import { documentKey } from '../../core/model/document-key.ts'
import type { TargetState } from '../../core/model/target-state.ts'
import type { RemoteEntry } from '../../sync/plan/remote-entry.ts'
import type { PlannedRun } from '../../sync/planning/planned-run.ts'

/** Articles whose files cannot be read for now are wanted all the same: they are no orphans. Pure. */
export function setHeldAside(
  planned: PlannedRun,
  held: ReadonlySet<string>,
  { articles }: Pick<TargetState, 'articles'>,
): PlannedRun {
  const { orphans } = planned.matches
  if (held.size === 0 || orphans.length === 0) return planned
  const knownIds = new Set(articles.flatMap(({ id, source }) => (held.has(source) ? [id] : [])))
  const isHeld = ({ id, language, ours }: RemoteEntry) =>
    knownIds.has(id) || [...held].some((source) => documentKey(source, language) === ours?.key)
  const heldIds = new Set(orphans.filter(isHeld).map(({ id }) => id))
  const { plan } = planned
  return { ...planned, plan: { ...plan, orphans: plan.orphans.filter(({ id }) => !heldIds.has(id)) } }
}
