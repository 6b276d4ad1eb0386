/**
 * Measures contenders `{ name, prepare?, run }` in turn, A B C A B C, after one round that does not count. What slows
 * the machine for a while so slows all of them, and their ratios hold.
 *
 * @returns one entry per contender with its samples, in the order given
 */
export async function compare(contenders, { runs, warmUps = 1 }) {
  const samples = new Map(contenders.map(({ name }) => [name, []]))
  for (let round = -warmUps; round < runs; round++) {
    for (const { name, prepare, run } of contenders) {
      await prepare?.(round)
      const value = await run(round)
      if (round >= 0) samples.get(name).push(value)
    }
  }
  return contenders.map(({ name }) => ({ name, samples: samples.get(name) }))
}
