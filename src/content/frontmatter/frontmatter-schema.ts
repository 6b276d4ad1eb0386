import * as z from 'zod'
import {
  EXCERPT_LIMIT,
  isSlug,
  isTooLongName,
  isWebUrl,
  NAME_LENGTH_RULE,
  NAME_LIMIT,
  SLUG_PATTERN,
  SLUG_RULE,
} from '../../api/contract/fields.ts'
import { MOST_ALIASES } from '../../api/contract/request.ts'
import { explainNotText } from '../../core/explain-issue.ts'
import { isCalendarDate } from '../../core/calendar-date.ts'
import { isLanguageCode, LANGUAGE_CODE } from '../../core/language-code.ts'

const text = z.string({ error: explainNotText })

// `refine` passes the diagnostic code in `params`. All other problems are a `frontmatter-value`.
const date = z
  .string('must be a date such as 2027-01-31, or never')
  .refine((value) => value === 'never' || isCalendarDate(value), {
    error: 'must be an existing date, such as 2027-01-31, or never',
    params: { code: 'date-invalid' },
  })
  .meta({ pattern: String.raw`^(never|\d{4}-\d{2}-\d{2})$`, examples: ['2027-01-31', 'never'] })

const slug = text
  .refine(isSlug, { error: `must be ${SLUG_RULE}`, params: { code: 'slug-invalid' } })
  .meta({ pattern: SLUG_PATTERN })

// A rule with a configurable severity checks the length, so only the JSON Schema for editors contains it.
const excerpt = text.meta({ maxLength: EXCERPT_LIMIT })

const listOf = z.array(text.min(1, 'must not be empty'), 'must be a list, such as [Guides, Accounts]')

const listOrItem = <List extends z.ZodType>(list: List) =>
  z
    .preprocess((value) => (typeof value === 'string' && value !== '' ? [value] : value), list)
    .meta({ anyOf: [{ type: 'string', minLength: 1 }] })

const references = listOrItem(listOf)

/** A URL without white space, or a path: without a scheme and without a leading slash. */
const BANNER =
  /^(?:(?:[Hh][Tt][Tt][Pp][Ss]?:\/\/|\/)[^\s\p{Cc}]*|(?![A-Za-z][A-Za-z0-9+.-]*:)[^\s/\p{Cc}][^\p{Cc}]*)$/u

/** Returns true if `seoBannerUrl` is the path of a file, not a URL. */
export function isBannerPath(value: string): boolean {
  return value !== '' && !/^(?:https?:)?\//i.test(value)
}

/** The frontmatter of an article. Strict: an unknown key is a problem. */
export const frontmatterSchema = z
  .strictObject({
    title: text
      .refine((value) => value.trim() !== '', {
        error: 'must not be empty',
        params: { code: 'title-missing' },
      })
      .refine((value) => !isTooLongName(value), {
        error: NAME_LENGTH_RULE,
        params: { code: 'title-too-long' },
      })
      .meta({ description: 'Title of the article.', pattern: String.raw`\S`, maxLength: NAME_LIMIT }),
    slug: slug
      .optional()
      .describe('Default: the file name; for index.md and README.md, the name of their folder.'),
    aliases: listOrItem(
      z
        .array(slug, 'must be a list, such as [old-slug]')
        .max(MOST_ALIASES, `must have at most ${MOST_ALIASES} entries`),
    )
      .optional()
      .describe('Other slugs that lead to the article, such as former ones.'),
    categories: listOrItem(listOf.min(1, 'must name at least one category'))
      .optional()
      .describe('Slugs, names, or paths of names separated by /.'),
    tags: references.optional().describe('Slugs or names.'),
    excerpt: excerpt
      .optional()
      .describe(`At most ${EXCERPT_LIMIT} characters. Default: the first paragraph, cut at a word.`),
    status: z
      .enum(['draft', 'published'], 'must be draft or published')
      .optional()
      .describe('Default: draft, or the value in kb.config.ts.'),
    reviewDate: date
      .optional()
      .describe('A calendar date YYYY-MM-DD, or never. Default: in 180 days, or as set in kb.config.ts.'),
    language: text
      .refine(isLanguageCode, 'must be a language code such as fr or pt-BR')
      .meta({ pattern: LANGUAGE_CODE.source })
      .optional()
      .describe('Language code such as fr or pt-BR. Default: the default language of the project.'),
    translationOf: text.min(1, 'must not be empty').optional().describe('Slug or path of the original.'),
    order: z.number('must be a number').optional().describe('Position among its neighbours. Default: 0.'),
    hideFromSearch: z
      .boolean('must be true or false')
      .optional()
      .describe('If true, search does not find the article. Default: false.'),
    seoBannerUrl: z
      .string('must be the path of an image, or a URL')
      .min(1, 'must not be empty')
      .refine(
        (url) => BANNER.test(url) && (isBannerPath(url) || isWebUrl(url)),
        'must be the path of an image, or a URL without white space that starts with http://, https:// or a slash',
      )
      .optional()
      .meta({
        description:
          'Path of the banner that is shown when the article is shared, or its URL: http, https or root-relative.',
        pattern: BANNER.source,
      }),
  })
  .meta({ title: 'Frontmatter of a kb-sync article', description: 'The block at the top of an article.' })

/** Only the lists of names, regardless of other errors. An invalid list counts as empty. */
export const namedSchema = z.object({ categories: references.catch([]), tags: references.catch([]) })

export const FRONTMATTER_KEYS = Object.keys(frontmatterSchema.shape)
