// Frontmatter that a site sets for its pages: in the file that describes a section, or in its navigation.
import { dialectOf } from '../../core/dialects/dialects.ts'
import type { Dialect, NavigationEntry, SiteFile } from '../../core/dialects/dialect.ts'
import type { FrontmatterData, FrontmatterMapping } from '../../core/dialects/frontmatter-mapping.ts'
import { isRecord } from '../../core/is-record.ts'
import { parseSitePath, type Placing } from './site-path.ts'
import { findKey, readValue } from './readings.ts'
import { createFindPlace } from './site-navigation.ts'
import { splitToolFile } from '../frontmatter/split-tool-file.ts'

/** Adds inherited values to those of a file. Its own take precedence, then those of the nearest section. */
export type InheritValues = (own: FrontmatterData, source: string) => FrontmatterData

type CreateMatches = (glob: string) => (path: string) => boolean

/** A part of the inherited values, and the pages that inherit it. */
type Inheritance = ReturnType<typeof readInheritance>

export async function loadInheritValues(mapping: FrontmatterMapping): Promise<InheritValues> {
  const { sections, navigation, preset, languages } = mapping
  if (preset === undefined) return (own) => own
  if (navigation !== undefined)
    return createNavigationValues(navigation, { dialect: dialectOf(preset), languages })
  if (sections === undefined) return (own) => own
  const { default: picomatch } = await import('picomatch')
  // Paths are compared in lower case.
  return createInheritValues(sections, { dialect: dialectOf(preset), languages }, (glob) => {
    const matches = picomatch(glob.toLowerCase())
    return (path) => matches(path)
  })
}

/** A label in the navigation is the title of a page that sets none, except for translations. */
function createNavigationValues(entries: readonly NavigationEntry[], placing: Placing): InheritValues {
  const findPlace = createFindPlace(entries, placing)
  const { navigationKey } = placing.dialect.frontmatter
  return (own, source) => {
    const name = navigationKey === undefined ? undefined : own[navigationKey]
    const { entry } = findPlace(source, typeof name === 'string' ? name : undefined) ?? {}
    if (entry?.kind !== 'page') return own
    const isOriginal = parseSitePath(source, placing).language === undefined
    const isLabelled = isOriginal && readValue('text', own['title']) === undefined
    return {
      order: entry.order,
      ...own,
      ...(isLabelled && entry.title !== undefined && { title: entry.title }),
    }
  }
}

function createInheritValues(
  files: readonly SiteFile[],
  placing: Placing,
  createMatches: CreateMatches,
): InheritValues {
  const sections = files
    .map(({ name, text }) => {
      const { folders, language } = parseSitePath(name, placing)
      return { folders, language, inheritances: readCascade(text, placing.dialect, createMatches) }
    })
    .toSorted((a, b) => b.folders.length - a.folders.length)
  return (own, source) => {
    const { folders, language, name } = parseSitePath(source, placing)
    const page = {
      paths: [source, [...folders, name].join('/')].map((path) => `/${path.toLowerCase()}`),
      kind: name === '_index' ? 'section' : 'page',
      lang: language ?? placing.languages[0],
    }
    const values: Record<string, unknown> = { ...own }
    for (const section of sections) {
      const isAbove = section.folders.every((folder, index) => folder === folders[index])
      if (!isAbove || section.language !== language) continue
      for (const { values: handed, path, kind, lang } of section.inheritances) {
        const isMeant =
          (path === undefined || page.paths.some(path)) &&
          (kind === undefined || kind === page.kind) &&
          (lang === undefined || lang === page.lang)
        if (!isMeant) continue
        for (const [key, value] of Object.entries(handed))
          if (findKey(values, key, true) === undefined) values[key] = value
      }
    }
    return values
  }
}

/** Reads a map, or a list of maps that may name their targets. An unreadable one passes nothing on. */
function readCascade(text: string, dialect: Dialect, createMatches: CreateMatches): readonly Inheritance[] {
  const { cascadeKey } = dialect.frontmatter
  const split = splitToolFile(text, dialect)
  if (cascadeKey === undefined || split.kind === 'problem' || !isRecord(split.yaml.value)) return []
  const cascade = findKey(split.yaml.value, cascadeKey, true)?.value
  return [cascade]
    .flat()
    .filter(isRecord)
    .map((each) => readInheritance(each, createMatches))
}

function readInheritance(cascade: FrontmatterData, createMatches: CreateMatches) {
  const target = findKey(cascade, '_target', true) ?? findKey(cascade, 'target', true)
  const isTarget = ([key]: readonly [string, unknown]) => key !== target?.key
  const named = (key: string) => {
    const value = isRecord(target?.value) ? findKey(target.value, key, true)?.value : undefined
    return typeof value === 'string' ? value : undefined
  }
  const path = named('path')
  return {
    values: Object.fromEntries(Object.entries(cascade).filter(isTarget)),
    path: path === undefined ? undefined : createMatches(path),
    kind: named('kind'),
    lang: named('lang'),
  }
}
