import type { ApiClient } from '../../api/client/create-client.ts'
import type { LenientReadArticle } from '../../api/contract/lenient.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import { slugKey } from '../../core/model/slug-key.ts'
import type { TargetState } from '../../core/model/target-state.ts'
import { claimUnmarked, seesMarkers } from '../plan/matches-local.ts'
import { type Matches, matchArticles } from '../plan/match-articles.ts'
import {
  type MoveCandidates,
  findMoveCandidates,
  pairEqual,
  pairSimilar,
  type Shingles,
  shinglesOf,
  withMoves,
} from '../plan/match-moves.ts'
import { readCapabilities } from '../plan/target-capabilities.ts'
import { type ResolvedArticle, relateTranslations } from '../plan/resolved-article.ts'
import { type RemoteEntry, entryOfRemote, isRecognised, withExactDate } from '../plan/remote-entry.ts'
import type { RemoteIndex } from './read-remote.ts'
import { toRemoteArticle } from './to-remote.ts'

interface MatchInput {
  readonly client: ApiClient
  readonly state: TargetState
  /** All documents. A document that the target currently does not accept keeps its article. */
  readonly documents: readonly LocalArticle[]
  /** Returns the HTML of one of `documents`, without marker. */
  readonly readHtml: (article: LocalArticle) => string
  /** The articles that the target accepts. */
  readonly wanted: readonly ResolvedArticle[]
  readonly remote: RemoteIndex
  /** True if the target is known to store exactly what is sent. */
  readonly storesAsSent: boolean | undefined
  readonly options: MatchOptions
}

export interface MatchOptions {
  readonly project: string
  readonly defaultLanguage: string
  readonly prune: boolean
  /** Reads every article of this project, to find edits even if there is nothing to send. */
  readonly verify: boolean
  readonly adopt: ReadonlySet<string>
  /** True if each article is read right before its write, so that the plan need not read it. */
  readonly readsBeforeWrite: boolean
  /** True if the run selects the article and may send it. */
  readonly isSelected: (source: string) => boolean
  /** Sources of articles that are not sent because of errors. `articles` may lack them. */
  readonly held: ReadonlySet<string>
  /**
   * The articles of a saved plan, by source, if this run executes a shard of it; the id is undefined for a create. They
   * are read although the state knows them, and renamed files keep the articles that they have there, since texts
   * cannot be compared again while other jobs send some of them.
   */
  readonly planned?: ReadonlyMap<string, string | undefined> | undefined
}

export interface MatchedArticles {
  readonly matches: Matches
  readonly entries: readonly RemoteEntry[]
  /** Translations have the ids of their originals. */
  readonly wanted: readonly ResolvedArticle[]
  /** True if the target keeps comments, and with them our markers; undefined until an article has shown it. */
  readonly keepsComments: boolean | undefined
}

/**
 * Matches the articles, reads those that may change, and matches again. An article that stays at its slug in the state
 * is read only right before its write: nothing else depends on it.
 */
export async function matchAndRead(input: MatchInput): Promise<MatchedArticles> {
  const { client, state, remote, options } = input
  const known = match(input, remote.entries)
  const { entries, similar } = await compareTexts(input, known)
  const isAsKnown = similar.size === 0 && entries.every((entry, index) => entry === remote.entries[index])
  const first = isAsKnown ? known : match(input, entries, similar)
  const unread = findUnread(input, first)
  if (unread.length === 0) return first
  const ids = new Set(unread.map(({ id }) => id))
  const read = await readEntries({ client, state, options }, first.entries, ({ id }) => ids.has(id))
  return match(input, read, similar)
}

/** False if there are far more orphans than new files: then the orphans are old, and are not read each time. */
function mayCompare({ articles, entries }: MoveCandidates): boolean {
  const isFew = entries.length <= Math.max(20, 2 * articles.length)
  return entries.length > 0 && articles.length > 0 && isFew && entries.length * articles.length <= 100_000
}

/** Ids of articles by source. */
type SimilarTexts = ReadonlyMap<string, string | undefined>

/**
 * Finds files that were renamed and changed, if a document without an article is to be sent: reads the orphaned articles
 * and compares their texts.
 *
 * @returns ids of articles by source, and the entries as they were read
 */
async function compareTexts(input: MatchInput, known: MatchedArticles) {
  const { entries } = known
  const { planned } = input.options
  if (planned !== undefined) return { entries, similar: planned }
  const candidates = findCandidates(input, known)
  const isAsked = candidates.articles.some(({ source }) => input.options.isSelected(source))
  if (!isAsked || !mayCompare(candidates)) return { entries, similar: new Map() }
  const ids = new Set(candidates.entries.map(({ id }) => id))
  const texts = new Map<string, Shingles>()
  const read = await readEntries(
    input,
    entries,
    ({ id }) => ids.has(id),
    ({ data }) => texts.set(data.id, shinglesOf(data.name ?? '', data.content ?? '')),
  )
  const similar = pairSimilar(
    candidates.articles.map((article) => ({
      id: article.source,
      language: article.language,
      shingles: shinglesOf(article.title, input.readHtml(article)),
    })),
    candidates.entries.map(({ id, language }) => ({ id, language, shingles: texts.get(id) ?? new Map() })),
  )
  return { entries: read, similar }
}

/** Returns documents that the target accepts and that have no article, and orphaned articles that may be theirs. */
function findCandidates(
  { wanted, state, remote, options }: MatchInput,
  { entries, matches }: Pick<MatchedArticles, 'entries' | 'matches'>,
): MoveCandidates {
  const awaitedKeys = new Set([...state.awaited, ...state.unfinished.removed].map(({ key }) => key))
  const context = { goneIds: remote.goneIds, awaitedKeys, held: options.held }
  return findMoveCandidates(
    wanted.map(({ article }) => article),
    entries,
    matches,
    context,
  )
}

/** Finds files that were renamed. @param similar ids of articles by source, of texts that have changed as well */
function findMoves(
  input: MatchInput,
  known: Pick<MatchedArticles, 'entries' | 'matches'>,
  similar: SimilarTexts,
): Matches {
  const { matches } = known
  const candidates = findCandidates(input, known)
  const ofSimilar = candidates.articles.flatMap(({ source }) => {
    const entry = candidates.entries.find(({ id }) => id === similar.get(source))
    return entry === undefined ? [] : [[source, entry] as const]
  })
  const equal = input.options.planned ? [] : pairEqual(candidates.articles, candidates.entries)
  const pairs = new Map([...equal, ...ofSimilar])
  if (pairs.size === 0) return matches
  const sources = input.documents.map(({ source }) => source)
  const pastSources = new Map(input.state.articles.map(({ id, source }) => [id, source]))
  return withMoves(matches, pairs, sources, pastSources)
}

interface EntryReader extends Pick<MatchInput, 'client' | 'state'> {
  readonly options: Pick<MatchOptions, 'project' | 'defaultLanguage'>
}

/** Reads the entries that `isOfInterest`; omits those that are gone. */
export async function readEntries(
  { client, state, options }: EntryReader,
  entries: readonly RemoteEntry[],
  isOfInterest: (entry: RemoteEntry) => boolean,
  onRead?: (read: LenientReadArticle) => void,
): Promise<readonly RemoteEntry[]> {
  const records = new Map(state.articles.map((record) => [record.id, record]))
  const all = await Promise.all(
    entries.map(async (entry) => {
      if (!isOfInterest(entry)) return entry
      const read = await client.readArticle(entry.id)
      if (read === undefined) return []
      onRead?.(read)
      // The owner may be known only from a journal.
      if (entry.remote !== undefined) return entry
      const record = records.get(entry.id)
      const article = toRemoteArticle(read, options.defaultLanguage, record)
      const dated = withExactDate(record, article, readCapabilities(state.extensions ?? []))
      return entryOfRemote(article, options.project, dated, entry.project)
    }),
  )
  return all.flat()
}

/**
 * Matches documents and articles, originals first, because a translation depends on the article of its original. Only a
 * run without state claims articles: otherwise an article that is not in the state was sent by someone else, and a
 * target that keeps markers would show ours.
 */
function match(input: MatchInput, entries: readonly RemoteEntry[], similar: SimilarTexts = new Map()) {
  const { documents, wanted, remote, state, storesAsSent, options } = input
  const keepsComments = seesMarkers(entries) ?? state.keepsComments ?? storesAsSent
  const claim: typeof claimUnmarked =
    state.isKnown || keepsComments === true ? (same) => [...same] : claimUnmarked
  const originals = wanted.filter(({ article }) => article.original === undefined)
  const claimed = claim(entries, originals)
  const keeping = new Set([...wanted.map(({ article }) => article.source), ...options.held])
  const matchWith = (some: readonly RemoteEntry[], fingerprints: ReadonlyMap<string, string>) => {
    const matches = matchArticles(documents, some, {
      fingerprints,
      goneIds: remote.goneIds,
      held: options.held,
    })
    return findMoves(input, { entries: some, matches: releaseOthers(matches, documents, keeping) }, similar)
  }
  const first = matchWith(claimed, fingerprintsOf(originals))
  const related = relateTranslations(wanted, first, remote.goneIds)
  if (related === wanted) return { matches: first, entries: claimed, wanted, keepsComments }
  const all = claim(claimed, related)
  const matches = matchWith(all, fingerprintsOf(related))
  return { matches, entries: all, wanted: related, keepsComments }
}

/**
 * Releases articles that documents no longer need. A document that the target does not accept keeps its article in its
 * language. Its article in an earlier language of the file is released.
 *
 * @param keeping sources of documents that keep their article in any case
 */
function releaseOthers(matches: Matches, documents: readonly LocalArticle[], keeping: ReadonlySet<string>) {
  const { entryOf, orphans } = matches
  const released = new Map(
    documents.flatMap(({ source, language }) => {
      const entry = keeping.has(source) ? undefined : entryOf.get(source)
      return entry === undefined || entry.language === language ? [] : [[source, entry] as const]
    }),
  )
  if (released.size === 0) return matches
  const kept = new Map([...entryOf].filter(([source]) => !released.has(source)))
  return { ...matches, entryOf: kept, orphans: [...orphans, ...released.values()] }
}

function fingerprintsOf(wanted: readonly ResolvedArticle[]): ReadonlyMap<string, string> {
  return new Map(wanted.map((each) => [each.article.source, each.fingerprint]))
}

/** True if a known article keeps its slug and is no translation or original, so no other article is affected. */
function isPlainEdit(entry: RemoteEntry, wanted: ResolvedArticle, originalIds: ReadonlySet<string>): boolean {
  const isStaying = entry.isKnown === true && slugKey(entry) === slugKey(wanted.article)
  const isRelated =
    wanted.translationOf !== undefined || entry.languageParent !== undefined || originalIds.has(entry.id)
  return isStaying && !isRelated && !isRecognised(entry.ours)
}

function findUnread(
  { state: { extensions = [] }, remote: { goneIds }, options }: MatchInput,
  { matches, entries, wanted }: MatchedArticles,
): RemoteEntry[] {
  const selected = wanted.filter(({ article }) => options.isSelected(article.source))
  const originalIds = new Set(entries.flatMap(({ languageParent }) => languageParent ?? []))
  const toRead = selected.flatMap((each) => {
    const entry = matches.entryOf.get(each.article.source)
    if (entry === undefined) return []
    const isAdopted = isRecognised(entry.ours) && options.adopt.has(each.article.slug)
    const isChanged = entry.ours?.fingerprint !== each.fingerprint
    const waits = options.readsBeforeWrite && isPlainEdit(entry, each, originalIds)
    const isPlanned = options.planned?.has(each.article.source) === true
    return options.verify || isPlanned || isAdopted || (isChanged && !waits) ? [entry] : []
  })
  // A foreign article at a slug that is needed may have moved since it was last read.
  const slugs = new Set(selected.map(({ article }) => article.slug))
  const inTheWay = entries.filter(({ ours, slug }) => ours === undefined && slugs.has(slug))
  // An earlier run left these for a person to decide.
  const doubtful = entries.filter(({ ours, project }) => ours === undefined && project === options.project)
  // The article at the slug tells if this one is its draft.
  const contested = new Set(inTheWay.map(slugKey))
  const beside = [...matches.entryOf.values()].filter((entry) => contested.has(slugKey(entry)))
  // A deleted translation may still be listed. Without updates in place, it would block its original.
  const changed = new Set(readCapabilities(extensions).updateInPlace ? [] : toRead.map(({ id }) => id))
  const translations = entries.filter(({ languageParent = '' }) => changed.has(languageParent))
  // Which duplicate stays is decided between articles that were both read.
  const withDuplicates = new Set(matches.duplicates.map(({ ours }) => ours?.key))
  const kept = [...matches.entryOf.values()].filter(({ ours }) => withDuplicates.has(ours?.key))
  return [
    ...new Set([
      ...toRead,
      ...inTheWay,
      ...beside,
      ...doubtful,
      ...translations,
      ...kept,
      ...matches.duplicates,
      ...(options.prune ? matches.orphans : []),
    ]),
  ].filter((entry) => entry.remote === undefined && !goneIds.has(entry.id))
}
