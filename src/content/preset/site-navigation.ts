// The positions of pages in the navigation of a site, whose sections replace folders.
import { slug as headingSlug } from 'github-slugger'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { NavigationEntry, SiteNavigation } from '../../core/dialects/dialect.ts'
import { createSourceIndex, type SourceIndex } from '../source/source-index.ts'
import type { SourceProblem } from '../source/source-problem.ts'
import type { CompiledArticle, CompiledMeta } from '../markdown/rendered-body.ts'
import type { FolderTexts } from './read-folder-file.ts'
import { parseSitePath, type Placing } from './site-path.ts'

/**
 * Returns a function that finds the first entry for a file, or for the nearest folder around it, with the folders below
 * that. Translations share it. The file may have another name in the navigation.
 */
export function createFindPlace(entries: readonly NavigationEntry[], placing: Placing) {
  const { routePart } = placing.dialect.paths
  const keyOf = (parts: readonly string[]) => parts.map(routePart).join('/').toLowerCase()
  const pages = new Map<string, NavigationEntry>()
  const folders = new Map<string, NavigationEntry>()
  for (const entry of entries) {
    const { key } = parseSitePath(/\.mdx?$/.test(entry.path) ? entry.path : `${entry.path}.md`, placing)
    const known = entry.kind === 'page' ? pages : folders
    const entryKey = keyOf(key.split('/'))
    if (!known.has(entryKey)) known.set(entryKey, entry)
  }
  return (source: string, name: string | undefined) => {
    const { folders: parts, name: fileName, isIndex } = parseSitePath(source, placing)
    const folderOf = (end: number) => keyOf(parts.slice(0, end))
    const page =
      pages.get(keyOf([...parts, name ?? fileName])) ??
      (isIndex ? pages.get(folderOf(parts.length)) : undefined)
    if (page !== undefined) return { entry: page, below: [] }
    for (let end = parts.length; end > 0; end--) {
      const entry = folders.get(folderOf(end))
      if (entry !== undefined) return { entry, below: parts.slice(end) }
    }
    return undefined
  }
}

export type SectionFolders = ReturnType<typeof createSectionFolders>

interface NavigatedArticle extends Pick<CompiledArticle, 'source'> {
  readonly meta: Pick<CompiledMeta, 'navigationName'>
}

export function createSectionFolders(
  navigation: SiteNavigation | undefined,
  placing: Placing,
  articles: readonly NavigatedArticle[],
) {
  const { entries = [], source = '' } = navigation ?? {}
  const findPlace = createFindPlace(entries, placing)
  const names = new Map(articles.map(({ source: file, meta }) => [file, meta.navigationName]))
  const texts = new Map<string, ReadonlyMap<null, FolderTexts>>()
  for (const { sections } of entries) {
    for (const [index, { name, order }] of sections.entries()) {
      const folder = folderNamed(sections.slice(0, index + 1))
      if (!texts.has(folder)) texts.set(folder, new Map([[null, { ...NOTHING, name, order }]]))
    }
  }
  return {
    /** Returns undefined for a file that no section lists. */
    folderOf: (file: string) => {
      const place = findPlace(file, names.get(file))
      if (place === undefined || place.entry.sections.length === 0) return undefined
      return [folderNamed(place.entry.sections), ...place.below].join('/')
    },
    textsOf: (folder: string) => texts.get(folder),
    sourceOf: (folder: string) => (texts.has(folder) ? source : undefined),
  }
}

const NOTHING = { description: undefined, address: undefined, isListed: false, problems: [] }

/** Its parts become the slug of the category. */
function folderNamed(sections: NavigationEntry['sections']): string {
  return sections
    .map(({ name }) => headingSlug(name.replaceAll('/', ' ')) || encodeURIComponent(name))
    .join('/')
}

/** Reports pages that are listed but do not exist. */
export function missingPages(
  navigation: SiteNavigation | undefined,
  contentRoot: string,
  articles: readonly Pick<CompiledArticle, 'source'>[],
): SourceProblem[] {
  const { entries = [], source = '' } = navigation ?? {}
  let index: SourceIndex | undefined
  return entries.flatMap(({ kind, path, position }): SourceProblem[] => {
    if (kind !== 'page' || position === undefined || existsSync(join(contentRoot, path))) return []
    index ??= createSourceIndex(articles.map((article) => article.source))
    const meant = index.nearest(path)
    const problem = {
      code: 'navigation-page-missing',
      ...position,
      end: { line: position.line, column: position.column + path.length },
      message: `The navigation lists ${path}, which does not exist.`,
      hint: meant === undefined ? 'Create the file, or remove the entry.' : `Did you mean ${meant}?`,
    } as const
    return [{ source, problem }]
  })
}
