import type { ApiClient } from '../../api/client/create-client.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import type { ListedArticle } from '../../core/model/remote-article.ts'
import type { ArticleRecord } from '../../core/model/target-state.ts'
import { type RemoteEntry, entryOfRecord, entryOfRemote, withExactDate } from '../plan/remote-entry.ts'
import { readCapabilities } from '../plan/target-capabilities.ts'
import { type RemoteIndexOptions, discoverArticles, findSent } from './discover-articles.ts'
import { type RemoteLists, listLinked } from './list-articles.ts'
import { readRemoteArticle } from './to-remote.ts'

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

/** True if the list of links is needed. It can be long, so it is requested only if the other list is not sufficient. */
function needsLinkList(
  listed: ReadonlyMap<string, ListedArticle>,
  records: ReadonlyMap<string, ArticleRecord>,
  { articles, findOrphans }: RemoteIndexOptions,
): boolean {
  if (findOrphans) return true
  const known = new Set([...records.values()].filter(({ id }) => listed.has(id)).map(({ key }) => key))
  return articles.some(({ key }) => !known.has(key)) || [...records.keys()].some((id) => !listed.has(id))
}

/** Checks the articles in the state: each is listed unchanged, listed with changes (and read), or gone. */
async function checkKnown(
  client: ApiClient,
  listed: ReadonlyMap<string, ListedArticle>,
  records: ReadonlyMap<string, ArticleRecord>,
  options: RemoteIndexOptions,
): Promise<{ entries: RemoteEntry[]; goneIds: Set<string> }> {
  const { project, defaultLanguage } = options
  const { updates, deletedIds } = options.state.unfinished
  const offers = readCapabilities(options.state.extensions ?? [])
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
