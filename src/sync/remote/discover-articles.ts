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
  /** Whether an article has to be found. */
  readonly isSought: (source: string) => boolean
  /** Whether articles of this project that no document wants are of interest. */
  readonly findOrphans: boolean
  /** How many known articles may be missing before this looks like another knowledge base. */
  readonly maxGone: (known: number) => number
}

interface Discovered {
  readonly entries: readonly RemoteEntry[]
  /** Listed under the title of a document that is not sought, and not read. */
  readonly unread: readonly ListedArticle[]
}

/**
 * Reads what the lists name and the state does not know, as far as it is needed: first what has the title of an article
 * that is sought, and others only while one of these is not found.
 */
export async function discoverArticles(
  client: ApiClient,
  listed: readonly ListedArticle[],
  known: readonly RemoteEntry[],
  options: RemoteIndexOptions,
): Promise<Discovered> {
  const foreign = new Map(options.state.foreign.map((record) => [record.id, record]))
  const knownIds = new Set(known.map(({ id }) => id))
  const remembered = listed.flatMap(({ id, title }) => {
    const record = foreign.get(id)
    return record !== undefined && (title === undefined || record.title === title) ? [record] : []
  })
  const rememberedIds = new Set(remembered.map(({ id }) => id))
  const unknown = listed.filter(({ id }) => !knownIds.has(id) && !rememberedIds.has(id))
  // An article of this project may be listed twice, under its present title or the last one, or under none.
  const sought = soughtAmong(options)
  const { articles, awaited } = options.state
  const titles = new Set([...sought, ...articles, ...awaited].map(({ title }) => title))
  const first = unknown.filter(({ title }) => title === undefined || titles.has(title))
  const entries = [
    ...known,
    ...remembered.map(entryOfForeign),
    ...(await readListed(client, idsOf(first), options)),
  ]
  const { entryOf } = matchArticles(options.articles, entries)
  const read = new Set(first.map(({ id }) => id))
  const others = unknown.filter(({ id }) => !read.has(id))
  const isComplete = sought.every(({ source }) => entryOf.has(source))
  if (isComplete && !options.findOrphans && !mayHideOurs(options.state)) {
    const ofDocuments = new Set(options.articles.map(({ title }) => title))
    return { entries, unread: others.filter(({ title = '' }) => ofDocuments.has(title)) }
  }
  return { entries: [...entries, ...(await readListed(client, idsOf(others), options))], unread: [] }
}

function idsOf(listed: readonly ListedArticle[]): readonly string[] {
  return listed.map(({ id }) => id)
}

/**
 * A list that lagged may show only now what another checkout has sent under another title. Where markers do not tell
 * whose it is, what is new is read once, so that no second article stays at a slug unseen.
 */
function mayHideOurs({ isKnown, keepsComments }: TargetState): boolean {
  return isKnown && keepsComments !== true
}

/** With the originals of translations, which these name by id. */
function soughtAmong({ articles, isSought }: RemoteIndexOptions): readonly LocalArticle[] {
  const sought = articles.filter(({ source }) => isSought(source))
  const originals = new Set(sought.flatMap(({ original }) => original ?? []))
  return articles.filter(({ source }) => isSought(source) || originals.has(source))
}

/**
 * Reads articles of which only the id is known, and tells which are ours: the marker says so, else what was sent and
 * never listed. What is gone in the meantime is left out.
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
 * The record of what was sent that an article without marker is, to the letter; else one of the same slug and title that
 * someone has edited since: that is drift, and never overwritten unseen.
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
