import type { LocalArticle } from '../../core/model/document.ts'
import type { LocalTag, LocalTaxonomy } from '../../core/model/taxonomy.ts'
import { type TaxonomyPlan, planTaxonomy } from '../plan/taxonomy/plan-taxonomy.ts'
import type { RemoteEntry } from '../plan/remote-entry.ts'
import { resolveReferences } from '../plan/taxonomy/resolve-references.ts'
import { type TaxonomyIndex, createTaxonomyIndex } from '../plan/taxonomy/taxonomy-index.ts'
import type { PlanInput } from './planned-run.ts'
import { readListed, type RemoteIndex } from '../remote/read-remote.ts'
import { readEntries } from '../remote/match-and-read.ts'
import type { ApiClient } from '../../api/client/create-client.ts'
import type { RemoteTag } from '../../core/model/remote-article.ts'
import { digestTag, tagStateKey } from '../plan/taxonomy/compare-taxonomy.ts'
import { toRemoteTag } from '../remote/to-remote.ts'

/**
 * Resolves names of categories and tags to ids. The API lists no tags, and articles known from the state were not read;
 * if a tag is unknown, articles of the documents that use it are read to find it.
 */
export async function resolveTaxonomy(
  input: PlanInput,
  articles: readonly LocalArticle[],
  remote: RemoteIndex,
) {
  const first = resolveWith(input, articles, remote)
  const wantTags = new Set(first.resolved.unknownTags)
  if (wantTags.size === 0) return { ...first, remote }
  const { session, state, options } = input
  const isOfInterest = ({ id, ours, remote: read }: RemoteEntry) =>
    read === undefined && wantTags.has(ours?.key ?? '') && !remote.goneIds.has(id)
  const { client } = session
  const known = await readEntries({ client, state, options }, remote.entries, isOfInterest)
  const unread = remote.unread.map(({ id }) => id)
  const found = await readListed(client, unread, { ...options, state })
  const read = { ...remote, entries: [...known, ...found], unread: [] }
  return { ...resolveWith(input, articles, read), remote: read }
}

function resolveWith(input: PlanInput, articles: readonly LocalArticle[], remoteIndex: RemoteIndex) {
  const { session, state, taxonomy, created, options } = input
  const { entries, categories } = remoteIndex
  const tagIds = { ...state.tagIds, ...tagIdsOf(entries), ...created.tagIds }
  const createsMissing = session.createTaxonomy !== undefined
  const index = createTaxonomyIndex({
    local: taxonomy,
    categories,
    categoryIds: { ...state.categoryIds, ...created.categoryIds },
    tagIds,
    target: session.name,
    createsMissing,
  })
  return { tagIds, index, resolved: resolveReferences(articles, index, options) }
}

/** Collects the ids of tags from the articles that use them, because the API lists no tags. */
function tagIdsOf(entries: readonly RemoteEntry[]): Record<string, string> {
  const tags = entries.flatMap(({ remote }) => remote?.tags ?? [])
  return Object.fromEntries(tags.map(({ name, id }) => [name, id]))
}

/** Returns the ids of categories whose slug is in the file. */
export function categoryIdsOf(taxonomy: LocalTaxonomy, index: TaxonomyIndex): Record<string, string> {
  const { categories = [] } = taxonomy
  return Object.fromEntries(
    categories.flatMap((entry) => {
      const remote = index.remoteOf(entry)
      const isFound = remote !== undefined && remote !== 'ambiguous'
      return isFound && entry.slug !== undefined ? [[entry.slug, remote.id] as const] : []
    }),
  )
}

export async function compareTaxonomy(input: PlanInput, index: TaxonomyIndex): Promise<TaxonomyPlan> {
  const { session, state, taxonomy, options } = input
  const tags = taxonomy.tags ?? []
  return planTaxonomy({
    categories: taxonomy.categories ?? [],
    tags,
    index,
    // Another job may have sent what the state contains.
    remoteTags: await readTagsToCompare(session.client, tags, index, options.planned ? {} : state.taxonomy),
    known: state.taxonomy,
    mode: options.taxonomyMode,
    createsMissing: session.createTaxonomy !== undefined,
    defaultLanguage: options.defaultLanguage,
  })
}

/** Reads the tags to compare: those whose entry differs from the last one that was sent or found to be equal. */
async function readTagsToCompare(
  client: ApiClient,
  tags: readonly LocalTag[],
  index: TaxonomyIndex,
  known: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, RemoteTag>> {
  const changed = tags.filter((tag) => known[tagStateKey(tag)] !== digestTag(tag))
  const ids = new Set(changed.flatMap((tag) => index.tagIdOf(tag) ?? []))
  const read = await Promise.all([...ids].map((id) => client.readTag(id)))
  return new Map(
    read.flatMap((answer) => (answer === undefined ? [] : [[answer.data.id, toRemoteTag(answer.data)]])),
  )
}
