import { posix } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Dialect, FieldRule, ValueReading } from '../../core/dialects/dialect.ts'
import { dialectOf } from '../../core/dialects/dialects.ts'
import type {
  FrontmatterData,
  FrontmatterFile,
  FrontmatterMapping,
  ReadFrontmatter,
} from '../../core/dialects/frontmatter-mapping.ts'
import { KbError, reasonOf } from '../../core/errors/kb-error.ts'
import { humanise } from '../../core/numbered-name.ts'
import { isRecord } from '../../core/is-record.ts'
import type { Span } from '../../core/model/diagnostic.ts'
import type { Frontmatter } from '../../core/model/document.ts'
import type { PositionedYaml } from '../frontmatter/yaml-positions.ts'
import type { InheritValues } from './inherited-values.ts'
import { fieldRules, findKey, findMisspeltDraft, readValue } from './readings.ts'
import { FRONTMATTER_START } from '../source/source-problem.ts'
import {
  parseSitePath,
  routeOf,
  routeOfAddress,
  type SitePath,
  slugOfRoute,
  type WrittenRoute,
} from './site-path.ts'

/** Frontmatter converted to our own keys. */
export type MappedFrontmatter = ReturnType<typeof mapFrontmatter>

const NO_KEYS = { translationKey: undefined, navigationName: undefined, route: undefined }

/** Reads the frontmatter of a file with the preset and the user's function. */
export function mapFrontmatter(
  yaml: PositionedYaml,
  source: string,
  mapping: FrontmatterMapping,
  inherit: InheritValues,
) {
  const own = yaml.value ?? {}
  if (yaml.errors.length > 0 || !isRecord(own)) return { yaml, isUntitled: false, isPage: false, ...NO_KEYS }
  const data = inherit(own, source)
  const dialect = mapping.preset && dialectOf(mapping.preset)
  const mapped = dialect === undefined ? untouched(data) : mapByPreset(data, source, mapping, dialect)
  const isLabelled = !mapped.isUntitled && dialect?.text.showsHeadingOnly === true
  const byPreset = isLabelled ? { ...mapped, isUntitled: true } : mapped
  const read = mapping.read === undefined ? byPreset : readByUser(data, source, mapping.read, byPreset)
  const { values, origins, isUntitled } =
    dialect === undefined ? read : withMisspelt(read, byPreset, data, dialect)
  const { translationKey, navigationKey, foldsKeys = false, isPage } = dialect?.frontmatter ?? {}
  const textAt = (key: string | undefined) => {
    const value = key && findKey(data, key, foldsKeys)?.value
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  return {
    /** Positions are those of the original values. */
    yaml: {
      ...placedValues(yaml, values, origins),
      toolKeys: dialect?.frontmatter.fields.filter(({ field }) => field === 'status').map(({ key }) => key),
      written: data,
    },
    /** True if its title is only a fallback, which a heading replaces. */
    isUntitled,
    /** True if only a heading at the start of the text replaces it. */
    titleStartsText: isLabelled || dialect?.text.titleStartsText === true,
    /** True if the file is a page of the site but not an article. */
    isPage: isPage?.(data) === true,
    /** The key that it shares with its translations, if the file sets one. */
    translationKey: textAt(translationKey),
    /** Its name in the navigation, if the file sets one. */
    navigationName: textAt(navigationKey),
    /** The path that the file sets for its page; see `routeOf`. */
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
  { languages, folderName }: FrontmatterMapping,
  dialect: Dialect,
): Mapped {
  const place = parseSitePath(source, { dialect, languages })
  const { foldsKeys = false } = dialect.frontmatter
  const values: Record<string, unknown> = {}
  let route: string | undefined
  let aliasReading: ValueReading | undefined
  const origins = new Map<string, Origin>()
  for (const rule of fieldRules(dialect)) {
    const isSet = rule.field in values
    if (isSet && (rule.field !== 'status' || values['status'] === 'draft')) continue
    const found = findKey(data, rule.key, foldsKeys)
    const read = readValue(rule.reading, found?.value)
    // Several keys may set the status, and a page that one of them makes a draft must not be published.
    if (found === undefined || read === undefined || (isSet && read === 'published')) continue
    values[rule.field] = routed(rule, read, (written) =>
      slugOfRoute((route = routeOf(place, dialect, written))),
    )
    if (rule.field === 'aliases') aliasReading = rule.reading
    origins.set(rule.field, {
      path: [found.key],
      isAsWritten: values[rule.field] === found.value,
      isFlag: FLAG_READINGS.has(rule.reading),
    })
  }
  const { aliases } = values
  if (aliasReading === 'paths' && !(Array.isArray(aliases) && aliases.some(isPath))) delete values['aliases']
  else if (Array.isArray(aliases)) {
    const ownRoute = route ?? routeOf(place, dialect)
    const folder = aliasReading === 'addresses' ? posix.dirname(`/${ownRoute}`) : undefined
    const slug = values['slug'] ?? slugOfRoute(ownRoute)
    const slugs = slugsOf(aliases as unknown[], { folder, language: place.language, slug })
    values['aliases'] = slugs.map(([alias]) => alias)
    const path = origins.get('aliases')?.path ?? []
    origins.set('aliases', { path, isAsWritten: false, items: slugs.map(([, index]) => index) })
  }
  const isUntitled = !('title' in values)
  return {
    values: {
      ...(isUntitled && {
        title: humanise(place.isIndex ? (place.folders.at(-1) ?? folderName) : place.name),
      }),
      ...(!('slug' in values) && { slug: slugOfRoute(routeOf(place, dialect)) }),
      ...(place.language !== undefined && { language: place.language }),
      ...orderByName(place, dialect.paths),
      ...values,
    },
    origins,
    isUntitled,
    route,
  }
}

/** The page of a folder comes before the others, as in the tools. */
function orderByName({ isIndex, name, folders }: SitePath, { orderOf, hasBundles }: Dialect['paths']) {
  const order = orderOf?.(name, folders.at(-1)) ?? (isIndex && hasBundles !== true ? -1 : undefined)
  return order === undefined ? {} : { order }
}

/** Keeps a misspelled key that was meant to make the page a draft, so that the schema reports it. */
function withMisspelt(read: Mapped, byPreset: Mapped, data: FrontmatterData, dialect: Dialect): Mapped {
  const { status } = read.values as Partial<Frontmatter>
  // A status that the user's function sets is the user's decision.
  const isDecided = status === 'draft' || status !== byPreset.values['status']
  const misspelt = isDecided ? undefined : findMisspeltDraft(data, dialect)
  if (misspelt === undefined) return read
  const { key, value } = misspelt
  const origins = new Map([...read.origins, [key, { path: [key], isAsWritten: true }]])
  return { ...read, values: { ...read.values, [key]: value }, origins }
}

interface AliasContext {
  /** Folder of the page in the site, to which paths are relative. Undefined: items that are not paths are left out. */
  readonly folder: string | undefined
  readonly language: string | undefined
  /** Slug of the page itself, which needs no alias. */
  readonly slug: unknown
}

/** Returns the slugs of aliases, each with its index in the file. The schema reports values that are not text. */
function slugsOf(aliases: readonly unknown[], { folder, language, slug }: AliasContext) {
  const known = new Set<unknown>([slug, null, ''])
  return aliases.flatMap((alias, index) => {
    if (folder === undefined && !isPath(alias)) return []
    const found = typeof alias === 'string' ? slugOfAlias(alias.trim(), folder ?? '', language) : alias
    if (known.has(found)) return []
    known.add(found)
    return [[found, index] as const]
  })
}

function slugOfAlias(alias: string, folder: string, language: string | undefined): string {
  if (alias === '') return alias
  const route = routeOfAddress(isPath(alias) ? alias : `${folder}/${alias}`)
  const isPrefixed = language !== undefined && route.startsWith(`${language}/`)
  return slugOfRoute(isPrefixed ? route.slice(language.length) : route)
}

function isPath(alias: unknown): boolean {
  return typeof alias === 'string' && /^\s*(?:\/|https?:)/i.test(alias)
}

function routed({ reading }: FieldRule, value: unknown, slugOf: (written: WrittenRoute) => string): unknown {
  if (typeof value !== 'string') return value
  if (reading === 'address') return slugOf({ address: value })
  return reading === 'name' ? slugOf({ name: value }) : value
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

interface Origin {
  readonly path: readonly PropertyKey[]
  /** Indexes of its items in a written list from which some are left out. */
  readonly items?: readonly number[]
  /** True if it is the written value itself. Only such a value, or a flag, can be fixed. */
  readonly isAsWritten: boolean
  /** True if it is `true` or `false` in the file, and something else in `value`. */
  readonly isFlag?: boolean
}

const FLAG_READINGS: ReadonlySet<ValueReading> = new Set(['flag', 'draft', 'published', 'shown'])

/** By the key of the resulting value. */
type Origins = ReadonlyMap<string, Origin>

/** Adds the positions of their origins to `values`. Values without an origin are at the top. */
function placedValues(yaml: PositionedYaml, values: FrontmatterData, origins: Origins): PositionedYaml {
  const originOf = ([key, ...rest]: readonly PropertyKey[]) => {
    const origin = origins.get(String(key))
    if (origin === undefined) return undefined
    const [item, ...within] = rest
    const written = typeof item === 'number' ? [origin.items?.[item] ?? item, ...within] : rest
    return { ...origin, path: [...origin.path, ...written] }
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
    writtenAs: (path) => ({ isFlag: false, ...(originOf(path) ?? { path }) }),
    positionOfKey: (path, key) => {
      const origin = originOf([...path, key])
      const written = origin?.path.at(-1)
      return origin === undefined || written === undefined
        ? FRONTMATTER_START
        : yaml.positionOfKey(origin.path.slice(0, -1), String(written))
    },
    textOf: (path) => {
      const origin = originOf(path)
      return origin?.isAsWritten === true || origin?.isFlag === true ? yaml.textOf(origin.path) : ''
    },
  }
}

/**
 * Finds the origins of the values that a function returned: a value of the preset, the key with the same name, or the
 * only key with that value.
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

/** Calls the user's function for a file. Ignores undefined values. @throws KbError CONFIG_INVALID */
function applyReader(read: ReadFrontmatter, data: FrontmatterData, file: FrontmatterFile): FrontmatterData {
  const result: unknown = call(() => read(structuredClone(data), file), file.source, 'frontmatter')
  if (typeof result !== 'object' || result === null || Array.isArray(result) || result instanceof Promise) {
    throw new KbError(
      'CONFIG_INVALID',
      `The function frontmatter of the configuration returned no object for ${file.source}.`,
      { hint: 'It must return an object with keys of kb-sync, synchronously.' },
    )
  }
  return Object.fromEntries(Object.entries(result).filter(([, value]) => value !== undefined))
}

/** Calls a function of the configuration. @throws KbError CONFIG_INVALID if it throws */
export function call<Value>(run: () => Value, source: string, name: string): Value {
  try {
    return run()
  } catch (cause) {
    throw new KbError(
      'CONFIG_INVALID',
      `The function ${name} of the configuration failed at ${source}: ${reasonOf(cause)}`,
      {
        hint: 'Fix it in kb.config.ts. It is called for every file, whatever its frontmatter contains.',
        cause,
      },
    )
  }
}
