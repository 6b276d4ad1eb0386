// What a client accepts from other services, derived from what our server sends: all members but the keys may be
// missing, null or of another type (then they are undefined), unknown members are dropped, and entries without a usable
// key are left out. The users_… objects are personal data: they are dropped unless the author of an article is
// requested.
import { z } from 'zod'
import { identifiers, type Key } from './fields.ts'
import {
  doneResponse,
  linkEntry,
  listCategoriesResponse,
  listLinksResponse,
  listReviewDatesResponse,
  readArticleResponse,
  readTagResponse,
  type ReviewDateEntry,
  reviewDateEntry,
} from './response.ts'

const usableId = z.union([z.string().min(1), z.number().transform(String)])
// Null has a rule of its own: falling back to `catch` is many times slower in a list of a million entries.
const text = z
  .string()
  .nullable()
  .transform((value) => value ?? undefined)
  .optional()
  .catch(undefined)

/** A list that drops invalid entries; missing or null is an empty list, anything else is rejected. */
function listOf(entry: z.ZodType) {
  return z
    .array(z.unknown())
    .nullish()
    .transform((items) =>
      (items ?? []).flatMap((item) => {
        const parsed = entry.safeParse(item)
        return parsed.success ? [parsed.data] : []
      }),
    )
}

type Shape = Readonly<Record<string, z.ZodType>>

type Lenient<Schema> = Schema extends Key
  ? string
  : Schema extends z.ZodObject<infer Members>
    ? LenientObject<Members>
    : Schema extends z.ZodArray<infer Entry>
      ? NonNullable<Lenient<Entry>>[]
      : NonNullable<z.output<Schema>> | undefined

/** Required members of every response: keys, lists, and the requested item. */
type Kept<Members, Name extends keyof Members> = Members[Name] extends Key | z.ZodArray
  ? true
  : Name extends 'data'
    ? true
    : false

type Wanted<Name> = Name extends 'success' | `users_${string}` ? never : Name

type LenientObject<Members> = {
  [Name in keyof Members as Kept<Members, Name> extends true ? Wanted<Name> : never]: Lenient<Members[Name]>
} & {
  [Name in keyof Members as Kept<Members, Name> extends true ? never : Wanted<Name>]?:
    | Lenient<Members[Name]>
    | undefined
}

interface LenientOptions {
  /** Whether to read the users_… objects. */
  readonly keepsUsers?: boolean
}

/** The schema of an object of our server, relaxed for responses of any server. */
function lenient<Members extends z.core.$ZodShape>(
  strict: z.ZodObject<Members>,
  { keepsUsers = false }: LenientOptions = {},
): z.ZodType<LenientObject<Members>> {
  const members = Object.entries(strict.shape as unknown as Shape)
    .filter(([name]) => name !== 'success' && (keepsUsers || !name.startsWith('users_')))
    .map(([name, schema]) => [name, name === 'data' ? lenientData(schema) : lenientMember(schema)])
  return z.object(Object.fromEntries(members)) as unknown as z.ZodType<LenientObject<Members>>
}

/** The requested data, which every response must have. */
function lenientData(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodArray ? listOf(lenientEntry(schema.element)) : lenientEntry(schema)
}

function lenientMember(schema: z.ZodType): z.ZodType {
  const role = identifiers.get(schema)?.role
  if (role === 'key') return usableId
  if (role === 'reference') return usableId.optional().catch(undefined)
  if (schema instanceof z.ZodArray) return listOf(lenientEntry(schema.element)).catch([])
  if (schema instanceof z.ZodObject) return z.preprocess(firstOf, lenient(schema).optional()).catch(undefined)
  const isOther = [z.ZodNumber, z.ZodBoolean, z.ZodEnum].some((kind) => schema instanceof kind)
  return isOther ? schema.optional().catch(undefined) : text
}

function lenientEntry(schema: z.core.$ZodType): z.ZodType {
  return schema instanceof z.ZodObject ? lenient(schema) : z.string().min(1)
}

// A service may send a list of objects where the specification has one object.
const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)

/**
 * The envelope of every response, checked before the rest: only `success: true` is a success, whatever the HTTP status
 * ("Errors" in the specification).
 */
export const wireEnvelope = z.looseObject({ success: z.boolean(), message: text })

export const lenientDone = lenient(doneResponse)
export const lenientReadArticle = lenient(readArticleResponse)
export const lenientListCategories = lenient(listCategoriesResponse)
export const lenientListReviewDates = lenient(listReviewDatesResponse)
export const lenientListLinks = lenient(listLinksResponse)
export const lenientReadTag = lenient(readTagResponse)

/** A result for each article, which is judged like the response to a request of its own. */
export const lenientBatch = z.object({
  results: z.array(z.looseObject({ status: z.int(), id: usableId.optional().catch(undefined) })),
})

/** The files that a service lacks, and the largest one that it takes, by the extension `files`. */
export const lenientMissingFiles = z.object({
  data: z.array(z.string()),
  limits: z.object({ fileBytes: z.number() }).optional().catch(undefined),
})

export const lenientReviewDateEntry = lenient(reviewDateEntry)
export const lenientLinkEntry = lenient(linkEntry)

/** The same with the article's author, for clients that read names. */
export const lenientAuthoredEntry: z.ZodType<LenientAuthoredEntry> = lenient(reviewDateEntry, {
  keepsUsers: true,
})

/** A list whose entries are read one by one, or later. */
export const lenientAnyList = z.object({ message: text, data: z.array(z.unknown()).nullish() })

/** The same for a list that must be present: missing or null must not look empty. */
export const lenientWholeList = lenientAnyList.extend({ data: z.array(z.unknown()) })

export type LenientReviewDateEntry = z.output<typeof lenientReviewDateEntry>
export type LenientAuthoredEntry = LenientReviewDateEntry & {
  readonly users_articles_created_byTousers?:
    | Partial<ReviewDateEntry['users_articles_created_byTousers']>
    | undefined
}
export type LenientLinkEntry = z.output<typeof lenientLinkEntry>
export type LenientCategory = z.output<typeof lenientListCategories>['data'][number]
export type LenientTag = z.output<typeof lenientReadTag>['data']
export type LenientReadArticle = z.output<typeof lenientReadArticle>
