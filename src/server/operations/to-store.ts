// From checked requests, with the names of the interface, to what the store is asked to write.
import type { ArticleRequest, UpdateCategoryRequest, UpdateTagRequest } from '../../api/contract/request.ts'
import { lowerCaseUuid } from '../../core/lower-case-uuid.ts'
import { toTimestamp } from '../../core/timestamp.ts'
import type { LinkTargetOf } from '../links/link-target.ts'
import type { ApiKeyRecord, ArticleDraft, CategoryChange, TaxonChange } from '../store/store.ts'

/** What a create or an update in place writes ("Create an article" in the specification). */
export function toArticleDraft(
  request: ArticleRequest,
  links: readonly string[],
  { siteId, userId }: ApiKeyRecord,
  { linkTarget, now }: { readonly linkTarget: LinkTargetOf; readonly now: string },
): ArticleDraft {
  const { articleReviewDate, slug } = request
  return {
    title: request.title,
    slug,
    categoryIds: request.categories.map(({ value }) => lowerCaseUuid(value)),
    tagIds: request.tags?.map(({ value }) => lowerCaseUuid(value)),
    excerpt: request.excerpt,
    order: request.ordering,
    status: request.status,
    content: request.content,
    hideFromSearch: request.hideFromSearch,
    seoBannerUrl: request.seoBannerUrl,
    reviewDate: articleReviewDate === '' ? null : articleReviewDate && toTimestamp(articleReviewDate),
    language: request.lang,
    languageParent: toReference(request.languageParent),
    links: links.map((url) => ({ url, target: linkTarget(url, { siteId, slug }) })),
    writtenBy: userId,
    now,
  }
}

/** An id of a request, in which an empty one takes a reference away. */
function toReference(id: string | undefined): string | null | undefined {
  return id === '' ? null : id && lowerCaseUuid(id)
}

/** What an update of a category writes ("Update a category" in the specification). */
export function toCategoryChange(
  request: UpdateCategoryRequest,
  caller: ApiKeyRecord,
  now: string,
): CategoryChange {
  return {
    ...toTaxonChange(request, caller, now),
    priority: request.priority,
    parentId: toReference(request.categoryParent),
    thumbnailUrl: request.thumbnailUrl,
    iconUrl: request.iconUrl,
  }
}

/** What updates of categories and tags share ("Update a category" and "Update a tag" in the specification). */
export function toTaxonChange(
  request: UpdateCategoryRequest | UpdateTagRequest,
  { userId }: ApiKeyRecord,
  now: string,
): TaxonChange {
  return {
    name: request.name,
    slug: request.slug,
    description: request.description,
    longDescription: request.longDescription,
    language: request.lang,
    editedBy: userId,
    now,
  }
}
