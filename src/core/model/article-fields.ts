import { digest } from '../digest.ts'

/** The normalised fields of an article, for comparing what was sent with what is read. */
export interface ArticleFields {
  readonly title: string
  readonly slug: string
  readonly excerpt: string
  readonly order: number
  readonly status: string
  readonly hideFromSearch: boolean
  readonly seoBannerUrl: string
  /** Calendar date; '' if there is none. */
  readonly reviewDate: string
  readonly categoryIds: readonly string[]
  readonly tagIds: readonly string[]
}

export type FieldName = keyof ArticleFields

/** In the order of the hashes. */
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

/** Length of all field hashes together, in hex characters. */
export const FIELDS_HASH_LENGTH = FIELD_NAMES.length * HASH_LENGTH

/**
 * Returns the concatenated short hashes of the fields, to detect later which fields changed. The order of categories
 * and tags is ignored, because not every service keeps it.
 */
export function hashFields(fields: ArticleFields): string {
  return FIELD_NAMES.map((name) => hashField(fields[name])).join('')
}

/** Returns the names of the fields that differ from the hashes; all of them if `hash` is invalid. */
export function changedFields(hash: string, fields: ArticleFields): readonly FieldName[] {
  return FIELD_NAMES.filter(
    (name, index) => hash.slice(index * HASH_LENGTH, (index + 1) * HASH_LENGTH) !== hashField(fields[name]),
  )
}

/** Returns the hash of the slug from the hashes of all fields. */
export function slugHashOf(hash: string): string {
  const start = FIELD_NAMES.indexOf('slug') * HASH_LENGTH
  return hash.slice(start, start + HASH_LENGTH)
}

/** @returns 8 hex characters */
export function hashField(value: ArticleFields[FieldName]): string {
  return digest(JSON.stringify(typeof value === 'object' ? value.toSorted() : value)).slice(0, HASH_LENGTH)
}
