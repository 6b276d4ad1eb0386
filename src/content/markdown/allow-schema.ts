import { defaultSchema, type Schema } from 'hast-util-sanitize'
import { find, html, type Info } from 'property-information'
import { ALLOWED_ELEMENTS } from '../../core/model/element-mapping.ts'
import type { MarkdownOptions } from './rendered-body.ts'

type Definitions = NonNullable<NonNullable<Schema['attributes']>[string]>

// Elements whose content is not text for readers, or would become visible without its parent.
const STRIPPED = ['script', 'style', 'template', 'iframe', 'object', 'noembed', 'noframes', 'svg', 'math']

// As a class name from a Markdown plugin (one string) and from parsed HTML (an array of words).
const BLOCK_CLASS = /^markdown-(?:alert(-[a-z]+)?( markdown-alert-[a-z]+)*|tab(-title)?)$/

const MEDIA: Definitions = ['controls', 'loop', 'muted', 'preload', 'src']

const ADDED_ATTRIBUTES: Readonly<Record<string, Definitions>> = {
  a: ['name', 'target', 'rel'],
  div: [['className', BLOCK_CLASS]],
  p: [['className', BLOCK_CLASS]],
  img: ['loading', 'sizes', 'srcSet'],
  source: ['media', 'sizes', 'src', 'type'],
  audio: MEDIA,
  track: ['default', 'kind', 'label', 'src', 'srcLang'],
  // `autoplay` is not allowed.
  video: [...MEDIA, 'height', 'playsInline', 'poster', 'width'],
}

/**
 * Returns GitHub's allow-list with the additions of `allow`.
 *
 * Ids keep their names; otherwise links to headings and footnotes would break. The risk of names chosen by authors
 * (they become properties of `document`) comes from `name`, which is allowed only on `a`. URLs are not checked here,
 * see `screenUrl`.
 */
export function createSchema(allow: MarkdownOptions['allow']): Schema {
  const tags = (allow.tags ?? []).map((tag) => tag.toLowerCase())
  return {
    ...defaultSchema,
    tagNames: [...ALLOWED_ELEMENTS, ...tags],
    attributes: mergeAttributes(allow.attributes ?? {}),
    // By default, every input becomes a read-only check box, unless `allow` contains inputs.
    required: tags.includes('input') ? {} : (defaultSchema.required ?? {}),
    strip: STRIPPED,
    clobber: [],
    protocols: {},
  }
}

/** Returns true if an attribute, by its HTML name, is allowed on an element with at least one value. */
export function isAllowedAttribute({ attributes }: Schema, element: string, name: string): boolean {
  // The library has no entry for names that every object has, such as `__proto__`.
  const { property = name } = (find(html, name) as Partial<Info> | undefined) ?? {}
  return ['*', element].some((tag) =>
    attributes?.[tag]?.some((definition) => {
      const allowed = typeof definition === 'string' ? definition : definition[0]
      return allowed === property || (allowed === 'data*' && property.startsWith('data'))
    }),
  )
}

function mergeAttributes(allowed: Readonly<Record<string, readonly string[]>>): Record<string, Definitions> {
  // Without a prototype, an element such as `constructor` has no attributes.
  const merged = Object.assign(Object.create(null) as Record<string, Definitions>, defaultSchema.attributes)
  merged['*'] = (merged['*'] ?? []).filter((name) => name !== 'name')
  for (const [tag, definitions] of Object.entries(ADDED_ATTRIBUTES))
    merged[tag] = [...definitions, ...(merged[tag] ?? [])]
  for (const [tag, names] of Object.entries(allowed)) allowEvery(merged, tag.toLowerCase(), names)
  return merged
}

/** Allows the attributes `names` of `tag` with every value. */
function allowEvery(merged: Record<string, Definitions>, tag: string, names: readonly string[]): void {
  const properties = names.map((name) => find(html, name).property)
  // The definition for a tag precedes the one for all tags, and the first one applies.
  const tags = tag === '*' ? Object.keys(merged) : [tag]
  for (const each of tags) merged[each] = [...properties, ...(merged[each] ?? [])]
}
