import { groupBy } from '../../core/group-by.ts'
import { isOneEdit } from '../../core/nearest.ts'

/** Names of at least this length that differ in one letter are probably one name with a typo. */
const LONG_WORD = 8

/**
 * Finds those of `names` (without duplicates) that are nearly equal to an earlier one: other case, hyphen or space,
 * plural, Unicode form, or a typo of one letter. Maps each to the first name that is most similar.
 */
export function findAlikeNames(names: readonly string[]): ReadonlyMap<string, string> {
  const bare = new Map(names.map((name) => [name, bareForm(name)]))
  const order = new Map(names.map((name, index) => [name, index]))
  const alike = new Map<string, string>()
  // Similar names share a form with one letter or an ending removed, so no pair is missed.
  const traces = names.flatMap((name) => tracesOf(bare.get(name) ?? '').map((trace) => ({ name, trace })))
  for (const group of groupBy(traces, ({ trace }) => trace).values()) {
    for (const [index, { name }] of group.entries()) {
      const before = group.slice(0, index).filter((other) => areAlike(bare.get(other.name), bare.get(name)))
      const earlier = (before.find((other) => bare.get(other.name) === bare.get(name)) ?? before[0])?.name
      if (earlier === undefined || earlier === name) continue
      const known = alike.get(name)
      // A difference only in case or hyphens ranks before a plural or a typo.
      const rank = (other: string) =>
        [bare.get(other) === bare.get(name) ? 0 : 1, order.get(other) ?? 0] as const
      if (known === undefined || isLess(rank(earlier), rank(known))) alike.set(name, earlier)
    }
  }
  return alike
}

function isLess([a, b]: readonly [number, number], [c, d]: readonly [number, number]): boolean {
  return a === c ? b < d : a < c
}

function bareForm(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_\-–—]+/gu, '')
}

function tracesOf(word: string): readonly string[] {
  const singulars = singularsOf(word)
  if (word.length < LONG_WORD) return [word, ...singulars]
  const shortened = Array.from(word, (_, index) => word.slice(0, index) + word.slice(index + 1))
  return [...new Set([word, ...singulars, ...shortened])]
}

function singularsOf(word: string): string[] {
  const stems = [
    /[^s]s$/.test(word) ? word.slice(0, -1) : '',
    /(?:s|x|z|ch|sh)es$/.test(word) ? word.slice(0, -2) : '',
    word.endsWith('ies') ? `${word.slice(0, -3)}y` : '',
  ]
  return stems.filter((stem) => stem.length >= 3)
}

function areAlike(a = '', b = ''): boolean {
  if (a === b || singularsOf(a).includes(b) || singularsOf(b).includes(a)) return true
  return a.length >= LONG_WORD && b.length >= LONG_WORD && isOneTypo(a, b)
}

/** One extra, missing or wrong letter, or two swapped ones. Digits and first letters are rarely mistyped. */
function isOneTypo(a: string, b: string): boolean {
  if (a[0] !== b[0] || withoutLetters(a) !== withoutLetters(b)) return false
  return isOneEdit(a, b)
}

function withoutLetters(word: string): string {
  return word.replace(/\p{L}/gu, '')
}
