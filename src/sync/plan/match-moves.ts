// A renamed file has another document key, and often another slug. Its text tells which article it had.
import { groupBy } from '../../core/group-by.ts'
import { documentKey, type LocalArticle } from '../../core/model/document.ts'
import { slugKey } from '../../core/model/slug-key.ts'
import type { Matches } from './match-articles.ts'
import { isRecognised, type Ownership, type RemoteEntry } from './remote-entry.ts'

interface MoveContext {
  /** Ids in the state that are gone from the target. */
  readonly goneIds: ReadonlySet<string>
  /** Keys of documents that were sent and whose article may still appear. */
  readonly awaitedKeys: ReadonlySet<string>
  /** Sources of files that exist but have no document because of an error. Their articles are not free. */
  readonly held: ReadonlySet<string>
}

/** Documents without an article, and the orphaned articles that may belong to them. */
export type MoveCandidates = ReturnType<typeof findMoveCandidates>

/** Finds documents that may have an article under another key; not a foreign one, or one that we never sent. Pure. */
export function findMoveCandidates(
  articles: readonly LocalArticle[],
  entries: readonly RemoteEntry[],
  { entryOf, orphans, duplicates }: Matches,
  { goneIds, awaitedKeys, held }: MoveContext,
) {
  if (orphans.length === 0) return { articles: [], entries: [] }
  const unmatched = articles.filter(({ source, key }) => !entryOf.has(source) && !awaitedKeys.has(key))
  if (unmatched.length === 0) return { articles: [], entries: [] }
  const keys = new Set(articles.map(({ key }) => key))
  const isFree = ({ id, ours, language }: RemoteEntry) =>
    ours !== undefined &&
    !goneIds.has(id) &&
    // A copy of the article of a file that still exists.
    !keys.has(ours.key) &&
    !isRecognised(ours) &&
    ![...held].some((source) => documentKey(source, language) === ours.key)
  // If something else has the slug, that is a conflict, or it is adopted.
  const taken = new Set(
    [...entries.filter(({ ours }) => ours === undefined), ...duplicates]
      .filter(({ id }) => !goneIds.has(id))
      .map(slugKey),
  )
  return {
    articles: unmatched.filter((article) => !taken.has(slugKey(article))),
    entries: orphans.filter(isFree),
  }
}

interface KnownText {
  readonly title: string
  readonly language: string | null
  readonly ours: Pick<Ownership, 'sourceHash' | 'projectionHash'> | undefined
}

/**
 * Pairs of the same file, or of the same title and text. A pair must be unique on both sides. Pure.
 *
 * @returns entries by source
 */
export function pairEqual<Known extends KnownText>(
  articles: readonly LocalArticle[],
  entries: readonly Known[],
): ReadonlyMap<string, Known> {
  const pairs = new Map<string, Known>()
  const paired = new Set<Known>()
  const pair = (keyOfArticle: (article: LocalArticle) => string, keyOfEntry: (entry: Known) => string) => {
    const bySame = groupBy(
      entries.filter((entry) => !paired.has(entry)),
      keyOfEntry,
    )
    const open = articles.filter(({ source }) => !pairs.has(source))
    for (const [same, [article, ...others]] of groupBy(open, keyOfArticle)) {
      const [entry, ...rivals] = bySame.get(same) ?? []
      if (article === undefined || entry === undefined || others.length > 0 || rivals.length > 0) continue
      pairs.set(article.source, entry)
      paired.add(entry)
    }
  }
  const keyOf = (...parts: readonly (string | null)[]) => JSON.stringify(parts)
  pair(
    ({ language, sourceHash }) => keyOf(language, sourceHash),
    ({ language, ours }) => keyOf(language, ours?.sourceHash ?? null),
  )
  pair(
    ({ language, title, projectionHash }) => keyOf(language, title, projectionHash),
    ({ language, title, ours }) => keyOf(language, title, ours?.projectionHash ?? null),
  )
  return pairs
}

/**
 * Adds pairs to the matches. Pure.
 *
 * @param pairs an article by source
 * @param pastSources by id, as far as known
 */
export function withMoves(
  { entryOf, orphans, duplicates }: Matches,
  pairs: ReadonlyMap<string, RemoteEntry>,
  sources: Iterable<string>,
  pastSources: ReadonlyMap<string, string | undefined>,
): Matches {
  const ids = new Set([...pairs.values()].map(({ id }) => id))
  const folders = [...new Set([...sources].map(folderOf))]
  return {
    entryOf: new Map([...entryOf, ...pairs]),
    orphans: orphans.filter(({ id }) => !ids.has(id)),
    duplicates,
    movedFrom: new Map(
      [...pairs].map(([source, entry]) => [
        source,
        pastSources.get(entry.id) ?? findPastSource(entry, folders),
      ]),
    ),
  }
}

function folderOf(source: string): string {
  return source.slice(0, source.lastIndexOf('/') + 1)
}

/** Guesses the former file of an article without state from its slug; the key in its marker confirms the guess. */
function findPastSource({ slug, language, ours }: RemoteEntry, folders: readonly string[]) {
  return folders
    .flatMap((folder) => [`${slug}.md`, `${slug}.mdx`, `${slug}/index.md`].map((name) => folder + name))
    .find((source) => documentKey(source, language) === ours?.key)
}

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
