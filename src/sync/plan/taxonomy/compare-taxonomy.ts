import type { UpdateCategoryRequest, UpdateTagRequest } from '../../../api/contract/request.ts'
import type { TaxonomyOperation } from '../../../core/model/plan.ts'
import type { RemoteCategory, RemoteTag } from '../../../core/model/remote-article.ts'
import type { LocalCategory, LocalTag } from '../../../core/model/taxonomy.ts'
import type { TaxonomyIndex } from './taxonomy-index.ts'
import { digest } from '../../../core/digest.ts'
import { formatCategoryPath } from '../../../core/category-path.ts'

export interface TaxonomyPlanInput {
  readonly categories: readonly LocalCategory[]
  readonly tags: readonly LocalTag[]
  readonly index: TaxonomyIndex
  /** Tags read from the target, by id: only those that the state does not know, or whose entry changed. */
  readonly remoteTags: ReadonlyMap<string, RemoteTag>
  /** Digests of the last run. */
  readonly known: Readonly<Record<string, string>>
  readonly mode: 'check' | 'update'
  readonly createsMissing: boolean
  readonly defaultLanguage: string
}

/** How an entry of a taxonomy file relates to the target. */
export type TaxonomyComparison = {
  readonly operation: Pick<TaxonomyOperation, 'kind' | 'source' | 'slug' | 'language'>
  readonly stateKey: string
  readonly digest: string
} & (
  | { readonly verdict: 'absent'; readonly reason: string }
  /** The target has it, but several candidates match. */
  | { readonly verdict: 'unclear'; readonly reason: string }
  | { readonly verdict: 'equal' }
  | {
      readonly verdict: 'different'
      readonly id: string
      readonly differences: readonly string[]
      /** The current state on the target. */
      readonly before: RemoteCategory | RemoteTag
      readonly update: Update
    }
)

type Update =
  | { readonly kind: 'category'; readonly body: UpdateCategoryRequest }
  | { readonly kind: 'tag'; readonly body: UpdateTagRequest }
  | { readonly kind: 'impossible'; readonly reason: string }

interface Texts {
  readonly description: string | undefined
  readonly longDescription: string | undefined
}

/** Returns the texts that have a value. A text that the file omits is neither compared nor sent. */
function writtenTexts({ description, longDescription }: Texts) {
  return {
    ...(description !== undefined && { description }),
    ...(longDescription !== undefined && { longDescription }),
  }
}

/** Digest of a tag in the file. A tag is read and compared again when it changes. */
export function digestTag(tag: LocalTag): string {
  return digest(JSON.stringify([tag.name, tag.slug, tag.description, tag.longDescription]))
}

export function tagStateKey(tag: LocalTag): string {
  return `tag:${tag.name}`
}

/** Compares an entry of `_tags.yml` with the target's tag. A tag that was not read is assumed to be unchanged. */
export function compareTag(entry: LocalTag, input: TaxonomyPlanInput): TaxonomyComparison {
  const base = {
    operation: {
      kind: 'tag',
      source: entry.source ?? '_tags.yml',
      slug: entry.slug ?? entry.name,
      language: null,
    },
    stateKey: tagStateKey(entry),
    digest: digestTag(entry),
  } as const
  const id = input.index.tagIdOf(entry)
  if (id === undefined) {
    return {
      ...base,
      verdict: 'absent',
      reason: 'its id on the target is unknown; add it as id to _tags.yml',
    }
  }
  const remote = input.remoteTags.get(id)
  const differences = remote === undefined ? [] : tagDifferencesOf(entry, remote)
  if (remote === undefined || differences.length === 0) return { ...base, verdict: 'equal' }
  const slug = entry.slug ?? remote.slug
  const body = { id, name: entry.name, slug, ...writtenTexts(entry), lang: input.defaultLanguage }
  return { ...base, verdict: 'different', id, differences, before: remote, update: { kind: 'tag', body } }
}

function tagDifferencesOf(entry: LocalTag, remote: RemoteTag): string[] {
  const fields = ['name', 'slug', 'description', 'longDescription'] as const
  return fields.filter((field) => entry[field] !== undefined && entry[field] !== remote[field])
}

/** The fields that the category list does not show. */
export const UNSEEN_TEXTS = 'its slug, texts or images'

/** Compares an entry of `_categories.yml` with the target's category. */
export function compareCategory(entry: LocalCategory, input: TaxonomyPlanInput): TaxonomyComparison {
  const path = formatCategoryPath(entry.path)
  const stateKey = `category:${path}`
  const base = {
    operation: {
      kind: 'category',
      source: entry.source ?? '_categories.yml',
      slug: entry.slug ?? path,
      language: null,
    },
    stateKey,
    digest: digestCategory(entry),
  } as const
  const remote = input.index.remoteOf(entry)
  if (remote === undefined) {
    const reason = 'the target has no such category, and the API cannot create one'
    return { ...base, verdict: 'absent', reason }
  }
  if (remote === 'ambiguous')
    return { ...base, verdict: 'unclear', reason: 'it matches several categories on the target; add its id' }
  const last = input.known[stateKey]
  const differences = categoryDifferencesOf(entry, remote, last !== undefined && last !== base.digest)
  if (differences.length === 0) return { ...base, verdict: 'equal' }
  const update = categoryUpdateOf(entry, remote, input)
  return { ...base, verdict: 'different', id: remote.id, differences, before: remote, update }
}

function categoryDifferencesOf(entry: LocalCategory, remote: RemoteCategory, hasChangedUnseen: boolean) {
  return [
    ...(entry.name === remote.name ? [] : ['name']),
    ...(entry.priority === undefined || entry.priority === remote.order ? [] : ['priority']),
    ...(entry.path.at(-2) === remote.parentName ? [] : ['parent']),
    ...(hasChangedUnseen ? [UNSEEN_TEXTS] : []),
  ]
}

function categoryUpdateOf(entry: LocalCategory, remote: RemoteCategory, input: TaxonomyPlanInput): Update {
  // A slug derived here could change the category's URL on the target.
  if (entry.slug === undefined)
    return { kind: 'impossible', reason: 'an update requires its slug in _categories.yml' }
  const body: UpdateCategoryRequest = {
    name: entry.name,
    slug: entry.slug,
    priority: entry.priority ?? remote.order ?? 0,
    ...parentMember(entry, remote, input),
    ...writtenTexts(entry),
    ...(entry.thumbnailUrl !== undefined && { thumbnailUrl: entry.thumbnailUrl }),
    ...(entry.iconUrl !== undefined && { iconUrl: entry.iconUrl }),
    lang: input.defaultLanguage,
  }
  return { kind: 'category', body }
}

/** The parent to send. An omitted field keeps its value, so a move to the top level must be explicit. */
function parentMember(
  { path }: LocalCategory,
  remote: RemoteCategory,
  { categories, index }: TaxonomyPlanInput,
): { categoryParent?: string } {
  if (path.length === 1) return remote.parentName === undefined ? {} : { categoryParent: '' }
  const wanted = formatCategoryPath(path.slice(0, -1))
  const parent = categories.find((other) => formatCategoryPath(other.path) === wanted)
  const remoteParent = parent === undefined ? undefined : index.remoteOf(parent)
  return remoteParent === undefined || remoteParent === 'ambiguous' ? {} : { categoryParent: remoteParent.id }
}

function digestCategory(entry: LocalCategory): string {
  const { name, slug, priority, path, description, longDescription, thumbnailUrl, iconUrl } = entry
  return digest(
    JSON.stringify([name, slug, priority, path, description, longDescription, thumbnailUrl, iconUrl]),
  )
}
