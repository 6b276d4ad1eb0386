import type { Operation } from '../model/plan.ts'

/** Replaces in the order in which each finds its slug free, and those that wait for each other in a circle. */
export interface ReplaceOrder {
  /** Run one wave after the other; within a wave the order is free. */
  readonly waves: readonly (readonly Operation[])[]
  /** Slug swaps: all old ones must go before any new one can come. */
  readonly cycles: readonly Operation[]
}

/**
 * Orders writes by the slugs they need. `heldBy` tells which article (by id) holds a slug now; an operation waits while
 * another operation's article holds its slug.
 */
export function orderReplaces(
  operations: readonly Operation[],
  heldBy: (operation: Operation) => string | undefined,
): ReplaceOrder {
  let waiting = [...operations]
  const waves: Operation[][] = []
  while (waiting.length > 0) {
    const pendingIds = new Set(waiting.map(({ id }) => id).filter((id) => id !== ''))
    const isFree = (operation: Operation): boolean => {
      const holder = heldBy(operation)
      return holder === undefined || holder === operation.id || !pendingIds.has(holder)
    }
    const ready = waiting.filter(isFree)
    if (ready.length === 0) return { waves, cycles: waiting }
    waves.push(ready)
    const done = new Set(ready)
    waiting = waiting.filter((operation) => !done.has(operation))
  }
  return { waves, cycles: [] }
}
