import type { ArticleRequest } from '../../api/contract/request.ts'
import type { ArticleFields } from '../../core/model/article-fields.ts'
import type { LocalArticle, Review } from '../../core/model/document.ts'
import { appendMarker, type Marker } from '../../core/model/marker.ts'
import { NEVER_DATE, addDays } from '../../core/calendar-date.ts'
import { digestParts } from '../../core/digest.ts'
import type { RemoteEntry } from './remote-entry.ts'
import type { TargetCapabilities } from './target-capabilities.ts'
import type { Matches } from './match-articles.ts'

/** A document with its categories and tags as ids of the target. */
export interface ResolvedArticle {
  readonly article: LocalArticle
  readonly categoryIds: readonly string[]
  readonly tagIds: readonly string[]
  /** The original; its id is undefined while it has no article. Undefined if this is not a translation there. */
  readonly translationOf?: { readonly id: string | undefined } | undefined
  readonly fingerprint: string
}

/**
 * Adds the ids to a document. The fingerprint covers exactly what is sent: no path, machine or version. A default
 * review date counts as the word `default`, because its value changes daily. The fingerprint of a translation includes
 * the id of its original, so the translation follows an original that was created again.
 */
export function resolveArticle(
  article: LocalArticle,
  categoryIds: readonly string[],
  tagIds: readonly string[],
  translationOf?: ResolvedArticle['translationOf'],
): ResolvedArticle {
  const { review } = article
  const fingerprint = digestParts([
    article.title,
    article.slug,
    article.excerpt,
    String(article.order),
    article.status,
    String(article.hideFromSearch),
    article.seoBannerUrl,
    review.kind === 'date' ? review.date : review.kind,
    article.language ?? '',
    categoryIds.toSorted().join(' '),
    tagIds.toSorted().join(' '),
    article.contentHash,
    ...(translationOf === undefined ? [] : [translationOf.id ?? '']),
    ...(article.aliases === undefined ? [] : [JSON.stringify(article.aliases)]),
  ])
  return { article, categoryIds, tagIds, translationOf, fingerprint }
}

/** The same article as a translation. @param id id of the original; undefined while it has none */
export function withOriginal(wanted: ResolvedArticle, id: string | undefined): ResolvedArticle {
  const { article, categoryIds, tagIds } = wanted
  return resolveArticle(article, categoryIds, tagIds, { id })
}

/** The article as a target without redirects can store it. */
export function withoutAliases(wanted: ResolvedArticle): ResolvedArticle {
  const { aliases, ...article } = wanted.article
  return aliases === undefined
    ? wanted
    : resolveArticle(article, wanted.categoryIds, wanted.tagIds, wanted.translationOf)
}

/**
 * Returns the review date to send. The date on the target stays unless the document's own text changed: a new theme or
 * a renamed category must not undo a review done in the web interface.
 *
 * @param today calendar date in UTC
 */
export function reviewDateToSend(
  article: LocalArticle,
  existing: RemoteEntry | undefined,
  today: string,
): string {
  const kept = existing?.remote?.fields.reviewDate
  if (kept !== undefined && kept !== '' && existing?.ours?.sourceHash === article.sourceHash) return kept
  const { review } = article
  return review.kind === 'default' ? addDays(today, review.afterDays) : writtenReviewDate(review)
}

/** The review date to send for a date in the file. */
export function writtenReviewDate(review: Exclude<Review, { kind: 'default' }>): string {
  return review.kind === 'never' ? NEVER_DATE : review.date
}

export function fieldsToSend(wanted: ResolvedArticle, reviewDate: string): ArticleFields {
  const { article, categoryIds, tagIds } = wanted
  const { title, slug, excerpt, order, status, hideFromSearch, seoBannerUrl } = article
  return {
    title,
    slug,
    excerpt,
    order,
    status,
    hideFromSearch,
    seoBannerUrl,
    reviewDate,
    categoryIds,
    tagIds,
  }
}

/** The properties that the extensions `languages` and `redirects` add to a body. */
export type ExtensionMembers = Pick<ArticleRequest, 'lang' | 'languageParent' | 'aliases'>

/** @param existing the article that is updated in place, whose aliases are replaced; undefined for a create */
export function extensionsToSend(
  wanted: ResolvedArticle,
  existing: Pick<RemoteEntry, 'language' | 'languageParent'> | undefined,
  { offers, defaultLanguage }: { readonly offers: TargetCapabilities; readonly defaultLanguage: string },
): ExtensionMembers {
  const { aliases = [] } = wanted.article
  const areSent = offers.redirects && (aliases.length > 0 || existing !== undefined)
  return {
    ...(offers.languages && languageToSend(wanted, existing, defaultLanguage)),
    ...(areSent && { aliases: [...aliases] }),
  }
}

/**
 * Returns the language and original to send. An article in the default language, without original, sends neither,
 * unless `existing`, which is updated in place, has another value.
 */
export function languageToSend(
  { article, translationOf }: ResolvedArticle,
  existing: Pick<RemoteEntry, 'language' | 'languageParent'> | undefined,
  defaultLanguage: string,
): ExtensionMembers {
  const isDefaultAgain = article.language === null && (existing?.language ?? null) !== null
  const lang = isDefaultAgain ? defaultLanguage : article.language
  const originalId = translationOf?.id
  const isRelated = originalId !== undefined || existing?.languageParent !== undefined
  return { ...(lang !== null && { lang }), ...(isRelated && { languageParent: originalId ?? '' }) }
}

/** The body of a create or update ("Create an article" in the specification), with our marker in its HTML. */
export function buildPayload(
  wanted: ResolvedArticle,
  fields: ArticleFields,
  html: string,
  { project, fieldsHash }: Pick<Marker, 'project' | 'fieldsHash'>,
  extensions: ExtensionMembers = {},
): ArticleRequest {
  const { article, fingerprint } = wanted
  return toRequest(
    fields,
    appendMarker(html, {
      project,
      documentKey: article.key,
      fingerprint,
      sourceHash: article.sourceHash,
      fieldsHash,
      projectionHash: article.projectionHash,
    }),
    extensions,
  )
}

/** Builds a body from the given fields and HTML. Also used to restore an article exactly as it was read. */
export function toRequest(
  fields: ArticleFields,
  content: string,
  extensions: ExtensionMembers = {},
): ArticleRequest {
  return {
    ...extensions,
    title: fields.title,
    slug: fields.slug,
    categories: fields.categoryIds.map((value) => ({ value })),
    tags: fields.tagIds.map((value) => ({ value })),
    excerpt: fields.excerpt,
    ordering: fields.order,
    status: fields.status === 'published' ? 'published' : 'draft',
    content,
    hideFromSearch: fields.hideFromSearch,
    seoBannerUrl: fields.seoBannerUrl,
    ...(fields.reviewDate === '' ? {} : { articleReviewDate: fields.reviewDate }),
  }
}

/** True if it is a translation whose original has no article yet, so that it cannot be sent. */
export function lacksOriginal({ translationOf }: ResolvedArticle): boolean {
  return translationOf !== undefined && translationOf.id === undefined
}

/**
 * Sets the id of each translation's original, if it has one. If the target does not accept the language of an original,
 * its translations have no original. The order of the input does not matter.
 */
export function relateTranslations(
  wanted: readonly ResolvedArticle[],
  { entryOf }: Pick<Matches, 'entryOf'>,
  goneIds: ReadonlySet<string>,
): readonly ResolvedArticle[] {
  if (wanted.every(({ article }) => article.original === undefined)) return wanted
  const sendable = new Set(wanted.map(({ article }) => article.source))
  return wanted.map((each) => {
    const { original } = each.article
    if (original === undefined || !sendable.has(original)) return each
    const id = entryOf.get(original)?.id
    return withOriginal(each, id !== undefined && goneIds.has(id) ? undefined : id)
  })
}
