import { isDeepStrictEqual } from 'node:util'
import type { Span } from '../../core/model/diagnostic.ts'
import type { Frontmatter } from '../../core/model/document.ts'
import type { FrontmatterData, FrontmatterMapping } from '../../core/model/frontmatter-mapping.ts'
import type { PresetName } from '../../core/model/preset-name.ts'
import { isRecord } from '../../core/is-record.ts'
import { FRONTMATTER_START } from '../source/placed-problem.ts'
import type { PositionedYaml } from '../frontmatter/yaml-positions.ts'
import { applyReader } from './apply-reader.ts'
import type { FieldRule } from './field-rule.ts'
import { placeOfFile } from './file-place.ts'
import type { InheritValues } from './inherited-values.ts'
import { humanise } from './humanise.ts'
import { findKey } from './find-key.ts'
import { PRESET_RULES } from './preset-rules.ts'
import { readValue } from './readings.ts'
import { routeOf, slugOfRoute } from './route-of.ts'

/** Frontmatter in our own words, as if it had been written so. */
export interface MappedFrontmatter {
  /** Positions are those of what each value was made from. */
  readonly yaml: PositionedYaml
  /** Whether its title is only a name for want of a better one: a heading is. */
  readonly isUntitled: boolean
  /** Whether the file is a page of the site and no article. */
  readonly isPage: boolean
  /** What joins an article with its translations, where the file says it. */
  readonly translationKey: string | undefined
  /** The address that the file gives itself, where it does; see `routeOf`. */
  readonly route: string | undefined
}

/** Reads the frontmatter of a file by the preset and the user's function. */
export function mapFrontmatter(
  yaml: PositionedYaml,
  source: string,
  mapping: FrontmatterMapping,
  inherit: InheritValues,
): MappedFrontmatter {
  const own = yaml.value ?? {}
  if (yaml.errors.length > 0 || !isRecord(own))
    return { yaml, isUntitled: false, isPage: false, translationKey: undefined, route: undefined }
  const data = inherit(own, source)
  const { preset } = mapping
  const byPreset = preset === undefined ? untouched(data) : mapByPreset(data, source, mapping, preset)
  const { values, origins, isUntitled } =
    mapping.read === undefined ? byPreset : readByUser(data, source, mapping.read, byPreset)
  const rules = preset === undefined ? undefined : PRESET_RULES[preset]
  const key = rules?.translationKey === undefined ? undefined : find(data, rules.translationKey, rules)?.value
  return {
    yaml: placedValues(yaml, values, origins),
    isUntitled,
    isPage: rules?.isPage(data) === true,
    translationKey: typeof key === 'string' && key !== '' ? key : undefined,
    route: byPreset.route,
  }
}

interface Mapped {
  readonly route?: string | undefined
  readonly values: FrontmatterData
  readonly origins: Origins
  readonly isUntitled: boolean
}

function untouched(data: FrontmatterData): Mapped {
  return {
    values: data,
    origins: new Map(Object.keys(data).map((key) => [key, { path: [key], isAsWritten: true }])),
    isUntitled: false,
  }
}

function mapByPreset(
  data: FrontmatterData,
  source: string,
  mapping: FrontmatterMapping,
  preset: PresetName,
): Mapped {
  const rules = PRESET_RULES[preset]
  const place = placeOfFile(source, mapping)
  const values: Record<string, unknown> = {}
  let route: string | undefined
  const origins = new Map<string, Origin>()
  for (const rule of rules.fields) {
    if (rule.field in values) continue
    const found = find(data, rule.key, rules)
    const read = readValue(rule.reading, found?.value)
    if (found === undefined || read === undefined) continue
    values[rule.field] = routed(rule, read, (written) =>
      slugOfRoute((route = routeOf(place, preset, written))),
    )
    origins.set(rule.field, { path: found.path, isAsWritten: values[rule.field] === found.value })
  }
  const isUntitled = !('title' in values)
  const { folderName } = mapping
  return {
    values: {
      ...(isUntitled && {
        title: humanise(place.isIndex ? (place.folders.at(-1) ?? folderName) : place.name),
      }),
      ...(!('slug' in values) && { slug: slugOfRoute(routeOf(place, preset)) }),
      ...(place.language !== undefined && { language: place.language }),
      ...values,
    },
    origins,
    isUntitled,
    route,
  }
}

function routed(
  { reading }: FieldRule,
  value: unknown,
  slugOf: (written: { readonly address?: string; readonly name?: string }) => string,
): unknown {
  if (typeof value !== 'string') return value
  if (reading === 'address') return slugOf({ address: value })
  return reading === 'name' ? slugOf({ name: value }) : value
}

function find(data: FrontmatterData, key: string, { foldsKeys }: { readonly foldsKeys: boolean }) {
  return findKey(data, key, foldsKeys)
}

function readByUser(
  data: FrontmatterData,
  source: string,
  read: NonNullable<FrontmatterMapping['read']>,
  { values: mapped, origins, isUntitled }: Mapped,
): Mapped {
  const values = applyReader(read, data, { source, mapped })
  return {
    values,
    origins: originsOfMapped(values, { mapped, origins }, data),
    isUntitled: isUntitled && values['title' satisfies keyof Frontmatter] === mapped['title'],
  }
}

/** What a value was made from. */
interface Origin {
  readonly path: readonly PropertyKey[]
  /** Whether it is the very value that stands there: only then can it be repaired there. */
  readonly isAsWritten: boolean
}

/** By the key of the value that was made. */
type Origins = ReadonlyMap<string, Origin>

/** `values` as if they stood where they come from; what comes from nowhere stands at the top. */
function placedValues(yaml: PositionedYaml, values: FrontmatterData, origins: Origins): PositionedYaml {
  const originOf = ([key, ...rest]: readonly PropertyKey[]) => {
    const origin = origins.get(String(key))
    return origin && { path: [...origin.path, ...rest], isAsWritten: origin.isAsWritten }
  }
  const positionOf = (path: readonly PropertyKey[]): Span => {
    const origin = originOf(path)
    return origin === undefined ? FRONTMATTER_START : yaml.positionOf(origin.path)
  }
  return {
    value: values,
    errors: yaml.errors,
    trailingSpaces: yaml.trailingSpaces,
    positionOf,
    positionOfKey: (path, key) => {
      const origin = originOf([...path, key])
      const written = origin?.path.at(-1)
      return origin === undefined || written === undefined
        ? FRONTMATTER_START
        : yaml.positionOfKey(origin.path.slice(0, -1), String(written))
    },
    textOf: (path) => {
      const origin = originOf(path)
      return origin?.isAsWritten === true ? yaml.textOf(origin.path) : ''
    },
  }
}

/**
 * Where the values that a function returned may come from: what the preset made of it, the key of that name, or the one
 * key that has that value.
 */
function originsOfMapped(
  values: FrontmatterData,
  { mapped, origins }: { readonly mapped: FrontmatterData; readonly origins: Origins },
  data: FrontmatterData,
): Origins {
  const found = Object.entries(values).flatMap(([key, value]) => {
    const known = origins.get(key)
    if (known !== undefined && isDeepStrictEqual(mapped[key], value)) return [[key, known] as const]
    const same = Object.keys(data).filter((each) => isDeepStrictEqual(data[each], value))
    const [only, other] = same
    if (same.includes(key)) return [[key, { path: [key], isAsWritten: true }] as const]
    if (only !== undefined && other === undefined)
      return [[key, { path: [only], isAsWritten: true }] as const]
    const near = known?.path ?? (Object.hasOwn(data, key) ? [key] : undefined)
    return near === undefined ? [] : [[key, { path: near, isAsWritten: false }] as const]
  })
  return new Map(found)
}
