// What a client accepts from other services, derived from what our server sends: all members but the keys may be
// missing, null or of another type (then they are undefined), unknown members are dropped, and entries without a usable
// key are omitted. The users_… objects are personal data: they are dropped unless the author of an article is
// requested.
import { z } from 'zod'
import { identifiers, type Key } from './fields.ts'
import {
  doneResponse,
  linkEntry,
  listArticlesResponse,
  listCategoriesResponse,
  listLinksResponse,
  listRedirectsResponse,
  listReviewDatesResponse,
  readArticleResponse,
  readTagResponse,
  type ReviewDateEntry,
  reviewDateEntry,
} from './response.ts'

const usableId = z.union([z.string().min(1), z.number().transform(String)])
// Null is handled separately, because falling back to `catch` is many times slower in a list of a million entries.
const text = z
  .string()
  .nullable()
  .transform((value) => value ?? undefined)
  .optional()
  .catch(undefined)

/** Parses a list and drops invalid entries. Missing or null is an empty list, anything else is rejected. */
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
  /** True to read the users_… objects. */
  readonly keepsUsers?: boolean
}

/** Relaxes the schema of an object of our server for responses of any server. */
function lenient<Members extends z.core.$ZodShape>(
  strict: z.ZodObject<Members>,
  { keepsUsers = false }: LenientOptions = {},
): z.ZodType<LenientObject<Members>> {
  const members = membersOf(strict, keepsUsers).map(([name, schema]) => [
    name,
    name === 'data' ? lenientData(schema) : lenientMember(schema),
  ])
  return z.object(Object.fromEntries(members)) as unknown as z.ZodType<LenientObject<Members>>
}

function membersOf({ shape }: z.ZodObject, keepsUsers: boolean): [name: string, schema: z.ZodType][] {
  return Object.entries(shape as unknown as Shape).filter(
    ([name]) => name !== 'success' && (keepsUsers || !name.startsWith('users_')),
  )
}

/** Relaxes the schema of the requested data, which every response must have. */
function lenientData(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodArray ? listOf(lenientEntry(schema.element)) : lenientEntry(schema)
}

function lenientMember(schema: z.ZodType): z.ZodType {
  const role = identifiers.get(schema)?.role
  if (role === 'key') return usableId
  if (role === 'reference') return usableId.optional().catch(undefined)
  if (schema instanceof z.ZodOptional) return lenientMember(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodArray) return listOf(lenientEntry(schema.element)).catch([])
  if (schema instanceof z.ZodObject) return z.preprocess(firstOf, lenient(schema).optional()).catch(undefined)
  const isOther = [z.ZodNumber, z.ZodBoolean, z.ZodEnum].some((kind) => schema instanceof kind)
  return isOther ? schema.optional().catch(undefined) : text
}

function lenientEntry(schema: z.core.$ZodType): z.ZodType {
  return schema instanceof z.ZodObject ? lenient(schema) : z.string().min(1)
}

// A service may send a list of objects instead of the object in the specification.
const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)

/** Reads an entry of a list; undefined if it is omitted. */
export type ReadEntry<Entry> = (value: unknown) => Entry | undefined

/** Creates a fast reader: in lists of thousands of entries, zod reads only those that are not exactly as documented. */
function readerOf<Members extends z.core.$ZodShape>(
  strict: z.ZodObject<Members>,
  options?: LenientOptions,
): ReadEntry<LenientObject<Members>> {
  const schema = lenient(strict, options)
  const readUsual = usualObject(strict, options)
  return (value) => {
    const usual = readUsual(value)
    if (usual !== UNUSUAL) return usual as LenientObject<Members>
    const parsed = schema.safeParse(value)
    return parsed.success ? parsed.data : undefined
  }
}

const UNUSUAL = Symbol('unusual')

/** Returns the same as the lenient schema, or UNUSUAL if the schema must decide. */
type ReadUsual = (value: unknown) => unknown

const onlyBySchema: ReadUsual = () => UNUSUAL

function usualObject(strict: z.ZodObject, { keepsUsers = false }: LenientOptions = {}): ReadUsual {
  const members = membersOf(strict, keepsUsers).map(([name, schema]) => [name, usualMember(schema)] as const)
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return UNUSUAL
    const read: Record<string, unknown> = {}
    for (const [name, readMember] of members) {
      const member = readMember((value as Record<string, unknown>)[name])
      if (member === UNUSUAL) return UNUSUAL
      read[name] = member
    }
    return read
  }
}

function usualMember(schema: z.ZodType): ReadUsual {
  if (identifiers.has(schema)) return (value) => (typeof value === 'string' && value !== '' ? value : UNUSUAL)
  if (schema instanceof z.ZodObject) return usualObject(schema)
  if (schema instanceof z.ZodBoolean) return (value) => (typeof value === 'boolean' ? value : UNUSUAL)
  if (schema instanceof z.ZodEnum) {
    const values = new Set<unknown>(schema.options)
    return (value) => (values.has(value) ? value : UNUSUAL)
  }
  if (schema instanceof z.ZodNumber || schema instanceof z.ZodArray) return onlyBySchema
  return (value) => (typeof value === 'string' ? value : value === null ? undefined : UNUSUAL)
}

/**
 * The envelope of every response, checked before the rest: only `success: true` is a success, whatever the HTTP status
 * ("Errors" in the specification).
 */
export const wireEnvelope = z.looseObject({ success: z.boolean(), message: text })

export const lenientDone = lenient(doneResponse)
export const lenientReadArticle = lenient(readArticleResponse)
export const lenientListArticles = lenient(listArticlesResponse)
export const lenientListCategories = lenient(listCategoriesResponse)
export const lenientListReviewDates = lenient(listReviewDatesResponse)
export const lenientListRedirects = lenient(listRedirectsResponse)
export const lenientListLinks = lenient(listLinksResponse)
export const lenientReadTag = lenient(readTagResponse)

/** A result for each article, which is judged like the response to a separate request. */
export const lenientBatch = z.object({
  results: z.array(z.looseObject({ status: z.int(), id: usableId.optional().catch(undefined) })),
})

/** The files that a service lacks, and the maximum size that it accepts, by the extension `files`. */
export const lenientMissingFiles = z.object({
  data: z.array(z.string()),
  limits: z.object({ fileBytes: z.number() }).optional().catch(undefined),
})

export const readReviewDateEntry = readerOf(reviewDateEntry)
export const readLinkEntry = readerOf(linkEntry)

/** The same with the article's author, for clients that read names. */
export const readAuthoredEntry: ReadEntry<LenientAuthoredEntry> = readerOf(reviewDateEntry, {
  keepsUsers: true,
})

/** A list whose entries are read one by one, or later. */
export const lenientAnyList = z.object({ message: text, data: z.array(z.unknown()).nullish() })

/** The same for a list that must be present: missing or null must not look empty. */
export const lenientWholeList = lenientAnyList.extend({ data: z.array(z.unknown()) })

export type LenientReviewDateEntry = NonNullable<ReturnType<typeof readReviewDateEntry>>
export type LenientAuthoredEntry = LenientReviewDateEntry & {
  readonly users_articles_created_byTousers?:
    | Partial<ReviewDateEntry['users_articles_created_byTousers']>
    | undefined
}
export type LenientLinkEntry = NonNullable<ReturnType<typeof readLinkEntry>>
export type LenientCategory = z.output<typeof lenientListCategories>['data'][number]
export type LenientListedArticle = z.output<typeof lenientListArticles>['data'][number]
export type LenientTag = z.output<typeof lenientReadTag>['data']
export type LenientReadArticle = z.output<typeof lenientReadArticle>
