import type { Runs } from './runs.ts'

/** Numbers from 0 up to, not including, 1: the same ones for the same seed (mulberry32). */
export function drawLots(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Some of `all`, drawn by lot, in their order: at least one of every kind, and `numRuns` where there are as many.
 *
 * @param kindsOf what each of them is an example of
 */
export function drawSample<Item>(
  all: readonly Item[],
  { numRuns, seed }: Runs,
  kindsOf: (item: Item) => readonly string[],
): Item[] {
  const lots = drawLots(seed)
  const order = all.map((_, index) => ({ index, lot: lots() })).toSorted((one, two) => one.lot - two.lot)
  const covered = new Set<string>()
  const drawn = new Set<number>()
  for (const { index } of order) {
    const kinds = kindsOf(all[index] as Item)
    if (kinds.every((kind) => covered.has(kind))) continue
    for (const kind of kinds) covered.add(kind)
    drawn.add(index)
  }
  for (const { index } of order) if (drawn.size < numRuns) drawn.add(index)
  return all.filter((_, index) => drawn.has(index))
}
