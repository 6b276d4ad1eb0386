import type { Frontmatter } from '../../core/model/document.ts'
import type {
  FrontmatterData,
  FrontmatterFields,
  FrontmatterMapping,
} from '../../core/model/frontmatter-mapping.ts'
import type { PresetName } from '../../core/model/preset-name.ts'
import type { FieldRule } from './field-rule.ts'
import { placeOfFile } from './file-place.ts'
import { findKey } from './find-key.ts'
import { PRESET_RULES } from './preset-rules.ts'
import { readValue, writeValue } from './readings.ts'
import { routeOf, slugOfRoute } from './route-of.ts'

/**
 * The tool's keys that say what `fields` say: where the file says a field already, at that key; else at the key that the
 * tool has for it; else at our own. Null takes a key out.
 */
export function keysToWrite(
  fields: FrontmatterFields,
  data: FrontmatterData,
  source: string,
  mapping: FrontmatterMapping,
): FrontmatterData {
  const { preset } = mapping
  if (preset === undefined) return fields
  const keys: Record<string, unknown> = {}
  for (const field of Object.keys(fields) as (keyof Frontmatter)[]) {
    const value = fields[field] ?? null
    if (value === null || isUnsaid(field, value)) {
      for (const key of keysOf(field, data, preset)) keys[key] = null
    }
    if (value === null || isUnsaid(field, value)) continue
    const { key, reading } = ruleFor(field, data, preset)
    keys[key] =
      field === 'slug'
        ? addressOf(value, routeNow(data, source, mapping, preset), reading)
        : writeValue(reading, value)
  }
  return keys
}

/** The usual is not written down. */
function isUnsaid(field: keyof Frontmatter, value: unknown): boolean {
  return (field === 'hideFromSearch' && value === false) || (Array.isArray(value) && value.length === 0)
}

/** Every key in the file that says something of a field. */
function keysOf(field: keyof Frontmatter, data: FrontmatterData, preset: PresetName): string[] {
  const { fields, foldsKeys } = PRESET_RULES[preset]
  return fields.flatMap((rule) =>
    rule.field === field ? (findKey(data, rule.key, foldsKeys)?.path.join('.') ?? []) : [],
  )
}

function ruleFor(field: keyof Frontmatter, data: FrontmatterData, preset: PresetName): FieldRule {
  const { fields, foldsKeys } = PRESET_RULES[preset]
  const rules = fields.filter((rule) => rule.field === field)
  const said = rules.find(
    ({ key, reading }) => readValue(reading, findKey(data, key, foldsKeys)?.value) !== undefined,
  )
  // What only stands in for a name cannot say a whole address.
  const usable = said?.reading === 'name' ? undefined : said
  const rule = usable ?? rules.find(({ isWritten }) => isWritten === true)
  const written = rule ?? rules[0] ?? { field, key: field, reading: 'own' as const }
  return { ...written, key: findKey(data, written.key, foldsKeys)?.path[0] ?? written.key }
}

/** The address that makes a slug: the one that the file has until now, where that does. */
function addressOf(slug: unknown, route: string, reading: FieldRule['reading']): unknown {
  return reading === 'address' && slugOfRoute(route) === slug ? `/${route}` : writeValue(reading, slug)
}

function routeNow(
  data: FrontmatterData,
  source: string,
  mapping: FrontmatterMapping,
  preset: PresetName,
): string {
  const { fields, foldsKeys } = PRESET_RULES[preset]
  const said = (reading: FieldRule['reading']): string | undefined => {
    const rule = fields.find((each) => each.field === 'slug' && each.reading === reading)
    const value = rule && readValue(reading, findKey(data, rule.key, foldsKeys)?.value)
    return typeof value === 'string' ? value : undefined
  }
  return routeOf(placeOfFile(source, mapping), preset, { address: said('address'), name: said('name') })
}
