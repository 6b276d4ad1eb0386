import { isRecord } from '../../core/is-record.ts'
import type { Dialect, FieldRule, ValueReading } from '../../core/dialects/dialect.ts'
import type { FrontmatterData } from '../../core/dialects/frontmatter-mapping.ts'
import type { Frontmatter } from '../../core/model/document.ts'
import { isMisspelt, STATES } from '../frontmatter/fixes.ts'
import { FRONTMATTER_KEYS } from '../frontmatter/frontmatter-schema.ts'

/** Our keys that other sites use with other values. */
const OWN_READINGS: Partial<Record<keyof Frontmatter, ValueReading>> = { aliases: 'paths', status: 'status' }

/** Returns all rules of a tool. Our own keys keep their meaning in its files, unless the tool has the same keys. */
export function fieldRules({ frontmatter: { fields, foreignKeys } }: Dialect): readonly FieldRule[] {
  const own = (FRONTMATTER_KEYS as (keyof Frontmatter)[])
    .filter((field) => foreignKeys?.includes(field) !== true && !fields.some(({ key }) => key === field))
    .map((field): FieldRule => ({ field, key: field, reading: OWN_READINGS[field] ?? 'own' }))
  return [...own, ...fields]
}

/** A frontmatter key as written. */
export interface FoundKey {
  readonly key: string
  readonly value: unknown
}

/** Finds a key in frontmatter. `folds` ignores case. */
export function findKey(data: FrontmatterData, key: string, folds: boolean): FoundKey | undefined {
  const isAlike = (other: string) => other.toLowerCase() === key.toLowerCase()
  const written = Object.hasOwn(data, key) ? key : folds ? Object.keys(data).find(isAlike) : undefined
  return written === undefined ? undefined : { key: written, value: data[written] }
}

/** Returns undefined for a value without effect. A value of the wrong type stays, so that the schema reports it. */
export function readValue(reading: ValueReading, value: unknown): unknown {
  if (isNothing(value)) return undefined
  switch (reading) {
    case 'own':
      return value
    case 'text':
    case 'address':
    case 'name':
      return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
    case 'list':
      return readList(value)
    case 'paths':
    case 'addresses':
      return typeof value === 'string' ? [value] : value
    case 'number':
      return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
        ? Number(value)
        : value
    case 'flag':
      return readFlag(value)
    case 'draft':
      return when(readFlag(value), 'draft', 'published')
    case 'status':
      return readStatus(value)
    case 'shown':
      return when(readFlag(value), false, true)
    case 'published':
      // Other tools write the date of publication there.
      return /\d{4}/.test(String(value)) ? undefined : when(readFlag(value), 'published', 'draft')
    case 'image':
      return readImage(value)
    case 'nested-order':
      return isRecord(value) && typeof value['order'] === 'number' ? value['order'] : undefined
  }
}

/** Returns what must be written to be read as `value` again, or undefined if nothing must be. */
export function writeValue(reading: ValueReading, value: unknown): unknown {
  if (reading === 'draft') return value === 'draft'
  if (reading === 'published') return value !== 'draft'
  if (reading === 'shown') return value !== true
  if (reading === 'address') return typeof value === 'string' ? `/${value}` : undefined
  if (reading === 'addresses' || reading === 'paths')
    return Array.isArray(value) ? value.map((slug) => `/${slug}`) : undefined
  return reading === 'name' ? undefined : value
}

/** Returns true for empty values, which templates of new pages contain. */
function isNothing(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === ''
  return value === null || value === undefined || (Array.isArray(value) && value.every(isNothing))
}

function when(flag: unknown, yes: unknown, no: unknown): unknown {
  return flag === true ? yes : flag === false ? no : flag
}

function readFlag(value: unknown): unknown {
  return value === 'true' ? true : value === 'false' ? false : value
}

/** Other words mean something else, but what may mean a draft must not be published: the schema reports it. */
function readStatus(value: unknown): unknown {
  const text = [value].flat().join(' ').trim().toLowerCase()
  if (STATES.includes(text)) return text
  const [word = '', ...more] = text.match(/[\p{L}\p{N}]+/gu) ?? []
  const isUnclear =
    more.length > 0
      ? [word, ...more].includes('draft') || (word === 'not' && more.includes('published'))
      : /^(?:draft|unpublish)/.test(word) || STATES.some((state) => isMisspelt(word, state))
  return isUnclear ? value : undefined
}

/**
 * Finds a misspelled key that was meant to make the page a draft. A site may have any keys of its own, but this one
 * would be published.
 */
export function findMisspeltDraft(data: FrontmatterData, dialect: Dialect): FoundKey | undefined {
  const rules = fieldRules(dialect)
  const found = Object.entries(data).find(
    ([key, value]) =>
      !rules.some((rule) => rule.key === key) &&
      rules.some(
        (rule) =>
          rule.field === 'status' &&
          isMisspelt(key, rule.key) &&
          readValue(rule.reading, value) === ('draft' satisfies Frontmatter['status']),
      ),
  )
  return found && { key: found[0], value: found[1] }
}

function readList(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)]
  if (!Array.isArray(value)) return value
  return (value as unknown[])
    .filter((item) => !isNothing(item))
    .map((item) => {
      const label = typeof item === 'object' && item !== null && 'label' in item ? item.label : item
      return typeof label === 'number' || typeof label === 'boolean' ? String(label) : label
    })
}

/** Ignores URLs within the site, which lead nowhere from a knowledge base. */
function readImage(value: unknown): unknown {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value]
  return all.find((each) => typeof each === 'string' && /^https?:\/\//i.test(each))
}
