import type { UpdateCategoryRequest } from '../../../api/contract/request.ts'
import type { RemoteCategory } from '../../../core/model/remote-article.ts'
import type { LocalCategory } from '../../../core/model/taxonomy.ts'
import { formatCategoryPath } from '../../../core/category-path.ts'
import { digest } from '../../../core/digest.ts'
import type { TaxonomyComparison, TaxonomyPlanInput, Update } from './taxonomy-comparison.ts'
import { writtenTexts } from './written-texts.ts'

/** Names what the category list does not show. */
export const UNSEEN_TEXTS = 'its description or other texts'

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
    const reason = 'the target has no such category, and the interface cannot create one'
    return { ...base, verdict: 'absent', reason }
  }
  if (remote === 'ambiguous') {
    return { ...base, verdict: 'unclear', reason: 'fits several categories of the target; give its id' }
  }
  const last = input.known[stateKey]
  const differences = differencesOf(entry, remote, last !== undefined && last !== base.digest)
  if (differences.length === 0) return { ...base, verdict: 'equal' }
  const update = updateOf(entry, remote, input)
  return { ...base, verdict: 'different', id: remote.id, differences, before: remote, update }
}

function differencesOf(entry: LocalCategory, remote: RemoteCategory, hasChangedUnseen: boolean): string[] {
  return [
    ...(entry.name === remote.name ? [] : ['name']),
    ...(entry.priority === undefined || entry.priority === remote.order ? [] : ['priority']),
    ...((entry.path.at(-2) ?? '') === remote.parentName ? [] : ['parent']),
    ...(hasChangedUnseen ? [UNSEEN_TEXTS] : []),
  ]
}

function updateOf(entry: LocalCategory, remote: RemoteCategory, input: TaxonomyPlanInput): Update {
  // A slug derived here could rename the category in the addresses of the target.
  if (entry.slug === undefined) {
    return { kind: 'impossible', reason: 'an update needs its slug in _categories.yml' }
  }
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

/** A field that is left out keeps its value: a category that moves to the top must say so. */
function parentMember(
  { path }: LocalCategory,
  remote: RemoteCategory,
  { categories, index }: TaxonomyPlanInput,
): { categoryParent?: string } {
  if (path.length === 1) return remote.parentName === '' ? {} : { categoryParent: '' }
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
