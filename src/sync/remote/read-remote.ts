import type { ApiClient } from '../../api/client/create-client.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import type { ListedArticle } from '../../core/model/remote-article.ts'
import type { ArticleRecord } from '../../core/model/target-state.ts'
import { type RemoteEntry, entryOfRecord, entryOfRemote } from '../plan/remote-entry.ts'
import { type RemoteIndexOptions, discoverArticles, findSent } from './discover-articles.ts'
import { type RemoteLists, listLinked } from './list-articles.ts'
import { readRemoteArticle } from './to-remote.ts'

/** What could be learned of the target's articles. */
export interface RemoteIndex extends Omit<RemoteLists, 'dated'> {
  readonly entries: readonly RemoteEntry[]
  /** Articles of documents that this run is not about, as their titles say; not read. */
  readonly unread: readonly ListedArticle[]
  /** Ids that state knew and that are gone. */
  readonly goneIds: ReadonlySet<string>
  /** Ids of everything the lists showed: what appears later is new. */
  readonly listedIds: ReadonlySet<string>
  /** Ids that state knows, that are there, and that no list shows. */
  readonly unlistedIds: ReadonlySet<string>
  /** How many articles there are at least: the interface lists no others. */
  readonly presentCount: number
}

/**
 * Learns what the target has. The service lists no articles, but two reports name them: articles with a review date,
 * and articles with links. What state knows is not read again; of the rest, those with a wanted title come first, and
 * others are read only while a document has no article yet, or orphans are wanted.
 *
 * @throws KbError TARGET_DIFFERENT and what the client throws
 */
export async function readRemoteIndex(
  client: ApiClient,
  { dated, ...lists }: RemoteLists,
  options: RemoteIndexOptions,
): Promise<RemoteIndex> {
  const records = new Map(options.state.articles.map((record) => [record.id, record]))
  const listed = new Map(dated.map((article) => [article.id, article]))
  if (needsLinkList(listed, records, options)) {
    for (const article of await listLinked(client))
      if (!listed.has(article.id)) listed.set(article.id, article)
  }
  const known = await checkKnown(client, listed, records, options)
  const { entries, unread } = await discoverArticles(client, [...listed.values()], known.entries, options)
  assertSameTarget(records, known.goneIds, entries, options)
  const listedIds = new Set([...listed.keys(), ...records.keys()])
  const isPresent = (id: string) => !known.goneIds.has(id) && !options.state.unfinished.deletedIds.has(id)
  return {
    ...lists,
    entries,
    unread,
    goneIds: known.goneIds,
    listedIds,
    unlistedIds: new Set([...records.keys()].filter((id) => !listed.has(id) && isPresent(id))),
    presentCount: [...listedIds].filter(isPresent).length,
  }
}

/** The list of links can be long: it is asked for only where the other list leaves a question open. */
function needsLinkList(
  listed: ReadonlyMap<string, ListedArticle>,
  records: ReadonlyMap<string, ArticleRecord>,
  { articles, findOrphans }: RemoteIndexOptions,
): boolean {
  if (findOrphans) return true
  const known = new Set([...records.values()].filter(({ id }) => listed.has(id)).map(({ key }) => key))
  return articles.some(({ key }) => !known.has(key)) || [...records.keys()].some((id) => !listed.has(id))
}

/** The articles that state knows: still listed as they were, changed in the list (read), or gone. */
async function checkKnown(
  client: ApiClient,
  listed: ReadonlyMap<string, ListedArticle>,
  records: ReadonlyMap<string, ArticleRecord>,
  options: RemoteIndexOptions,
): Promise<{ entries: RemoteEntry[]; goneIds: Set<string> }> {
  const { project, defaultLanguage } = options
  const { updates, deletedIds } = options.state.unfinished
  const goneIds = new Set<string>()
  const entries = await Promise.all(
    [...records.values()].map(async (record) => {
      const { id } = record
      const article = listed.get(id)
      const isUnsure = record.isUndecided === true || updates.has(id) || deletedIds.has(id)
      if (article !== undefined && !isUnsure && !showsOtherTitle(article, record))
        return entryOfRecord(record)
      const remote = await readRemoteArticle(client, id, defaultLanguage)
      if (remote !== undefined)
        return entryOfRemote(
          remote,
          project,
          findSent(remote, [...(updates.get(id) ?? []), record]) ?? record,
        )
      // What the last run itself has deleted is not missed.
      if (deletedIds.has(id)) return []
      goneIds.add(id)
      return entryOfRecord(record)
    }),
  )
  return { entries: entries.flat(), goneIds }
}

/** A list may leave titles out; the link list's may be old. */
function showsOtherTitle({ fromReviewDates, title }: ListedArticle, record: ArticleRecord): boolean {
  return fromReviewDates && title !== undefined && title !== record.title
}

/**
 * Stops where too many known articles are gone. Those that no file wants count for nothing, nor do those that have a
 * successor: they were replaced, or doubled and cleared up, by another machine.
 *
 * @throws KbError TARGET_DIFFERENT
 */
function assertSameTarget(
  records: ReadonlyMap<string, ArticleRecord>,
  goneIds: ReadonlySet<string>,
  entries: readonly RemoteEntry[],
  { maxGone, articles }: RemoteIndexOptions,
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
