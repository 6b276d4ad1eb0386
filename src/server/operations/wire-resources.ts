// Converts the store's records to the JSON of the API ("Fields" in the specification), and requests to input of the
// store.
import type {
  ArticleResource,
  CategoryResource,
  LinkEntry,
  ListedArticleResource,
  ReadArticleResponse,
  RedirectEntry,
  ReviewDateEntry,
  SelectEntry,
  TagResource,
} from '../../api/contract/response.ts'
import type {
  NotedChange,
  StoredArticle,
  CategoryRecord,
  Creator,
  ItemRelation,
  StoredLinkRecord,
  ReviewDateRecord,
  TagRecord,
  ApiKeyRecord,
  ArticleInput,
  CategoryChange,
  TaxonChange,
} from '../store/records.ts'
import type { ArticleRequest, UpdateCategoryRequest, UpdateTagRequest } from '../../api/contract/request.ts'
import { digestParts } from '../../core/digest.ts'
import { lowerCaseUuid } from '../../core/lower-case-uuid.ts'
import { toTimestamp } from '../../core/timestamp.ts'
import type { RedirectRecord } from '../store/reader-data.ts'

/** The response of "Read an article" in the specification. */
export function toReadArticleResponse(record: StoredArticle, isCopy: boolean): ReadArticleResponse {
  return {
    success: true,
    message: '',
    data: toArticle(record),
    isDraft: { id: record.draftId },
    newVersion: isCopy,
    categories: record.categories.map(toSelectEntry),
    tags: record.tags.map(toSelectEntry),
  }
}

/** An entry of the extension `changed-since`. */
export function toListedArticle(change: Extract<NotedChange, { kind: 'changed' }>): ListedArticleResource {
  const { article, contentDigest, contentComment } = change
  const { data, isDraft, categories, tags } = toReadArticleResponse(article, false)
  const { content: _, ...members } = data
  return {
    ...members,
    content_digest: contentDigest,
    content_comment: contentComment,
    isDraft,
    categories,
    tags,
    etag: entityTagOf(article, false),
  }
}

function toArticle(record: StoredArticle): ArticleResource {
  return {
    id: record.id,
    tags_relationship: record.tags.map(({ id, itemId }) => ({ id, tag_id: itemId })),
    article_relationships: record.categories.map(({ id, itemId }) => ({ id, category_id: itemId })),
    name: record.name,
    content: record.content,
    slug: record.slug,
    excerpt: record.excerpt,
    order_by: record.order,
    status: record.status,
    created_date: record.createdDate,
    article_parent: record.articleParent,
    last_edited_Date: record.editedDate,
    seo_banner_url: record.seoBannerUrl,
    hide_from_search: record.hideFromSearch,
    article_review_date: record.reviewDate,
    language: record.language,
    language_parent: record.languageParent,
  }
}

function toSelectEntry({ id, itemId, itemName }: ItemRelation): SelectEntry {
  return { id, label: itemName, value: itemId }
}

/** "Category" in the specification. */
export function toCategory(record: CategoryRecord, siteId: string): CategoryResource {
  const { latest } = record
  return {
    id: record.id,
    name: record.name,
    order_by: record.order,
    other_categories_categories_language_parentTocategories: record.translations.map((language) => ({
      language,
    })),
    other_categories_categories_parent_idTocategories: { name: record.parentName },
    article_relationships: {
      added_date: latest?.addedDate ?? '',
      category_id: latest === undefined ? '' : record.id,
      id: latest?.id ?? '',
      site_id: latest === undefined ? '' : siteId,
    },
    users_categories_created_byTousers: toUser(record.creator),
  }
}

/** "Tag" in the specification. */
export function toTag(record: TagRecord): TagResource {
  return {
    id: record.id,
    name: record.name,
    slug: record.slug,
    description: record.description,
    long_description: record.longDescription,
    language: record.language,
    language_parent: record.languageParent,
  }
}

/** "Review-date entry" in the specification. */
export function toReviewDateEntry(record: ReviewDateRecord): ReviewDateEntry {
  return {
    id: record.id,
    name: record.name,
    status: record.status,
    article_review_date: record.reviewDate,
    language: record.language,
    users_articles_created_byTousers: toUser(record.creator),
  }
}

/** "Link entry" in the specification. */
export function toLinkEntry(record: StoredLinkRecord, siteId: string): LinkEntry {
  return {
    id: record.id,
    site_id: siteId,
    article_id: record.articleId,
    url: record.url,
    created_date: record.createdDate,
    working: record.working,
    articles: { id: record.articleId, name: record.articleName },
  }
}

const REDIRECT_FIELDS = { article: 'articles', category: 'categories', tag: 'tags' } as const

/** An entry of the extension `redirects`. */
export function toRedirectEntry(record: RedirectRecord): RedirectEntry {
  return {
    slug: record.slug,
    language: record.language === '' ? null : record.language,
    declared: record.isDeclared,
    hits: record.hits,
    last_hit_date: record.lastHitDate,
    created_date: record.createdDate,
    [REDIRECT_FIELDS[record.kind]]: record.leadsTo,
  }
}

function toUser({ username, first_name, last_name, email_address }: Creator): Creator {
  return { username, first_name, last_name, email_address }
}

// The extension `etag`.

/**
 * Returns the entity tag of an article. It covers the whole response; the date of the last edit represents the content,
 * because no two edits of an article have the same date.
 */
export function entityTagOf(record: StoredArticle, isCopy: boolean): string {
  const { content: _, ...article } = record
  return `"${digestParts([JSON.stringify(article), String(isCopy)])}"`
}

/**
 * True if an If-Match or If-None-Match header contains the tag. Programs that compress a response mark its tag as weak,
 * or append to it.
 */
export function namesTag(header: string, tag: string): boolean {
  return header
    .split(',')
    .map((each) =>
      each
        .trim()
        .replace(/^W\//, '')
        .replace(/-gzip"$/, '"'),
    )
    .some((named) => named === '*' || named === tag)
}

// Converts checked requests to the input of the store.

/** The input of a create or an update in place ("Create an article" in the specification). */
export function toArticleInput(request: ArticleRequest, { userId }: ApiKeyRecord, now: string): ArticleInput {
  const { articleReviewDate } = request
  return {
    title: request.title,
    slug: request.slug,
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
    aliases: request.aliases,
    writtenBy: userId,
    now,
  }
}

/** Converts an id in a request. An empty one removes a reference. */
function toReference(id: string | undefined): string | null | undefined {
  return id === '' ? null : id && lowerCaseUuid(id)
}

/** The change of an update of a category ("Update a category" in the specification). */
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

/** The common part of updates of categories and tags ("Update a category" and "Update a tag" in the specification). */
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
