import { isDeepStrictEqual } from 'node:util'
import type { Dialect, FieldRule, ValueReading } from '../../core/dialects/dialect.ts'
import { dialectOf } from '../../core/dialects/dialects.ts'
import type {
  FrontmatterData,
  FrontmatterFields,
  FrontmatterMapping,
  WrittenFrontmatterFile,
} from '../../core/dialects/frontmatter-mapping.ts'
import type { Frontmatter } from '../../core/model/document.ts'
import type { SplitFile } from '../frontmatter/split-frontmatter.ts'
import type { PositionedYaml } from '../frontmatter/yaml-positions.ts'
import type { InheritValues } from './inherited-values.ts'
import { call, mapFrontmatter, type MappedFrontmatter } from './map-frontmatter.ts'
import { fieldRules, findKey, type FoundKey, readValue, writeValue } from './readings.ts'
import { editKeys } from '../write-back/edit-keys.ts'
import { isSectionPage } from '../source/folder-files.ts'
import { formatOf, splitToolFile } from '../frontmatter/split-tool-file.ts'
import { defaultSlugOf, parseSitePath, routeOf, slugOfRoute } from './site-path.ts'

/** The text of a file after its frontmatter was written. */
interface WrittenFile {
  readonly text: string
  /** Fields that were not written, because they would not be read back correctly. */
  readonly unwritten: readonly (keyof Frontmatter)[]
}

/** Files with frontmatter of a tool or in the user's own format. */
export interface FrontmatterFiles {
  /** @param text without byte order mark */
  readonly split: (text: string) => SplitFile
  readonly map: (yaml: PositionedYaml, source: string) => MappedFrontmatter
  readonly inherit: InheritValues
  /** True for the page of a section, whose text may belong to the category of the folder. */
  readonly isSection: (source: string) => boolean
  /** Returns the slug of a file that does not set one. */
  readonly slugOf: (source: string) => string
  /** Changes fields of a file, given as its whole text. `former` is its previous source. */
  readonly edit: (text: string, fields: FrontmatterFields, source: string, former?: string) => WrittenFile
  readonly create: (fields: Frontmatter, body: string, source: string) => WrittenFile
}

/** Reads and writes files with frontmatter of a tool or in the user's own format. */
export function createFrontmatterFiles(
  mapping: FrontmatterMapping,
  inherit: InheritValues = (own) => own,
): FrontmatterFiles {
  const dialect = mapping.preset && dialectOf(mapping.preset)
  const split: FrontmatterFiles['split'] = (text) => splitToolFile(text, dialect)
  const map: FrontmatterFiles['map'] = (yaml, source) => mapFrontmatter(yaml, source, mapping, inherit)
  return {
    split,
    map,
    inherit,
    isSection: (source) => isSectionPage(source, mapping.preset),
    slugOf: (source) => defaultSlugOf(source, mapping),
    ...createFieldWriter(mapping, dialect, { split, map }),
  }
}

type Field = keyof Frontmatter

/**
 * Writes fields of kb-sync to frontmatter of a tool or the user. Each field is read back, and written only if the
 * result is correct.
 */
function createFieldWriter(
  mapping: FrontmatterMapping,
  dialect: Dialect | undefined,
  { split, map }: Pick<FrontmatterFiles, 'split' | 'map'>,
): Pick<FrontmatterFiles, 'edit' | 'create'> {
  const readFields = (text: string, source: string): FrontmatterData => {
    const parts = split(text.replace(/^\uFEFF/, ''))
    return parts.kind === 'problem' ? {} : asData(map(parts.yaml, source).yaml.value)
  }
  const write = (text: string, fields: FrontmatterFields, source: string, former: string): string => {
    const plain = text.replace(/^\uFEFF/, '')
    const parts = split(plain)
    if (parts.kind === 'problem') return text
    const data = asData(parts.yaml.value)
    const keys =
      mapping.write === undefined
        ? keysToWrite(fields, { data, source: former }, dialect, mapping)
        : call(() => mapping.write?.(fields, { source, data }) ?? {}, source, 'frontmatter.write')
    return editKeys(text, keys, formatOf(plain, dialect), parts.body)
  }
  const edit = (text: string, changed: FrontmatterFields, source: string, former: string): WrittenFile => {
    const all = write(text, changed, source, former)
    const read = readFields(all, source)
    const unwritten = namesOf(changed).filter((field) => !isRead(read, field, changed[field]))
    if (unwritten.length === 0) return { text: all, unwritten }
    const kept = pick(changed, (field) => !unwritten.includes(field))
    return { text: namesOf(kept).length === 0 ? text : write(text, kept, source, former), unwritten }
  }
  const changesOf = (text: string, fields: FrontmatterFields, source: string): FrontmatterFields => {
    const before = readFields(text, source)
    return pick(fields, (field) => !isRead(before, field, fields[field]))
  }
  return {
    edit: (text, fields, source, former = source) =>
      edit(text, changesOf(text, fields, source), source, former),
    create: (fields, body, source) => {
      const text = body.replace(/^\s*\n/, '')
      const empty = `---\n---\n${text.trim() === '' ? '' : `\n${text}`}`
      // A title equal to that from the file name is also written, because the file may be renamed.
      const wanted = { title: fields.title, ...changesOf(empty, fields, source) }
      return edit(empty, wanted, source, source)
    },
  }
}

function namesOf(fields: FrontmatterFields): Field[] {
  return Object.keys(fields) as Field[]
}

function pick(fields: FrontmatterFields, isWanted: (field: Field) => boolean): FrontmatterFields {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => isWanted(field as Field)))
}

/** No value is equivalent to an empty one. */
function isRead(data: FrontmatterData, field: Field, wanted: unknown): boolean {
  const valueOf = (value: unknown) => (Array.isArray(value) && value.length === 0 ? null : (value ?? null))
  const read = valueOf(data[field])
  return isDeepStrictEqual(read, valueOf(wanted)) || (field === 'hideFromSearch' && !read && wanted !== true)
}

function asData(value: unknown): FrontmatterData {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as FrontmatterData)
    : {}
}

/**
 * Returns the tool's keys for `fields`: the key that already sets a field, else the tool's key for it, else our own.
 * Null removes a key.
 */
function keysToWrite(
  fields: FrontmatterFields,
  { data, source }: WrittenFrontmatterFile,
  dialect: Dialect | undefined,
  { languages }: FrontmatterMapping,
): FrontmatterData {
  if (dialect === undefined) return fields
  const { foldsKeys = false } = dialect.frontmatter
  const rules = fieldRules(dialect).map((rule) => ({ ...rule, found: findKey(data, rule.key, foldsKeys) }))
  const routeNow = (): string => {
    const place = parseSitePath(source, { dialect, languages })
    return routeOf(place, dialect, { address: slugSaid(rules, 'address'), name: slugSaid(rules, 'name') })
  }
  const keys: Record<string, unknown> = {}
  for (const field of Object.keys(fields) as (keyof Frontmatter)[]) {
    const value = fields[field] ?? null
    const ofField = rules.filter((rule) => rule.field === field)
    if (value === null || isUnsaid(field, value)) {
      for (const { found, reading } of ofField)
        if (found !== undefined && reading !== 'nested-order') keys[found.key] = null
      continue
    }
    const { key, reading, found } = ruleFor(field, ofField)
    const isRoute = reading === 'address' && slugOfRoute(routeNow()) === value
    // The path that sets a slug is the current one of the file, if it sets one.
    keys[found?.key ?? key] = isRoute ? `/${routeNow()}` : writeValue(reading, value)
    // Each of several keys makes a page a draft.
    for (const other of field === 'status' && value !== 'draft' ? ofField : [])
      if (other.found !== undefined && readValue(other.reading, other.found.value) === 'draft')
        keys[other.found.key] = writeValue(other.reading, value)
  }
  return keys
}

/** Returns true for default values, which are not written. */
function isUnsaid(field: keyof Frontmatter, value: unknown): boolean {
  return (field === 'hideFromSearch' && value === false) || (Array.isArray(value) && value.length === 0)
}

/** A rule, and its key in the file. */
interface AppliedRule extends FieldRule {
  readonly found?: FoundKey | undefined
}

function ruleFor(field: keyof Frontmatter, rules: readonly AppliedRule[]): AppliedRule {
  const said = rules.find(({ reading, found }) => readValue(reading, found?.value) !== undefined)
  // A key that only replaces the name cannot set a whole path, and a mapping has other values.
  const usable = said?.reading === 'name' || said?.reading === 'nested-order' ? undefined : said
  const rule = usable ?? rules.find(({ isWritten }) => isWritten === true)
  return rule ?? rules[0] ?? { field, key: field, reading: 'own' }
}

function slugSaid(rules: readonly AppliedRule[], reading: ValueReading): string | undefined {
  const rule = rules.find((each) => each.field === 'slug' && each.reading === reading)
  const value = rule && readValue(reading, rule.found?.value)
  return typeof value === 'string' ? value : undefined
}
