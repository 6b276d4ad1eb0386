/** Minimum similarity of a renamed file: as in git, the other text must contain this part of the longer one. */
const LEAST_SIMILARITY = 0.6

/** A text to compare, as the groups of three words that it consists of, each with its count. */
export type Shingles = ReadonlyMap<string, number>

/** Scripts without spaces between words, in which each character counts as a word. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/gu

const WORD = /[\p{L}\p{M}\p{N}]+/gu

export function shinglesOf(title: string, html: string): Shingles {
  const text = html.replaceAll(/<!--.*?-->|<[^>]*>|&#?\w+;/gs, ' ')
  const words = `${title} ${text}`.toLowerCase().replaceAll(UNSPACED, ' $& ').match(WORD) ?? []
  const counts = new Map<string, number>()
  for (let at = 0; at + 3 <= words.length; at++) {
    const shingle = words.slice(at, at + 3).join(' ')
    counts.set(shingle, (counts.get(shingle) ?? 0) + 1)
  }
  return counts
}

/** Similarity from 0 (nothing in common) to 1 (equal). Texts of fewer than three words are not similar to any. */
export function similarityOf(one: Shingles, other: Shingles): number {
  const larger = Math.max(sizeOf(one), sizeOf(other))
  let common = 0
  for (const [shingle, count] of one) common += Math.min(count, other.get(shingle) ?? 0)
  return larger === 0 ? 0 : common / larger
}

function sizeOf(shingles: Shingles): number {
  let size = 0
  for (const count of shingles.values()) size += count
  return size
}

interface Text {
  readonly id: string
  readonly language: string | null
  readonly shingles: Shingles
}

/** Pairs similar texts, by the id of `texts`. Omits texts that are similar to several. Ignores the order. Pure. */
export function pairSimilar(texts: readonly Text[], others: readonly Text[]): ReadonlyMap<string, string> {
  const pairs = texts.flatMap((text) =>
    others
      .filter(({ language }) => language === text.language)
      .filter(({ shingles }) => similarityOf(text.shingles, shingles) >= LEAST_SIMILARITY)
      .map((other) => [text.id, other.id] as const),
  )
  const isUnique = ([id, otherId]: readonly [string, string]) =>
    pairs.every(([one, other]) => (one === id) === (other === otherId))
  return new Map(pairs.filter(isUnique))
}
