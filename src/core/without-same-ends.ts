/**
 * Removes the identical items at the start and at the end of both lists: after one change among tens of thousands,
 * nearly all. Pure.
 */
export function withoutSameEnds<Item>(before: readonly Item[], now: readonly Item[]) {
  const shorter = Math.min(before.length, now.length)
  let start = 0
  while (start < shorter && before[start] === now[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === now.at(-1 - end)) end++
  return { before: before.slice(start, before.length - end), now: now.slice(start, now.length - end) }
}
