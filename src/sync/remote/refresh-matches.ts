import type { ApiClient } from '../../api/client/create-client.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import { slugKey } from '../../core/model/slug-key.ts'
import type { TargetState } from '../../core/model/target-state.ts'
import { claimUnmarked, seesMarkers } from '../plan/matches-local.ts'
import { type Matches, matchArticles } from '../plan/match-articles.ts'
import { readCapabilities } from '../plan/target-capabilities.ts'
import { type ResolvedArticle, relateTranslations } from '../plan/payload.ts'
import { type RemoteEntry, entryOfRemote, isUnsent } from '../plan/remote-entry.ts'
import type { RemoteIndex } from './read-remote.ts'
import { readRemoteArticle } from './to-remote.ts'

interface RefreshInput {
  readonly client: ApiClient
  readonly state: TargetState
  /** All documents: also what the target does not take now keeps its article. */
  readonly documents: readonly LocalArticle[]
  /** What the target takes. */
  readonly wanted: readonly ResolvedArticle[]
  readonly remote: RemoteIndex
  /** Whether the target is known to store what is sent letter for letter. */
  readonly storesAsSent: boolean | undefined
  readonly options: {
    readonly project: string
    readonly defaultLanguage: string
    readonly prune: boolean
    readonly verify: boolean
    readonly adopt: ReadonlySet<string>
    readonly readsBeforeWrite: boolean
    readonly isSelected: (source: string) => boolean
  }
}

export interface Refreshed {
  readonly matches: Matches
  readonly entries: readonly RemoteEntry[]
  /** Translations now name their originals. */
  readonly wanted: readonly ResolvedArticle[]
  /** Whether the target keeps comments, and our markers with them; undefined until that was seen. */
  readonly keepsComments: boolean | undefined
}

/**
 * Matches, then reads afresh every article with which something is to be done, and matches what was read. One that stays
 * where state knows it is read right before it is changed, and only then: nothing else depends on what is found.
 */
export async function refreshMatches(input: RefreshInput): Promise<Refreshed> {
  const { client, state, remote, options } = input
  const first = match(input, remote.entries)
  const unread = findUnread(input, first)
  if (unread.length === 0) return first
  const ids = new Set(unread.map(({ id }) => id))
  const read = await readEntries({ client, state, options }, first.entries, ({ id }) => ids.has(id))
  return match(input, read)
}

/** Reads those entries that `isOfInterest`; what is gone in the meantime is left out. */
export async function readEntries(
  {
    client,
    state,
    options,
  }: Pick<RefreshInput, 'client' | 'state'> & {
    readonly options: Pick<RefreshInput['options'], 'project' | 'defaultLanguage'>
  },
  entries: readonly RemoteEntry[],
  isOfInterest: (entry: RemoteEntry) => boolean,
): Promise<readonly RemoteEntry[]> {
  const records = new Map(state.articles.map((record) => [record.id, record]))
  const read = await Promise.all(
    entries.map(async (entry) => {
      if (!isOfInterest(entry)) return entry
      const article = await readRemoteArticle(client, entry.id, options.defaultLanguage)
      if (article === undefined) return []
      return entryOfRemote(article, options.project, records.get(entry.id), entry.project)
    }),
  )
  return read.flat()
}

/**
 * Originals first: what a translation is to be depends on the article of its original. Only a run without state claims:
 * what a state does not know, someone else has sent, and where markers are kept, ours would have one.
 */
function match(
  { documents, wanted, remote, state, storesAsSent }: RefreshInput,
  entries: readonly RemoteEntry[],
): Refreshed {
  const keepsComments = seesMarkers(entries) ?? state.keepsComments ?? storesAsSent
  const claim: typeof claimUnmarked =
    state.isKnown || keepsComments === true ? (same) => [...same] : claimUnmarked
  const originals = wanted.filter(({ article }) => article.original === undefined)
  const claimed = claim(entries, originals)
  const taken = new Set(wanted.map(({ article }) => article.source))
  const matchWith = (some: readonly RemoteEntry[], fingerprints: ReadonlyMap<string, string>) =>
    releaseOthers(matchArticles(documents, some, fingerprints, remote.goneIds), documents, taken)
  const first = matchWith(claimed, fingerprintsOf(originals))
  const related = relateTranslations(wanted, first, remote.goneIds)
  if (related === wanted) return { matches: first, entries: claimed, wanted, keepsComments }
  const all = claim(claimed, related)
  const matches = matchWith(all, fingerprintsOf(related))
  return { matches, entries: all, wanted: related, keepsComments }
}

/**
 * A document that the target does not take keeps the article that it has in its language. One that it had in another
 * language, before the file changed, no one wants any more.
 */
function releaseOthers(
  { entryOf, orphans, doubles }: Matches,
  documents: readonly LocalArticle[],
  taken: ReadonlySet<string>,
): Matches {
  const released = new Map(
    documents.flatMap(({ source, language }) => {
      const entry = taken.has(source) ? undefined : entryOf.get(source)
      return entry === undefined || entry.language === language ? [] : [[source, entry] as const]
    }),
  )
  if (released.size === 0) return { entryOf, orphans, doubles }
  const kept = new Map([...entryOf].filter(([source]) => !released.has(source)))
  return { entryOf: kept, orphans: [...orphans, ...released.values()], doubles }
}

function fingerprintsOf(wanted: readonly ResolvedArticle[]): ReadonlyMap<string, string> {
  return new Map(wanted.map((each) => [each.article.source, each.fingerprint]))
}

/**
 * Whether an article that state knows keeps its slug and has nothing to do with translations: what becomes of it concerns
 * no other.
 */
function isPlainEdit(
  entry: RemoteEntry,
  { article, translationOf }: ResolvedArticle,
  originalIds: ReadonlySet<string>,
): boolean {
  const isStaying = entry.isKnown === true && slugKey(entry) === slugKey(article)
  const isRelated =
    translationOf !== undefined || entry.languageParent !== undefined || originalIds.has(entry.id)
  return isStaying && !isRelated && !isUnsent(entry.ours)
}

function findUnread(
  { state: { extensions = [] }, remote: { goneIds }, options }: RefreshInput,
  { matches, entries, wanted }: Refreshed,
): RemoteEntry[] {
  const selected = wanted.filter(({ article }) => options.isSelected(article.source))
  const originalIds = new Set(entries.flatMap(({ languageParent }) => languageParent ?? []))
  const toRead = selected.flatMap((each) => {
    const entry = matches.entryOf.get(each.article.source)
    if (entry === undefined) return []
    const isAdopted = isUnsent(entry.ours) && options.adopt.has(each.article.slug)
    const isChanged = entry.ours?.fingerprint !== each.fingerprint
    const waits = options.readsBeforeWrite && isPlainEdit(entry, each, originalIds)
    return options.verify || isAdopted || (isChanged && !waits) ? [entry] : []
  })
  // A foreign article that stands in the way may have moved on since it was last read.
  const slugs = new Set(selected.map(({ article }) => article.slug))
  const inTheWay = entries.filter(({ ours, slug }) => ours === undefined && slugs.has(slug))
  // Left for a person to decide about by an earlier run.
  const doubtful = entries.filter(({ ours, project }) => ours === undefined && project === options.project)
  // Whether it is the draft of the article that stands there is told by that article.
  const contested = new Set(inTheWay.map(slugKey))
  const beside = [...matches.entryOf.values()].filter((entry) => contested.has(slugKey(entry)))
  // A translation that was deleted may still be listed: where nothing is changed in place, it would hold its original back.
  const changed = new Set(readCapabilities(extensions).update ? [] : toRead.map(({ id }) => id))
  const translations = entries.filter(({ languageParent = '' }) => changed.has(languageParent))
  // Which of two is kept is decided between articles that were both read.
  const doubled = new Set(matches.doubles.map(({ ours }) => ours?.key))
  const kept = [...matches.entryOf.values()].filter(({ ours }) => doubled.has(ours?.key))
  return [
    ...new Set([
      ...toRead,
      ...inTheWay,
      ...beside,
      ...doubtful,
      ...translations,
      ...kept,
      ...matches.doubles,
      ...(options.prune ? matches.orphans : []),
    ]),
  ].filter((entry) => entry.remote === undefined && !goneIds.has(entry.id))
}
