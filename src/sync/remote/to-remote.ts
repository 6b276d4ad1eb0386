// Converts responses of the client to the model, in one form whatever services omit or write differently.
import type { LenientCategory, LenientReadArticle, LenientTag } from '../../api/contract/lenient.ts'
import { type ArticleFields, hashFields } from '../../core/model/article-fields.ts'
import { readMarker } from '../../core/model/marker.ts'
import { hashProjection, projectHtml } from '../../core/model/projection.ts'
import type { RemoteArticle, RemoteCategory, RemoteTag } from '../../core/model/remote-article.ts'
import type { ArticleRecord } from '../../core/model/target-state.ts'
import { toCalendarDate } from '../../core/timestamp.ts'
import { digest } from '../../core/digest.ts'
import type { ApiClient } from '../../api/client/create-client.ts'

type KnownHtml = Pick<ArticleRecord, 'htmlHash' | 'projectionHash'>

/** Missing, null, '' and the default language's own code all mean the default language. */
export function toLanguage(language: string | null | undefined, defaultLanguage: string): string | null {
  return language === undefined || language === null || language === '' || language === defaultLanguage
    ? null
    : language
}

/** @param before the same article as it was sent or read; unchanged HTML is not parsed */
export function toRemoteArticle(
  read: LenientReadArticle,
  defaultLanguage: string,
  before?: KnownHtml,
): RemoteArticle {
  const { data } = read
  const fields = toFields(read)
  const content = data.content ?? ''
  const htmlHash = digest(content)
  return {
    id: data.id,
    language: toLanguage(data.language, defaultLanguage),
    fields,
    fieldsHash: hashFields(fields),
    undatedFieldsHash: hashFields({ ...fields, reviewDate: '' }),
    htmlHash,
    projectionHash: before?.htmlHash === htmlHash ? before.projectionHash : projectionOf(content),
    marker: readMarker(content),
    createdMs: toMs(data.created_date),
    editedMs: toMs(data.last_edited_Date),
    draftId: read.isDraft?.id,
    languageParent: data.language_parent,
    tags: read.tags.map(({ value, label }) => ({ id: value, name: label ?? '' })),
  }
}

export function projectionOf(html: string): string {
  const { textHash, targets } = projectHtml(html)
  return hashProjection(textHash, targets)
}

export function toRemoteCategory(category: LenientCategory): RemoteCategory {
  return {
    id: category.id,
    name: category.name ?? '',
    order: category.order_by,
    parentName: category.other_categories_categories_parent_idTocategories?.name || undefined,
    translations: category.other_categories_categories_language_parentTocategories.map(
      ({ language }) => language,
    ),
  }
}

export function toRemoteTag(tag: LenientTag): RemoteTag {
  return {
    id: tag.id,
    name: tag.name ?? '',
    slug: tag.slug ?? '',
    description: tag.description ?? '',
    longDescription: tag.long_description ?? '',
  }
}

function toFields({ data, categories, tags }: LenientReadArticle): ArticleFields {
  return {
    title: data.name ?? '',
    // A service may store another Unicode form of it.
    slug: (data.slug ?? '').normalize('NFC'),
    excerpt: data.excerpt ?? '',
    order: data.order_by ?? 0,
    status: data.status ?? '',
    hideFromSearch: data.hide_from_search ?? false,
    seoBannerUrl: data.seo_banner_url ?? '',
    reviewDate: toCalendarDate(data.article_review_date ?? '') ?? '',
    // Two properties have the same content; a service may fill only one of them.
    categoryIds: pick(
      data.article_relationships.map(({ category_id }) => category_id),
      categories.map(({ value }) => value),
    ),
    tagIds: pick(
      data.tags_relationship.map(({ tag_id }) => tag_id),
      tags.map(({ value }) => value),
    ),
  }
}

function pick(first: readonly string[], second: readonly string[]): readonly string[] {
  return first.length > 0 ? first : second
}

function toMs(timestamp: string | undefined): number | undefined {
  const time = Date.parse(timestamp ?? '')
  return Number.isNaN(time) ? undefined : time
}

/** Reads an article; undefined if it is gone. @param before see `toRemoteArticle` */
export async function readRemoteArticle(
  client: ApiClient,
  id: string,
  defaultLanguage: string,
  before?: KnownHtml,
): Promise<RemoteArticle | undefined> {
  const read = await client.readArticle(id)
  return read === undefined ? undefined : toRemoteArticle(read, defaultLanguage, before)
}
