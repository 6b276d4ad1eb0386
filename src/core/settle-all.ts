/**
 * Returns the values of all promises. If some are rejected, throws the first reason after all have settled, so that
 * nothing continues after the end of a run.
 */
export async function settleAll<T>(promises: Iterable<Promise<T>>): Promise<T[]> {
  const settled = await Promise.allSettled(promises)
  return settled.map((each) => {
    if (each.status === 'rejected') throw each.reason
    return each.value
  })
}

/**
 * Runs a step for each item, with limited concurrency, and returns the results in order. Waiting items take no memory.
 * After a failed step, no further one starts.
 *
 * @throws the first reason, after all started steps have settled
 */
export async function settleEach<T, Result>(
  items: readonly T[],
  concurrency: number,
  step: (item: T) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = entriesOf(items)
  const runInTurn = async () => {
    // A loop that ends early, as after a failed step, closes the generator, which ends all other loops.
    for (const [index, item] of waiting) results[index] = await step(item)
  }
  await settleAll(Array.from({ length: Math.min(concurrency, items.length) }, runInTurn))
  return results
}

function* entriesOf<T>(items: readonly T[]): Generator<[number, T]> {
  yield* items.entries()
}
