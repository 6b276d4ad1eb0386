// What a client accepts from a service that is not ours: all but the ids may be missing, null or of another type
// (then it is undefined), unknown members are dropped, and an entry without a usable id is left out of its list.
// The users_… objects are personal data: they are dropped where they enter, unless somebody asks who wrote an article.
import { z } from 'zod'
import { statusField } from './fields.ts'

const usableId = z.union([z.string().min(1), z.number().transform(String)])
// Null is not left to the last resort: in a list of a million entries that is many times slower.
const text = z
  .string()
  .nullable()
  .transform((value) => value ?? undefined)
  .optional()
  .catch(undefined)
const number = z.number().optional().catch(undefined)
const flag = z.boolean().optional().catch(undefined)
const status = statusField.optional().catch(undefined)

/** An id that may be absent; "" is how the interface writes "none". */
const optionalId = usableId.optional().catch(undefined)

/** A list that keeps the entries which fit `entry`; missing or null is an empty list, anything else is refused. */
function listOf<Entry extends z.ZodType>(entry: Entry) {
  return z
    .array(z.unknown())
    .nullish()
    .transform((items): z.output<Entry>[] =>
      (items ?? []).flatMap((item) => {
        const parsed = entry.safeParse(item)
        return parsed.success ? [parsed.data] : []
      }),
    )
}

/** Like `listOf` for lists that only decorate an entry: one that cannot be read is empty. */
function minorListOf<Entry extends z.ZodType>(entry: Entry) {
  return listOf(entry).catch([])
}

/** "Article" in the specification, as any service sends it. */
const lenientArticle = z.object({
  id: usableId,
  tags_relationship: minorListOf(z.object({ id: optionalId, tag_id: usableId })),
  article_relationships: minorListOf(z.object({ id: optionalId, category_id: usableId })),
  name: text,
  content: text,
  slug: text,
  excerpt: text,
  order_by: number,
  status,
  created_date: text,
  article_parent: optionalId,
  last_edited_Date: text,
  seo_banner_url: text,
  hide_from_search: flag,
  article_review_date: text,
  language: text,
  language_parent: optionalId,
})

const lenientSelectEntry = z.object({ id: optionalId, label: text, value: usableId })

const relationship = z.object({
  added_date: text,
  category_id: optionalId,
  id: optionalId,
  site_id: optionalId,
})

// The document says object; a service may as well send all relationships of the category.
const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)

/** "Category" in the specification, as any service sends it. */
const lenientCategory = z.object({
  id: usableId,
  name: text,
  order_by: number,
  other_categories_categories_language_parentTocategories: minorListOf(
    z.object({ language: z.string().min(1) }),
  ),
  other_categories_categories_parent_idTocategories: z.object({ name: text }).optional().catch(undefined),
  article_relationships: z.preprocess(firstOf, relationship.optional()).catch(undefined),
})

/** "Tag" in the specification, as any service sends it. */
const lenientTag = z.object({
  id: usableId,
  name: text,
  slug: text,
  description: text,
  long_description: text,
  language: text,
  language_parent: optionalId,
})

/** "Review-date entry" in the specification, as any service sends it. */
export const lenientReviewDateEntry = z.object({
  id: usableId,
  name: text,
  status,
  article_review_date: text,
  language: text,
})

/** The same with the article's author, only for callers that need names. */
export const lenientAuthoredEntry = lenientReviewDateEntry.extend({
  users_articles_created_byTousers: z
    .object({ username: text, first_name: text, last_name: text, email_address: text })
    .optional()
    .catch(undefined),
})

/** "Link entry" in the specification, as any service sends it. An entry that names no article is of no use. */
export const lenientLinkEntry = z.object({
  id: optionalId,
  site_id: optionalId,
  article_id: usableId,
  url: text,
  created_date: text,
  working: flag,
  articles: z.object({ id: optionalId, name: text }).optional().catch(undefined),
})

/**
 * The envelope of every answer, to be checked before the rest: only `success: true` is a success, whatever the HTTP
 * status says ("Errors" in the specification).
 */
export const wireEnvelope = z.looseObject({ success: z.boolean(), message: text })

export const lenientDone = z.object({ message: text })

export const lenientReadArticle = z.object({
  message: text,
  data: lenientArticle,
  isDraft: z.object({ id: optionalId }).optional().catch(undefined),
  newVersion: flag,
  categories: minorListOf(lenientSelectEntry),
  tags: minorListOf(lenientSelectEntry),
})

export const lenientListCategories = z.object({
  message: text,
  data: listOf(lenientCategory),
  languages: minorListOf(z.string().min(1)),
  limit: number,
})

export const lenientListReviewDates = z.object({ message: text, data: listOf(lenientReviewDateEntry) })

export const lenientListLinks = z.object({ message: text, data: listOf(lenientLinkEntry) })

/** A list whose entries were read one by one, or are yet to be. */
export const lenientAnyList = z.object({ message: text, data: z.array(z.unknown()).nullish() })

/** The same where a list that is missing or null must not look like an empty one. */
export const lenientWholeList = lenientAnyList.extend({ data: z.array(z.unknown()) })

export const lenientReadTag = z.object({ message: text, data: lenientTag, newVersion: flag })

export type LenientReviewDateEntry = z.output<typeof lenientReviewDateEntry>
export type LenientAuthoredEntry = z.output<typeof lenientAuthoredEntry>
export type LenientLinkEntry = z.output<typeof lenientLinkEntry>
export type LenientCategory = z.output<typeof lenientCategory>
export type LenientTag = z.output<typeof lenientTag>
export type LenientReadArticle = z.output<typeof lenientReadArticle>
