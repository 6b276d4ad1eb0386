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
  /** All documents. One that the target does not accept now keeps its article. */
  readonly documents: readonly LocalArticle[]
  /** The articles that the target accepts. */
  readonly wanted: readonly ResolvedArticle[]
  readonly remote: RemoteIndex
  /** True if the target is known to store exactly what is sent. */
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
  /** Translations with the ids of their originals. */
  readonly wanted: readonly ResolvedArticle[]
  /** True if the target keeps comments, and with them our markers; undefined until an article has shown it. */
  readonly keepsComments: boolean | undefined
}

/**
 * Matches the articles, reads those that may change, and matches again. An article that stays at its slug in the state
 * is read only right before its write: nothing else depends on it.
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

/** Reads the entries that `isOfInterest`; omits those that are gone. */
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
 * Originals come first, because a translation depends on the article of its original. Only a run without state claims
 * articles: otherwise an article that is not in the state was sent by someone else, and a target that keeps markers
 * would show ours.
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
 * A document that the target does not accept keeps its article in its language. Its article in a language that the file
 * had before is no longer needed.
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

/** True if a known article keeps its slug and is no translation or original, so no other article is affected. */
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
  // A foreign article at a slug that is needed may have moved since it was last read.
  const slugs = new Set(selected.map(({ article }) => article.slug))
  const inTheWay = entries.filter(({ ours, slug }) => ours === undefined && slugs.has(slug))
  // An earlier run left these for a person to decide.
  const doubtful = entries.filter(({ ours, project }) => ours === undefined && project === options.project)
  // The article at the slug tells if this one is its draft.
  const contested = new Set(inTheWay.map(slugKey))
  const beside = [...matches.entryOf.values()].filter((entry) => contested.has(slugKey(entry)))
  // A deleted translation may still be listed. Without updates in place, it would block its original.
  const changed = new Set(readCapabilities(extensions).update ? [] : toRead.map(({ id }) => id))
  const translations = entries.filter(({ languageParent = '' }) => changed.has(languageParent))
  // Which duplicate stays is decided between articles that were both read.
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
