import { digest } from '../digest.ts'

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

export type FieldName = keyof ArticleFields

/** In the order in which they are hashed. */
export const FIELD_NAMES = [
  'title',
  'slug',
  'excerpt',
  'order',
  'status',
  'hideFromSearch',
  'seoBannerUrl',
  'reviewDate',
  'categoryIds',
  'tagIds',
] as const satisfies readonly FieldName[]

const HASH_LENGTH = 8

/** Hex characters of a hash of fields. */
export const FIELDS_HASH_LENGTH = FIELD_NAMES.length * HASH_LENGTH

/**
 * A short hash of each field, one after the other: with it, it can be told later which single fields were changed. The
 * order of categories and tags is not kept by every service and counts for nothing.
 */
export function hashFields(fields: ArticleFields): string {
  return FIELD_NAMES.map((name) => hashField(fields[name])).join('')
}

/** Names of the fields that are not what was hashed; all of them where that is no hash of fields. */
export function changedFields(hash: string, fields: ArticleFields): readonly FieldName[] {
  return FIELD_NAMES.filter(
    (name, index) => hash.slice(index * HASH_LENGTH, (index + 1) * HASH_LENGTH) !== hashField(fields[name]),
  )
}

/** Of the hashes of all fields, the one of the slug. */
export function slugHashOf(hash: string): string {
  const start = FIELD_NAMES.indexOf('slug') * HASH_LENGTH
  return hash.slice(start, start + HASH_LENGTH)
}

/** @returns 8 hex characters */
export function hashField(value: ArticleFields[FieldName]): string {
  return digest(JSON.stringify(typeof value === 'object' ? value.toSorted() : value)).slice(0, HASH_LENGTH)
}
