import { diffArrays } from 'diff'

// Time grows with the square of what differs. Beyond this, an author would see a new text anyway.
const MAX_DIFFERENCES = 4000

/** Which of `before` stands unchanged at which place of `after`, in order: index before, by index after. */
export function pairKeys(before: readonly string[], after: readonly string[]): Map<number, number> {
  const pairs = new Map<number, number>()
  let [from, to] = [0, 0]
  const parts = diffArrays([...before], [...after], { maxEditLength: MAX_DIFFERENCES }) ?? []
  for (const { added, removed, count } of parts) {
    if (!added && !removed) for (let step = 0; step < count; step++) pairs.set(to + step, from + step)
    if (!added) from += count
    if (!removed) to += count
  }
  return pairs
}
