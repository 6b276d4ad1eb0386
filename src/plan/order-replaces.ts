import type { Operation } from '../model/plan.ts'

/** Operations that may run at the same time, after all steps before them. */
export interface ReplaceStep {
  /** In a circle every old article must go before any new one can come. */
  readonly kind: 'wave' | 'circle'
  readonly operations: readonly Operation[]
}

/**
 * Orders writes by the slugs they need. `heldBy` tells which article (by id) holds the slug that an operation wants; the
 * operation waits while that article is to be replaced by another one.
 */
export function orderReplaces(
  operations: readonly Operation[],
  heldBy: (operation: Operation) => string | undefined,
): ReplaceStep[] {
  const steps: ReplaceStep[] = []
  let waiting = [...operations]
  while (waiting.length > 0) {
    const byId = new Map(waiting.filter(({ id }) => id !== '').map((operation) => [operation.id, operation]))
    const waitsFor = (operation: Operation): Operation | undefined => {
      const holder = byId.get(heldBy(operation) ?? '')
      return holder === operation ? undefined : holder
    }
    const ready = waiting.filter((operation) => waitsFor(operation) === undefined)
    const step: ReplaceStep =
      ready.length > 0
        ? { kind: 'wave', operations: ready }
        : { kind: 'circle', operations: findCircle(waiting, waitsFor) }
    steps.push(step)
    const done = new Set(step.operations)
    waiting = waiting.filter((operation) => !done.has(operation))
  }
  return steps
}

/** Follows who waits for whom until somebody comes up again; everybody here waits for somebody. */
function findCircle(
  waiting: readonly Operation[],
  waitsFor: (operation: Operation) => Operation | undefined,
): Operation[] {
  const path: Operation[] = []
  let at = waiting[0]
  while (at !== undefined && !path.includes(at)) {
    path.push(at)
    at = waitsFor(at)
  }
  return at === undefined ? path : path.slice(path.indexOf(at))
}
