// Schemas of fields that requests and responses share.
import { z } from 'zod'
import { countCodePoints } from '../../core/code-points.ts'
import { IMAGE_DATA_URL, parseUrl } from '../../core/parse-url.ts'
import { ISO_8601, toTimestamp } from '../../core/timestamp.ts'

/** Maximum length of a written excerpt, in Unicode code points ("Limits" in the specification). */
export const EXCERPT_LIMIT = 160

/** Maximum length of an article's title and of a category's or tag's name, in Unicode code points. */
export const NAME_LIMIT = 500

/** The rule for the length of a name, for messages. */
export const NAME_LENGTH_RULE = `must be at most ${NAME_LIMIT} characters long`

/** True if `text` exceeds the maximum length of a title or a name. */
export function isTooLongName(text: string): boolean {
  // Code points are counted only if there are too many code units.
  return text.length > NAME_LIMIT && (text.length > 2 * NAME_LIMIT || countCodePoints(text) > NAME_LIMIT)
}

/** Maximum length of a URL in the list of links, in bytes of UTF-8. Browsers and servers do not accept longer ones. */
export const LISTED_URL_LIMIT_BYTES = 8192

/** Maximum length of a slug, in Unicode code points. */
const SLUG_LIMIT = 200

const SLUG = /^(?!\.{1,2}$)[^\s/?#\p{Cc}\p{Bidi_C}]{1,200}$/u

/** Characters that slugs must not contain. */
export const NOT_IN_SLUGS = /[\s/?#\p{Cc}\p{Bidi_C}]+/gu

/** The rule for slugs, for messages. It excludes parts of a path with another meaning, and invisible characters. */
export const SLUG_RULE = `1 to ${SLUG_LIMIT} characters without white space, control characters or any of / ? #, neither . nor .. alone`

/** The pattern of a slug for JSON Schema. */
export const SLUG_PATTERN = SLUG.source

/** True if `text` is a valid slug, see `SLUG_RULE`. */
export function isSlug(text: string): boolean {
  return SLUG.test(text)
}

/** Text that any store keeps unchanged. PostgreSQL rejects U+0000, and an unpaired surrogate is not valid UTF-8. */
export const textField = z.string().refine(isStorable, 'must not contain U+0000 or an unpaired surrogate')

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

export const slugField = textField.regex(SLUG, `must be ${SLUG_RULE}`).describe('URL slug.')

export const nameField = textField
  .regex(/\S/, 'must not be empty')
  .refine((text) => !isTooLongName(text), NAME_LENGTH_RULE)
  .meta({ maxLength: NAME_LIMIT })

export const excerptField = textField
  .refine(
    (text) => countCodePoints(text) <= EXCERPT_LIMIT,
    `must be at most ${EXCERPT_LIMIT} characters long`,
  )
  .meta({ description: 'Short summary.', maxLength: EXCERPT_LIMIT })

/** A URL with http or https, one that does not begin with a scheme, or "". Without lookahead, which many languages lack. */
const WEB_URL =
  /^(?:(?:[Hh][Tt][Tt][Pp][Ss]?:\/\/|[^A-Za-z\s\p{Cc}]|[A-Za-z][A-Za-z0-9+.-]*[^A-Za-z0-9+.:\s\p{Cc}-])[^\s\p{Cc}]*|[A-Za-z][A-Za-z0-9+.-]*|)$/u

/** True if a page may load the URL `text`. Other schemes may run code or contain whole files. */
export function isWebUrl(text: string): boolean {
  return WEB_URL.test(text) && parseUrl(text, 'https://relative.invalid') !== undefined
}

/** The URL of an image; "" if there is none. */
export const webUrlField = textField
  .refine(
    isWebUrl,
    'must be an http:// or https:// URL or a relative one, without white space or control characters',
  )
  .meta({ pattern: WEB_URL.source })

const DATA_IMAGE = new RegExp(String.raw`${IMAGE_DATA_URL.source}[^\s\p{Cc}]*$`, 'u')

/** The URL of an image of a category, which may contain the image; "" if there is none. */
export const pictureUrlField = textField
  .refine(
    (text) => isWebUrl(text) || DATA_IMAGE.test(text),
    'must be an http:// or https:// URL, a relative one or data:image/…, without white space or control characters; write an SVG percent-encoded or in base64',
  )
  .meta({ pattern: `${WEB_URL.source}|${DATA_IMAGE.source}` })

export const statusField = z.enum(['draft', 'published']).describe('State of the article.')

// ISO 8601 allows only four digits of a year without further agreement. With more, texts no longer sort by date.
const DATE_RULE =
  'must be a date such as 2027-01-31 or a full ISO 8601 timestamp, within the years 0000 to 9999 in UTC'

/** A written date: a calendar date, a timestamp of any precision, both in ISO 8601, or "" for none. */
export const writtenDateField = z
  .string(DATE_RULE)
  .refine((text) => text === '' || /^\d{4}-/.test(toTimestamp(text) ?? ''), DATE_RULE)
  .meta({
    pattern: `${ISO_8601.source}|^$`,
    description: 'ISO 8601 date or timestamp; a timestamp without offset is in UTC.',
  })

/** The role of an identifier for a client: a key, without which an item is useless, or an optional reference. */
export const identifiers = z.registry<{ readonly role: 'key' | 'reference' }>()

declare const role: unique symbol

/** Text registered as a key. */
export type Key = z.ZodString & { readonly [role]: 'key' }

export function key(description: string): Key {
  return z.string().describe(description).register(identifiers, { role: 'key' }) as Key
}

/** An optional identifier; "" means none in the API. */
export function reference(description?: string): z.ZodString {
  const schema = description === undefined ? z.string() : z.string().describe(description)
  return schema.register(identifiers, { role: 'reference' })
}

/** A timestamp of the service: ISO 8601 in UTC. */
export const timestampField = z.iso.datetime().describe('ISO 8601 timestamp in UTC.')

/** A timestamp that may be unset, which is "". */
export const timestampOrNone = z
  .union([z.iso.datetime(), z.literal('')])
  .describe('ISO 8601 timestamp in UTC, or "".')

/** Query of the reads in the extension `languages`. */
export const languageQuery = z.object({
  lang: z
    .string()
    .optional()
    .describe(
      'Extension `languages`: the translation into this language. If there is none yet, a copy with newVersion true.',
    ),
})

/** Maximum number of entries in a page of a list. */
export const PAGE_LIMIT = 1000

/** Query of the lists in the extension `paging`. */
export const pageQuery = z.object({
  limit: z
    .string()
    .regex(/^(?:[1-9]\d{0,2}|1000)$/, `must be a number from 1 to ${PAGE_LIMIT}`)
    .optional()
    .describe(`Extension \`paging\`: maximum number of entries in the response, 1 to ${PAGE_LIMIT}.`),
  cursor: z
    .string()
    .optional()
    .describe('Extension `paging`: the cursor of the previous page; omitted for the first one.'),
})

/** Query of the list of articles in the extension `changed-since`. */
export const changesQuery = pageQuery.extend({
  changedSince: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a revision that the service has returned')
    .optional()
    .describe(
      'The revision that a former list returned: only later changes are listed. Default: all articles.',
    ),
})

export const languageField = z.string().nullable().describe('Language code; null for the default language.')

export const languageParentField = z
  .string()
  .nullable()
  .describe('Identifier of the original item when this one is a translation, else null.')
  .register(identifiers, { role: 'reference' })
