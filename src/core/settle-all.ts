/**
 * The values of all promises; where some are rejected, the first reason, but only once none is pending any more: nothing
 * goes on behind a run that has ended.
 */
export async function settleAll<T>(promises: Iterable<Promise<T>>): Promise<T[]> {
  const settled = await Promise.allSettled(promises)
  return settled.map((each) => {
    if (each.status === 'rejected') throw each.reason
    return each.value
  })
}
