import type { Operation } from '../../core/model/plan.ts'

/** Operations that may run at the same time, after all steps before them. */
export interface WriteStep {
  /**
   * In a circle every old article must go before any new one can come. Where articles are changed in place, one of a
   * circle steps `aside` instead, to a slug that nobody wants and without its original; it comes again in a later step.
   */
  readonly kind: 'wave' | 'circle' | 'aside'
  readonly operations: readonly Operation[]
}

/** One operation has to wait for another one that was not executed yet. */
export interface Need {
  readonly for: Operation
  /** Whether the other article stands in the way; else it is an original that must be there first. */
  readonly isInTheWay: boolean
}

/**
 * Orders writes so that each finds what it needs.
 *
 * @param needsAmong what an operation waits for among those that wait, first what is in the way
 */
export function orderWrites(
  operations: readonly Operation[],
  needsAmong: (waiting: readonly Operation[]) => (operation: Operation) => readonly Need[],
): WriteStep[] {
  const steps: WriteStep[] = []
  const aside = new Set<Operation>()
  let waiting = [...operations]
  while (waiting.length > 0) {
    const allNeedsOf = needsAmong(waiting)
    const needsOf = (operation: Operation) =>
      allNeedsOf(operation).filter((need) => !need.isInTheWay || !aside.has(need.for))
    const step = nextStep(waiting, needsOf)
    steps.push(step)
    if (step.kind === 'aside') for (const operation of step.operations) aside.add(operation)
    const done = new Set(step.kind === 'aside' ? [] : step.operations)
    waiting = waiting.filter((operation) => !done.has(operation))
  }
  return steps
}

function nextStep(
  waiting: readonly Operation[],
  needsOf: (operation: Operation) => readonly Need[],
): WriteStep {
  const ready = waiting.filter((operation) => needsOf(operation).length === 0)
  if (ready.length > 0) return { kind: 'wave', operations: ready }
  const circle = findCircle(waiting, needsOf)
  const inTheWay = circle.find(({ need }) => need.isInTheWay && need.for.action === 'update')
  if (inTheWay !== undefined) return { kind: 'aside', operations: [inTheWay.need.for] }
  // Without its original, a translation is not sent: that is said when its turn comes.
  const early = circle.filter(({ need }) => !need.isInTheWay)
  return early.length > 0
    ? { kind: 'wave', operations: early.map(({ operation }) => operation) }
    : { kind: 'circle', operations: circle.map(({ operation }) => operation) }
}

interface Link {
  readonly operation: Operation
  readonly need: Need
}

/** Follows who waits for whom until somebody comes up again; everybody here waits for somebody. */
function findCircle(
  waiting: readonly Operation[],
  needsOf: (operation: Operation) => readonly Need[],
): readonly Link[] {
  const path: Link[] = []
  let at = waiting[0]
  while (at !== undefined && !path.some(({ operation }) => operation === at)) {
    const [need] = needsOf(at)
    if (need === undefined) break
    path.push({ operation: at, need })
    at = need.for
  }
  return path.slice(path.findIndex(({ operation }) => operation === at))
}
