// Values that a page can show without running code: from its frontmatter, and from the site.
import type { Dialect, SiteFile } from '../../core/dialects/dialect.ts'
import { isRecord } from '../../core/is-record.ts'
import { parseSitePath, type Placing } from '../preset/site-path.ts'
import { parsePositionedToml } from '../frontmatter/toml-positions.ts'
import { parsePositionedYaml } from '../frontmatter/yaml-positions.ts'

export type PageValues = Readonly<Record<string, unknown>>

/** Returns the value at a path of keys, as a tool would print it; undefined unless it is one paragraph of text. */
export function textAt(value: unknown, path: readonly string[], foldsCase: boolean): string | undefined {
  return shownTextOf(valueAt(value, path, foldsCase))
}

/** Returns the value at a path of keys; undefined if there is none. */
export function valueAt(value: unknown, path: readonly string[], foldsCase: boolean): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  if (typeof value !== 'object' || value === null) return undefined
  const wanted = foldsCase ? key.toLowerCase() : key
  const entry = Object.entries(value).find(([each]) => (foldsCase ? each.toLowerCase() : each) === wanted)
  return entry === undefined ? undefined : valueAt(entry[1], rest, foldsCase)
}

/** Returns a value as a tool would print it; undefined unless it is one paragraph of text. */
export function shownTextOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') return undefined
  // YAML block scalars end with a line feed.
  const text = value.trimEnd().replaceAll(/(?<![ \t])[ \t]*\r?\n(?=[\p{L}`[(<])/gu, ' ')
  return text === '' || /[\r\n]/.test(text) ? undefined : text
}

const MEMBER = /^\$?front[mM]atter((?:\.[\w$]+|\[(?:'[^'\]]*'|"[^"\]]*"|\d+)\])+)$/

/** Returns the value of `frontMatter.version` or `$frontmatter['version']`; undefined for anything else. */
export function readMember(code: string, values: PageValues): string | undefined {
  const path = MEMBER.exec(code.trim())?.[1]
  if (path === undefined) return undefined
  const keys = [...path.matchAll(/\.([\w$]+)|\[['"]?([^'"\]]*)['"]?\]/g)].map(
    ([, name, index]) => name ?? index ?? '',
  )
  return textAt(values, keys, false)
}

/**
 * Returns the values for a page, in order of precedence. The site's configuration files are merged into one; values for
 * the language of the page override others. An unreadable file has no values.
 */
export function createSiteParams(
  files: readonly SiteFile[],
  placing: Placing,
): (source: string | undefined) => readonly PageValues[] {
  let config: PageValues | undefined
  return (source) => {
    if (files.length === 0) return []
    config ??= readConfiguration(files, placing.dialect)
    const place = source === undefined ? undefined : parseSitePath(source, placing)
    const language = place?.language ?? placing.languages[0]
    const own = language === undefined ? undefined : recordIn(recordIn(config, 'languages'), language)
    return [recordIn(own, 'params'), recordIn(config, 'params')]
  }
}

/** Returns true if the setting exists and is true. */
export function isSiteSetting(
  files: readonly SiteFile[],
  dialect: Dialect,
  path: readonly string[],
): boolean {
  return textAt(readConfiguration(files, dialect), path, true) === 'true'
}

function readConfiguration(files: readonly SiteFile[], dialect: Dialect): PageValues {
  return files.map((file) => readSiteFile(file, dialect)).reduce(merge, {})
}

function readSiteFile({ name, text }: SiteFile, { text: { configStems = [] } }: Dialect): PageValues {
  const value = recordOf(
    (name.endsWith('.toml') ? parsePositionedToml(text) : parsePositionedYaml(text)).value,
  )
  const [, stem = '', language] = /([^/.]+)(?:\.([^/.]+))?\.[^/.]+$/.exec(name) ?? []
  const isRoot = !name.includes('/') || configStems.includes(stem)
  const said = isRoot ? value : { [stem]: value }
  return language === undefined ? said : { languages: { [language]: said } }
}

function merge(one: PageValues, other: PageValues): PageValues {
  const merged: Record<string, unknown> = { ...one }
  for (const [key, value] of Object.entries(other)) {
    const known = Object.keys(one).find((each) => each.toLowerCase() === key.toLowerCase()) ?? key
    const isDeep = isRecord(value) && isRecord(merged[known])
    merged[known] = isDeep ? merge(recordOf(merged[known]), value) : value
  }
  return merged
}

function recordIn(values: PageValues | undefined, key: string): PageValues {
  const found = Object.entries(values ?? {}).find(([each]) => each.toLowerCase() === key.toLowerCase())
  return recordOf(found?.[1])
}

function recordOf(value: unknown): PageValues {
  return isRecord(value) ? value : {}
}
