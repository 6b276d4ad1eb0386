import { pairKeys } from './block-key.ts'
import { tokenKey, tokensOf } from './source-tokens.ts'

/** Time grows with the square of what differs: a block of more words than anyone writes is taken as it comes. */
const MOST_TOKENS = 6000

/** A part of the text before, and what it became. */
interface Hunk {
  readonly from: number
  readonly to: number
  readonly now: { readonly from: number; readonly to: number }
}

/**
 * Makes the edit that leads from `before` to `after` in `source`, which its author wrote for what `before` says: what is
 * the same in both stays as it is in `source`. Where the edit cannot be placed, the words are those of `after`.
 *
 * @param keyOf equal for tokens that say the same
 */
export function spliceText(
  source: string,
  before: string,
  after: string,
  keyOf: (token: string) => string = tokenKey,
): string {
  const [own, old, now] = [tokensOf(source), tokensOf(before), tokensOf(after)]
  if (own.length + old.length + now.length > MOST_TOKENS) return after
  const keys = old.map(keyOf)
  const inSource = pairKeys(own.map(keyOf), keys)
  const inAfter = invert(pairKeys(keys, now.map(keyOf)))
  const isNewLine = (index: number): boolean => now[index]?.startsWith('\n') === true
  const places = {
    inSource,
    inAfter,
    count: old.length,
    sourceCount: own.length,
    afterCount: now.length,
    isNewLine,
  }
  const spliced: string[] = []
  let at = 0
  for (const { from, to, now: range } of edits(places)) {
    spliced.push(...own.slice(at, from), ...now.slice(range.from, range.to))
    at = to
  }
  return [...spliced, ...own.slice(at)].join('')
}

interface Places {
  /** Indices of tokens by those of the text before. */
  readonly inSource: ReadonlyMap<number, number>
  readonly inAfter: ReadonlyMap<number, number>
  readonly count: number
  readonly sourceCount: number
  readonly afterCount: number
  /** Whether a token of the text after begins a line. */
  readonly isNewLine: (index: number) => boolean
}

function invert(pairs: ReadonlyMap<number, number>): Map<number, number> {
  return new Map([...pairs].map(([to, from]) => [from, to]))
}

/** The edits in order, in tokens of the source. */
function edits(places: Places): Hunk[] {
  const placed: Hunk[] = []
  let [upTo, sourceUpTo] = [-1, 0]
  for (const hunk of hunksOf(places)) {
    // The one before took it along.
    if (hunk.from <= upTo) continue
    const simple = placeOf(hunk, places)
    const isSimple = simple !== undefined && simple.from >= sourceUpTo
    const { edit, end } = isSimple ? { edit: simple, end: hunk.to } : widen(hunk, places)
    const isCovered = (each: Hunk): boolean => !isSimple && each.from >= edit.from
    placed.splice(placed.findLastIndex((each) => !isCovered(each)) + 1, placed.length, edit)
    upTo = end
    sourceUpTo = edit.to
  }
  return placed
}

function hunksOf({ inAfter, count, afterCount }: Places): Hunk[] {
  const hunks: Hunk[] = []
  let [from, now] = [0, 0]
  for (let index = 0; index <= count; index++) {
    const pair = index === count ? afterCount : inAfter.get(index)
    if (pair === undefined) continue
    if (index > from || pair > now) hunks.push({ from, to: index, now: { from: now, to: pair } })
    from = index + 1
    now = pair + 1
  }
  return hunks
}

function placeOf(
  { from, to, now }: Hunk,
  { inSource, count, sourceCount, isNewLine }: Places,
): Hunk | undefined {
  if (from === to) {
    const [left, right] = [inSource.get(from - 1), inSource.get(from)]
    const behind = left === undefined ? undefined : left + 1
    // Lines that come stand below all of the line before them.
    const at = (from === 0 || isNewLine(now.from) ? right : undefined) ?? behind ?? right
    const place = at ?? (count === 0 ? sourceCount : undefined)
    return place === undefined ? undefined : { from: place, to: place, now }
  }
  for (let index = from; index < to; index++) if (!inSource.has(index)) return undefined
  const [first, last] = [inSource.get(from), inSource.get(to - 1)]
  return first === undefined || last === undefined ? undefined : { from: first, to: last + 1, now }
}

/** Everything between two tokens that all three have, and the second of them in the text before. */
function widen({ from, to }: Hunk, { inSource, inAfter, count, sourceCount, afterCount }: Places) {
  const isCommon = (index: number): boolean => inSource.has(index) && inAfter.has(index)
  let [first, end] = [from - 1, to]
  while (first >= 0 && !isCommon(first)) first--
  while (end < count && !isCommon(end)) end++
  const edit: Hunk = {
    from: (inSource.get(first) ?? -1) + 1,
    to: inSource.get(end) ?? sourceCount,
    now: { from: (inAfter.get(first) ?? -1) + 1, to: inAfter.get(end) ?? afterCount },
  }
  return { edit, end }
}
