import type { ApiClient } from '../client/create-client.ts'
import { KbError } from '../errors/kb-error.ts'
import type { DesiredArticle } from '../model/document.ts'
import { type Marker, readMarker } from '../model/marker.ts'
import type { ListedArticle, RemoteArticle, RemoteCategory } from '../model/remote-article.ts'
import type { ArticleRecord, TargetState } from '../model/target-state.ts'
import { matchArticles } from '../plan/match-articles.ts'
import { entryOfForeign, entryOfRecord, entryOfRemote, type RemoteEntry } from '../plan/remote-entry.ts'
import { toLanguage, toRemoteArticle, toRemoteCategory } from './to-remote.ts'

export interface RemoteIndexOptions {
  readonly project: string
  readonly defaultLanguage: string
  readonly articles: readonly DesiredArticle[]
  readonly state: TargetState
  /** Whether articles of ours that no document wants are of interest. */
  readonly findOrphans: boolean
  /** How many known articles may be missing before this looks like another knowledge base. */
  readonly maxGone: (known: number) => number
}

/** What the lists that every run asks for have shown. */
export interface RemoteLists {
  readonly categories: readonly RemoteCategory[]
  /** Languages that are enabled; empty where the target does not say. */
  readonly languages: readonly string[]
  readonly articleLimit: number | undefined
  readonly dated: readonly ListedArticle[]
}

/** What could be learned of the target's articles. */
export interface RemoteIndex extends Omit<RemoteLists, 'dated'> {
  readonly entries: readonly RemoteEntry[]
  /** Ids that state knew and that are gone. */
  readonly goneIds: ReadonlySet<string>
  /** Ids of everything the lists showed: what appears later is new. */
  readonly listedIds: ReadonlySet<string>
}

/** Asks for the two lists that every run needs. Throws what the client throws. */
export async function readRemoteLists(client: ApiClient, defaultLanguage: string): Promise<RemoteLists> {
  const [categoryList, dated] = await Promise.all([
    client.listCategories(),
    listDated(client, { defaultLanguage }),
  ])
  return {
    categories: categoryList.data.map(toRemoteCategory),
    languages: categoryList.languages,
    articleLimit: categoryList.limit,
    dated,
  }
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
  const entries = await discover(client, [...listed.values()], known.entries, options)
  return {
    ...lists,
    entries,
    goneIds: known.goneIds,
    listedIds: new Set([...listed.keys(), ...records.keys()]),
  }
}

/** Reads an article; undefined where it is gone. */
export async function readRemoteArticle(
  client: ApiClient,
  id: string,
  defaultLanguage: string,
): Promise<RemoteArticle | undefined> {
  const read = await client.readArticle(id)
  return read === undefined ? undefined : toRemoteArticle(read, defaultLanguage)
}

/** What tells whether an article is one that was just sent; cheaper than a full reading. */
export async function readIdentity(
  client: ApiClient,
  id: string,
): Promise<{ readonly slug: string | undefined; readonly marker: Marker | undefined } | undefined> {
  const read = await client.readArticle(id)
  return read === undefined
    ? undefined
    : { slug: read.data.slug, marker: readMarker(read.data.content ?? '') }
}

/** The review-dates list: the only one that gives title and language. */
export async function listDated(
  client: ApiClient,
  { defaultLanguage }: Pick<RemoteIndexOptions, 'defaultLanguage'>,
): Promise<ListedArticle[]> {
  const { data } = await client.listReviewDates()
  return data.map(({ id, name, language }) => ({
    id,
    title: name,
    fromReviewDates: true,
    language: toLanguage(language, defaultLanguage),
  }))
}

async function listLinked(client: ApiClient): Promise<ListedArticle[]> {
  const { data } = await client.listLinks()
  const articles = new Map<string, ListedArticle>()
  for (const { article_id: id, articles: article } of data) {
    if (!articles.has(id))
      articles.set(id, { id, title: article?.name, fromReviewDates: false, language: null })
  }
  return [...articles.values()]
}

/** The list of links can be long: it is asked for only where the other list leaves a question open. */
function needsLinkList(
  listed: ReadonlyMap<string, ListedArticle>,
  records: ReadonlyMap<string, ArticleRecord>,
  { articles, findOrphans }: RemoteIndexOptions,
): boolean {
  if (findOrphans) return true
  const known = new Set([...records.values()].filter(({ id }) => listed.has(id)).map(({ key }) => key))
  return (
    articles.some(({ key }) => !known.has(key)) ||
    [...records.keys()].some((id) => id !== '' && !listed.has(id))
  )
}

/** The articles that state knows: still listed as they were, changed in the list (read), or gone. */
async function checkKnown(
  client: ApiClient,
  listed: ReadonlyMap<string, ListedArticle>,
  records: ReadonlyMap<string, ArticleRecord>,
  options: RemoteIndexOptions,
): Promise<{ entries: RemoteEntry[]; goneIds: Set<string> }> {
  const { project, defaultLanguage } = options
  const goneIds = new Set<string>()
  const entries = await Promise.all(
    [...records.values()]
      .filter(({ id }) => id !== '')
      .map(async (record) => {
        const article = listed.get(record.id)
        if (article !== undefined && !showsOtherTitle(article, record)) return entryOfRecord(record)
        const remote = await readRemoteArticle(client, record.id, defaultLanguage)
        if (remote !== undefined) return entryOfRemote(remote, project, record)
        goneIds.add(record.id)
        return entryOfRecord(record)
      }),
  )
  if (goneIds.size > options.maxGone(records.size)) throw looksDifferent(goneIds.size, records.size)
  return { entries, goneIds }
}

/** A list may leave titles out; the link list's may be old. */
function showsOtherTitle({ fromReviewDates, title }: ListedArticle, record: ArticleRecord): boolean {
  return fromReviewDates && title !== undefined && title !== record.title
}

async function discover(
  client: ApiClient,
  listed: readonly ListedArticle[],
  known: readonly RemoteEntry[],
  options: RemoteIndexOptions,
): Promise<readonly RemoteEntry[]> {
  const foreign = new Map(options.state.foreign.map((record) => [record.id, record]))
  const knownIds = new Set(known.map(({ id }) => id))
  const remembered = listed.flatMap(({ id, title }) => {
    const record = foreign.get(id)
    return record !== undefined && (title === undefined || record.title === title) ? [record] : []
  })
  const rememberedIds = new Set(remembered.map(({ id }) => id))
  const unknown = listed.filter(({ id }) => !knownIds.has(id) && !rememberedIds.has(id))
  const titles = new Set(options.articles.map(({ title }) => title))
  const first = unknown.filter(({ title }) => title !== undefined && titles.has(title))
  const entries = [...known, ...remembered.map(entryOfForeign), ...(await readAll(client, first, options))]
  const { entryOf } = matchArticles(options.articles, entries)
  if (!options.findOrphans && options.articles.every(({ source }) => entryOf.has(source))) return entries
  const read = new Set(first.map(({ id }) => id))
  return [
    ...entries,
    ...(await readAll(
      client,
      unknown.filter(({ id }) => !read.has(id)),
      options,
    )),
  ]
}

async function readAll(
  client: ApiClient,
  listed: readonly ListedArticle[],
  { project, defaultLanguage }: RemoteIndexOptions,
): Promise<RemoteEntry[]> {
  const read = await Promise.all(listed.map(({ id }) => readRemoteArticle(client, id, defaultLanguage)))
  return read.flatMap((remote) => (remote === undefined ? [] : [entryOfRemote(remote, project)]))
}

function looksDifferent(gone: number, known: number): KbError {
  return new KbError(
    'TARGET_DIFFERENT',
    `${gone} of the ${known} articles that the last run knew are gone from the target: this looks like another knowledge base. Nothing was sent.`,
    {
      hint: 'Check the address and the key. If the articles were deleted on purpose, run again with --yes.',
    },
  )
}
