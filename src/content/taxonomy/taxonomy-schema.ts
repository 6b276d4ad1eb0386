import * as z from 'zod'
import {
  isSlug,
  isTooLongName,
  NAME_LENGTH_RULE,
  NAME_LIMIT,
  SLUG_PATTERN,
  SLUG_RULE,
} from '../../api/contract/fields.ts'
import { explainNotText } from '../../core/explain-issue.ts'
import { parseUrl } from '../../core/parse-url.ts'

/** A URL without white space, or a path: without a scheme and without a leading host. */
const PICTURE =
  /^(?:[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s\p{Cc}]*|(?![A-Za-z][A-Za-z0-9+.-]*:)(?!\/\/)\S[^\p{Cc}]*)$/u

/** Returns true if `iconUrl` or `thumbnailUrl` is a URL, not a path. */
export function isUrl(value: string): boolean {
  return /^https?:/i.test(value)
}

const text = z.string({ error: explainNotText })
const reference = text
  .refine((value) => value.trim() !== '', 'must not be empty')
  .meta({ pattern: String.raw`\S` })
const name = reference
  .refine((value) => !isTooLongName(value), {
    error: NAME_LENGTH_RULE,
    params: { hint: 'Shorten it, and move the rest to the description.' },
  })
  .meta({ pattern: String.raw`\S`, maxLength: NAME_LIMIT })
const slug = text.refine(isSlug, `must be ${SLUG_RULE}`).meta({ pattern: SLUG_PATTERN })
const picture = text
  .refine(
    (value) => PICTURE.test(value) && (!isUrl(value) || parseUrl(value) !== undefined),
    'must be the path of an image, or a URL without white space that starts with http:// or https://',
  )
  .meta({ pattern: PICTURE.source })
  .optional()
  .describe('Path of an image, or its URL: http or https.')
const ids = z.union(
  [text.min(1), z.record(z.string(), text.min(1))],
  'must be an id, or a map from target name to id',
)

const texts = {
  name: name.describe('Unique among its siblings.'),
  slug: slug.optional().describe('Required if the target is updated.'),
  description: text.optional().describe('Plain text.'),
  longDescription: text.optional().describe('Markdown.'),
}

const translations = z
  .record(
    z.string(),
    z.strictObject({ ...texts, slug: slug.describe('Slug in this language.') }),
    'must be a map from language code to { name, slug }',
  )
  .optional()
  .describe('By language code: name, slug and texts.')

const ID = 'Only for remote targets: the id, or a map from target name to id.'

const NOT_AN_ENTRY = 'must have keys and values, such as `name: Guides`'

const category = z.strictObject(
  {
    ...texts,
    priority: z.number('must be a number').optional().describe('Determines the order of the categories.'),
    parent: reference.optional().describe('Slug, name, or path of names separated by /.'),
    thumbnailUrl: picture,
    iconUrl: picture,
    translations,
    id: ids.optional().describe(ID),
  },
  NOT_AN_ENTRY,
)

const tag = z.strictObject({ ...texts, translations, id: ids.optional().describe(ID) }, NOT_AN_ENTRY)

export type WrittenCategory = z.infer<typeof category>
export type WrittenTag = z.infer<typeof tag>

const NOT_A_LIST = 'must be a list; start each entry with `- name: …`'

/** `_categories.yml`: a flat list. */
export const categoriesSchema = z
  .array(category, NOT_A_LIST)
  .meta({ title: '_categories.yml of kb-sync', description: 'A flat list of categories.' })

/** `_tags.yml`: a flat list. */
export const tagsSchema = z
  .array(tag, NOT_A_LIST)
  .meta({ title: '_tags.yml of kb-sync', description: 'A flat list of tags.' })

export const CATEGORY_KEYS = Object.keys(category.shape)
export const TAG_KEYS = Object.keys(tag.shape)
