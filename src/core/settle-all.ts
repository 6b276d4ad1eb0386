/**
 * The values of all promises. If some are rejected, throws the first reason once none is pending, so that nothing
 * continues after a run has ended.
 */
export async function settleAll<T>(promises: Iterable<Promise<T>>): Promise<T[]> {
  const settled = await Promise.allSettled(promises)
  return settled.map((each) => {
    if (each.status === 'rejected') throw each.reason
    return each.value
  })
}
