import { formatNumber } from '../../core/format-number.ts'

/** Formats `1,200 created`, `1 conflict`: the non-zero counts, in the order of `words`, which are plurals. */
export function countWords<Name extends string>(
  counts: Readonly<Record<Name, number>>,
  words: Readonly<Record<Name, string>>,
): string[] {
  const names = Object.keys(words) as Name[]
  return names
    .filter((name) => counts[name] > 0)
    .map((name) => `${formatNumber(counts[name])} ${inNumber(words[name], counts[name])}`)
}

function inNumber(word: string, count: number): string {
  return count === 1 && word === 'conflicts' ? 'conflict' : word
}
