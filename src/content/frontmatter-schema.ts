import * as z from 'zod'
import { EXCERPT_LIMIT, isSlug } from '../contract/fields.ts'
import { isCalendarDate } from '../util/calendar-date.ts'
import { countCodePoints } from '../util/code-points.ts'

const text = z.string('must be text; put it in quotes')

// `refine` carries the diagnostic's code in `params`; everything without one is a `frontmatter-value`.
const date = z
  .string('must be a date such as 2027-01-31, or never')
  .refine((value) => value === 'never' || isCalendarDate(value), {
    error: 'must be a date that exists, such as 2027-01-31, or never',
    params: { code: 'date-invalid' },
  })

const slug = text.refine(isSlug, {
  error: 'must be 1 to 200 characters without white space or any of / ? #',
  params: { code: 'slug-invalid' },
})

const excerpt = text.refine((value) => countCodePoints(value) <= EXCERPT_LIMIT, {
  error: (issue) =>
    `has ${countCodePoints(String(issue.input))} characters; at most ${EXCERPT_LIMIT} are allowed`,
  params: { code: 'excerpt-too-long' },
})

const references = z.array(text.min(1, 'must not be empty'), 'must be a list, such as [Guides, Accounts]')

/** The frontmatter of an article, strict: an unknown key is an error. */
export const frontmatterSchema = z
  .strictObject({
    title: text.refine((value) => value.trim() !== '', {
      error: 'must not be empty',
      params: { code: 'title-missing' },
    }),
    slug: slug.optional().describe('Default: the file name; index.md and README.md take their folder’s.'),
    categories: references
      .min(1, 'must name at least one category')
      .optional()
      .describe('Slugs, names, or paths of names joined by /.'),
    tags: references.optional().describe('Slugs or names.'),
    excerpt: excerpt.optional().describe('Default: the first paragraph, cut at a word.'),
    status: z.enum(['draft', 'published'], 'must be draft or published').optional(),
    reviewDate: date.optional().describe('A calendar date YYYY-MM-DD, or never.'),
    language: text
      .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language code such as fr or pt-BR')
      .optional(),
    translationOf: text.min(1, 'must not be empty').optional().describe('Slug or path of the original.'),
    order: z.number('must be a number').optional(),
    hideFromSearch: z.boolean('must be true or false').optional(),
    seoBannerUrl: z
      .string('must be an address')
      .refine(
        (value) => URL.canParse(value) && /^https?:/.test(value),
        'must be an address that begins with https://',
      )
      .optional(),
  })
  .meta({ title: 'Frontmatter of a kb-sync article' })

export const FRONTMATTER_KEYS = Object.keys(frontmatterSchema.shape)
