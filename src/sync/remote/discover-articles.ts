import type { ApiClient } from '../../api/client/create-client.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import type { ListedArticle, RemoteArticle } from '../../core/model/remote-article.ts'
import { slugKey } from '../../core/model/slug-key.ts'
import type { ArticleRecord, AwaitedArticle, TargetState } from '../../core/model/target-state.ts'
import { hasDrifted, matchesLastSync } from '../plan/detect-drift.ts'
import { matchArticles } from '../plan/match-articles.ts'
import { type RemoteEntry, entryOfForeign, entryOfRemote } from '../plan/remote-entry.ts'
import { readRemoteArticle } from './to-remote.ts'

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
