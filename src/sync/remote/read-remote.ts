import type { ApiClient } from '../../api/client/create-client.ts'
import type { ListedArticle } from '../../core/model/remote-article.ts'
import type { ArticleRecord } from '../../core/model/target-state.ts'
import type { RemoteEntry } from '../plan/remote-entry.ts'
import { assertSameTarget, checkKnown } from './check-known.ts'
import { discoverArticles } from './discover-articles.ts'
import { listLinked, type RemoteLists } from './list-articles.ts'
import type { RemoteIndexOptions } from './remote-index-options.ts'

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
  const named = options.state.articles.filter(({ id }) => id !== '')
  const records = new Map(named.map((record) => [record.id, record]))
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
