import { type Effect, effectOf, type OperationResult, type Summary } from '../../core/model/plan.ts'

/** Counts results by their effect; for a plan, by their planned effect. */
export function summarise(results: readonly OperationResult[], unchanged: number, orphans: number): Summary {
  const count = (test: (result: OperationResult) => boolean) => results.filter(test).length
  const isOpen = ({ outcome }: OperationResult) => outcome === 'done' || outcome === 'planned'
  const counted = (effect: Effect) => count((result) => effectOf(result) === effect && isOpen(result))
  return {
    created: counted('create'),
    updated: counted('update'),
    replaced: counted('replace'),
    deleted: counted('delete'),
    unchanged,
    conflicts: count(({ action }) => action === 'conflict'),
    failed: count(({ outcome }) => outcome === 'failed'),
    skipped: count(({ action, outcome }) => action !== 'conflict' && outcome === 'skipped'),
    orphans,
  }
}
