import type { ApiClient } from '../../api/client/create-client.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import type { ListedArticle, RemoteArticle } from '../../core/model/remote-article.ts'
import type { ArticleRecord, AwaitedArticle, TargetState } from '../../core/model/target-state.ts'
import {
  type RemoteEntry,
  entryOfRecord,
  entryOfRemote,
  withExactDate,
  hasDrifted,
  matchesLastSync,
  entryOfForeign,
} from '../plan/remote-entry.ts'
import { readCapabilities } from '../plan/target-capabilities.ts'
import { type RemoteLists, listLinked } from './list-articles.ts'
import { readRemoteArticle } from './to-remote.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import { slugKey } from '../../core/model/slug-key.ts'
import { matchArticles } from '../plan/match-articles.ts'

/** What is known of the articles on the target. */
export type RemoteIndex = Awaited<ReturnType<typeof readRemoteIndex>>

/**
 * Reads what is on the target. The API does not list articles, but two reports name them: those with a review date and
 * those with links. Articles in the state are not read again. Of the others, those with the title of a document come
 * first, and the rest is read only while a document has no article, or orphans are needed.
 *
 * @throws KbError TARGET_DIFFERENT and what the client throws
 */
export async function readRemoteIndex(
  client: ApiClient,
  { dated, ...lists }: RemoteLists,
  options: RemoteIndexOptions,
) {
  const records = new Map(options.state.articles.map((record) => [record.id, record]))
  const listed = new Map(dated.map((article) => [article.id, article]))
  const run: IndexRun = { ...options, client, records, listed }
  if (needsLinkList(run)) {
    for (const article of await listLinked(client))
      if (!listed.has(article.id)) listed.set(article.id, article)
  }
  const known = await checkKnown(run)
  const { entries, unread } = await discoverArticles(client, [...listed.values()], known.entries, options)
  assertSameTarget(run, known.goneIds, entries)
  const listedIds = new Set([...listed.keys(), ...records.keys()])
  const isPresent = (id: string) => !known.goneIds.has(id) && !options.state.unfinished.deletedIds.has(id)
  return {
    ...lists,
    entries,
    /** Articles with the title of a document that this run does not select; not read. */
    unread,
    /** Ids in the state that are gone from the target. */
    goneIds: known.goneIds,
    /** Ids in the lists. An id that appears later is new. */
    listedIds,
    /** Ids in the state that exist but are in no list. */
    unlistedIds: new Set([...records.keys()].filter((id) => !listed.has(id) && isPresent(id))),
    /** Minimum number of articles on the target: the API does not list all of them. */
    presentCount: [...listedIds].filter(isPresent).length,
  }
}

interface IndexRun extends RemoteIndexOptions {
  readonly client: ApiClient
  /** The articles in the state, by id. */
  readonly records: ReadonlyMap<string, ArticleRecord>
  /** The articles in the lists that were read so far, by id. */
  readonly listed: ReadonlyMap<string, ListedArticle>
}

/** True if the list of links is needed. It can be long, so it is requested only if the other list is not sufficient. */
function needsLinkList({ listed, records, articles, findOrphans }: IndexRun): boolean {
  if (findOrphans) return true
  const known = new Set([...records.values()].filter(({ id }) => listed.has(id)).map(({ key }) => key))
  return articles.some(({ key }) => !known.has(key)) || [...records.keys()].some((id) => !listed.has(id))
}

/** Checks the articles in the state: each is listed unchanged, listed with changes (and read), or gone. */
async function checkKnown({ client, listed, records, project, defaultLanguage, state }: IndexRun) {
  const { updates, deletedIds } = state.unfinished
  const offers = readCapabilities(state.extensions ?? [])
  const goneIds = new Set<string>()
  const entries = await Promise.all(
    [...records.values()].map(async (record) => {
      const { id } = record
      const article = listed.get(id)
      const isUnsure = record.isUndecided === true || updates.has(id) || deletedIds.has(id)
      if (article !== undefined && !isUnsure && !showsOtherTitle(article, record))
        return entryOfRecord(record)
      const remote = await readRemoteArticle(client, id, defaultLanguage, record)
      if (remote !== undefined) {
        const sent = findSent(remote, [...(updates.get(id) ?? []), record]) ?? record
        return entryOfRemote(remote, project, withExactDate(sent, remote, offers))
      }
      // Deleted by the last run itself, so it is not missing.
      if (deletedIds.has(id)) return []
      goneIds.add(id)
      return entryOfRecord(record)
    }),
  )
  return { entries: entries.flat(), goneIds }
}

/** True if the listed title differs. A list may omit titles, and the title in the list of links may be out of date. */
function showsOtherTitle({ fromReviewDates, title }: ListedArticle, record: ArticleRecord): boolean {
  return fromReviewDates && title !== undefined && title !== record.title
}

/**
 * Stops if too many known articles are gone. Ignores orphans, and articles with a successor: another machine has
 * replaced them, or removed them as duplicates.
 *
 * @throws KbError TARGET_DIFFERENT
 */
function assertSameTarget(
  { records, articles, maxGone }: IndexRun,
  goneIds: ReadonlySet<string>,
  entries: readonly RemoteEntry[],
): void {
  const wanted = new Set(articles.map(({ key }) => key))
  const succeeded = new Set(entries.flatMap(({ id, ours }) => (goneIds.has(id) ? [] : (ours?.key ?? []))))
  const missing = [...goneIds].filter((id) => {
    const key = records.get(id)?.key ?? ''
    return wanted.has(key) && !succeeded.has(key)
  })
  if (missing.length > maxGone(records.size)) throw looksDifferent(missing.length, records.size)
}

function looksDifferent(gone: number, known: number): KbError {
  return new KbError(
    'TARGET_DIFFERENT',
    `${gone} of the ${known} articles of the last run are missing on the target: this looks like a different knowledge base. Nothing was sent.`,
    { hint: 'Check the URL and the key. If the articles were deleted intentionally, run again with --yes.' },
  )
}

export interface RemoteIndexOptions {
  readonly project: string
  readonly defaultLanguage: string
  readonly articles: readonly LocalArticle[]
  readonly state: TargetState
  /** True if the article must be found. */
  readonly isSought: (source: string) => boolean
  /** True if articles of this project without a document must be found. */
  readonly findOrphans: boolean
  /** Maximum number of known articles that may be missing. If more are, the target counts as another knowledge base. */
  readonly maxGone: (known: number) => number
}

/**
 * Reads listed articles that the state does not know, as far as needed: first those with the title of a sought article,
 * others only while such an article is missing.
 */
export async function discoverArticles(
  client: ApiClient,
  listed: readonly ListedArticle[],
  known: readonly RemoteEntry[],
  options: RemoteIndexOptions,
) {
  const foreign = new Map(options.state.foreign.map((record) => [record.id, record]))
  const knownIds = new Set(known.map(({ id }) => id))
  const remembered = listed.flatMap(({ id, title }) => {
    const record = foreign.get(id)
    return record !== undefined && (title === undefined || record.title === title) ? [record] : []
  })
  const rememberedIds = new Set(remembered.map(({ id }) => id))
  const unknown = listed.filter(({ id }) => !knownIds.has(id) && !rememberedIds.has(id))
  // An article of this project may be listed under its current title, its previous one, or none.
  const sought = soughtAmong(options)
  const { articles, awaited } = options.state
  const titles = new Set([...sought, ...articles, ...awaited].map(({ title }) => title))
  const first = unknown.filter(({ title }) => title === undefined || titles.has(title))
  const entries = [
    ...known,
    ...remembered.map(entryOfForeign),
    ...(await readListed(client, idsOf(first), options)),
  ]
  const read = new Set(first.map(({ id }) => id))
  const others = unknown.filter(({ id }) => !read.has(id))
  if (others.length === 0) return { entries, unread: [] }
  const { entryOf } = matchArticles(options.articles, entries)
  const isComplete = sought.every(({ source }) => entryOf.has(source))
  if (isComplete && !options.findOrphans && !mayHideOurs(options.state)) {
    const ofDocuments = new Set(options.articles.map(({ title }) => title))
    return { entries, unread: others.filter(({ title = '' }) => ofDocuments.has(title)) }
  }
  return {
    entries: [...entries, ...(await readListed(client, idsOf(others), options))],
    /** Articles listed under the title of a document that is not sought. They were not read. */
    unread: [],
  }
}

function idsOf(listed: readonly ListedArticle[]): readonly string[] {
  return listed.map(({ id }) => id)
}

/**
 * True if a managed article may be unknown: a delayed list may show only now what another checkout has sent under
 * another title. If markers do not identify articles, new ones are read once, so that a duplicate at a slug is noticed.
 */
function mayHideOurs({ isKnown, keepsComments }: TargetState): boolean {
  return isKnown && keepsComments !== true
}

/** The sought articles, including the originals of translations, which name them by id. */
function soughtAmong({ articles, isSought }: RemoteIndexOptions): readonly LocalArticle[] {
  const sought = articles.filter(({ source }) => isSought(source))
  const originals = new Set(sought.flatMap(({ original }) => original ?? []))
  return articles.filter(({ source }) => isSought(source) || originals.has(source))
}

/**
 * Reads articles of which only the id is known, and decides by their marker which ones are ours; without markers, by
 * comparison with what was sent but never listed. Omits articles that are gone.
 */
export async function readListed(
  client: ApiClient,
  ids: readonly string[],
  { project, defaultLanguage, state }: Pick<RemoteIndexOptions, 'project' | 'defaultLanguage' | 'state'>,
): Promise<RemoteEntry[]> {
  const owners = new Map(state.foreign.map((record) => [record.id, record.project]))
  const read = await Promise.all(ids.map((id) => readRemoteArticle(client, id, defaultLanguage)))
  return read.flatMap((remote) =>
    remote === undefined
      ? []
      : [entryOfRemote(remote, project, findSent(remote, state.awaited), owners.get(remote.id))],
  )
}

/**
 * Finds the record of a sent article that exactly equals an article without marker; otherwise one with the same slug
 * and title that someone has edited since. That is drift, which is never overwritten silently.
 */
export function findSent<Sent extends ArticleRecord | AwaitedArticle>(
  remote: RemoteArticle,
  records: readonly Sent[],
): Sent | undefined {
  const { language, fields } = remote
  const address = slugKey({ slug: fields.slug, language })
  const here = records.filter((record) => slugKey(record) === address)
  return (
    here.find((record) => matchesLastSync(remote, record)) ??
    here.find((record) => record.title === fields.title && hasDrifted(record, remote))
  )
}
