import { digestParts } from '../util/digest.ts'

/** The fields of an article in one spelling for both sides, so that what was sent and what is read can be compared. */
export interface ArticleFields {
  readonly title: string
  readonly slug: string
  readonly excerpt: string
  readonly order: number
  readonly status: string
  readonly hideFromSearch: boolean
  readonly seoBannerUrl: string
  /** Calendar date, '' for none. */
  readonly reviewDate: string
  readonly categoryIds: readonly string[]
  readonly tagIds: readonly string[]
}

/** The order of categories and tags is not kept by every service and counts for nothing. */
export function hashFields(fields: ArticleFields): string {
  return digestParts([
    fields.title,
    fields.slug,
    fields.excerpt,
    String(fields.order),
    fields.status,
    String(fields.hideFromSearch),
    fields.seoBannerUrl,
    fields.reviewDate,
    fields.categoryIds.toSorted().join(' '),
    fields.tagIds.toSorted().join(' '),
  ])
}
