import type { LocalCategory, LocalTaxonomy } from '../../model/taxonomy.ts'
import type { FrontmatterMapping } from '../../model/frontmatter-mapping.ts'
import type { PresetName } from '../../model/preset-name.ts'
import { formatCategoryPath } from '../../util/category-path.ts'
import type { DocumentDefaults, PlacedDefaults } from '../build-document.ts'
import type { CompiledArticle } from '../compile-sources.ts'
import type { FoundSources } from '../find-sources.ts'
import type { PlacedProblem } from '../placed-problem.ts'
import { createFindTwin } from './find-twin.ts'
import { placeOfFile } from './file-place.ts'
import { type FolderPage, folderPages } from './folder-pages.ts'
import { createFolderTree, type SourceOfFolder, type TextsOfFolder } from './folder-tree.ts'
import { isTagsFile } from './folder-files.ts'
import { humanise } from './humanise.ts'
import { type NamedTerm, nameTags, withNamed } from './named-terms.ts'
import { type FolderTexts, readFolderFile, readTagsFile } from './read-folder-file.ts'

/** What the places of files say of articles, as the tool sees it. */
export interface PlacedArticles {
  readonly defaults: DocumentDefaults
  /** What takes the place of taxonomy files that are not there. */
  readonly taxonomy: LocalTaxonomy
  /** The pages of the site that became categories. */
  readonly folderPages: readonly FolderPage[]
  readonly problems: readonly PlacedProblem[]
}

export interface PlacingOptions {
  readonly contentRoot: string
  readonly mapping: FrontmatterMapping
  readonly preset: PresetName
  readonly defaults: DocumentDefaults
}

/** Gives articles the categories that their folders make, and translations their originals. Reads the folders' files. */
export function placeArticles(
  compiled: readonly CompiledArticle[],
  found: Pick<FoundSources, 'folders' | 'taxonomy'>,
  { contentRoot, mapping, preset, defaults }: PlacingOptions,
): PlacedArticles {
  const problems: PlacedProblem[] = []
  const texts = readFolders(contentRoot, found, { mapping, preset }, problems)
  const articles = compiled.filter(({ meta }) => meta.isArticle !== false)
  const folderOf = createFolderOf(articles, mapping)
  const folders = new Set(articles.map(({ source }) => folderOf(source)).filter((folder) => folder !== ''))
  const textsOf: TextsOfFolder = (folder) => texts.get(folder) ?? new Map()
  const tree = createFolderTree(
    folders,
    {
      textsOf,
      sourceOf: createSourceOf(articles, found.folders, mapping),
    },
    preset,
  )
  const atRoot =
    defaults.categories.length > 0
      ? defaults.categories
      : [formatCategoryPath([texts.get('')?.get('')?.name ?? humanise(mapping.folderName)])]
  const findTwin = createFindTwin(articles, mapping)
  const isListed = found.taxonomy.some(({ source }) => source === '_categories.yml')
  const nameOf = createNameOf(isListed ? [] : tree.categories)
  const categoryOf = (folder: string): string => nameOf(tree.pathOf(folder))
  const placed = (source: string): PlacedDefaults => {
    const folder = folderOf(source)
    return {
      categories: folder === '' ? atRoot : [categoryOf(folder)],
      translationOf: findTwin(source),
    }
  }
  const rootSource = articles.find(
    ({ source, meta }) => folderOf(source) === '' && meta.frontmatter?.categories === undefined,
  )?.source
  const named = articles.flatMap(({ source, meta }) => namedIn(source, meta.frontmatter?.categories))
  const ofRoot = rootSource === undefined ? [] : namedIn(rootSource, atRoot)
  return {
    defaults: { ...defaults, placed },
    taxonomy: {
      categories: withNamed(tree.categories, [...ofRoot, ...named], preset === 'hugo'),
      tags: nameTags(
        found.folders
          .map(({ source }) => source)
          .filter(isTagsFile)
          .flatMap((source) => {
            const read = readTagsFile(contentRoot, source)
            problems.push(...read.problems.map((problem) => ({ source, problem })))
            return read.tags
          }),
        articles.flatMap(({ source, meta }) => namedIn(source, meta.frontmatter?.tags)),
      ),
    },
    folderPages: folderPages(tree.folders, { textsOf, categoryOf }, preset),
    problems,
  }
}

/** The path, or the slug where that path is the slug of another. */
function createNameOf(categories: readonly LocalCategory[]): (path: readonly string[]) => string {
  const slugs = new Map(categories.map(({ path, slug }) => [formatCategoryPath(path), slug]))
  const taken = new Set(slugs.values())
  return (names) => {
    const path = formatCategoryPath(names)
    const slug = slugs.get(path)
    return slug !== undefined && slug !== path && taken.has(path) ? slug : path
  }
}

function namedIn(source: string, names: readonly string[] = []): NamedTerm[] {
  return names.map((name) => ({ name, source }))
}

/** The file that describes a folder, else the folder as it lies in the content folder. */
function createSourceOf(
  articles: readonly CompiledArticle[],
  files: FoundSources['folders'],
  mapping: FrontmatterMapping,
): SourceOfFolder {
  const sources = new Map<string, string>()
  for (const { source } of articles) {
    const { folders } = placeOfFile(source, mapping)
    const onDisk = source.split('/').slice(0, -1)
    const above = onDisk.length - folders.length
    for (const end of folders.keys()) {
      const folder = folders.slice(0, end + 1).join('/')
      if (!sources.has(folder)) sources.set(folder, `${onDisk.slice(0, above + end + 1).join('/')}/`)
    }
  }
  for (const { source } of files) {
    const { folders, language } = placeOfFile(source, mapping)
    if (language === undefined && !isTagsFile(source)) sources.set(folders.join('/'), source)
  }
  return (folder) => sources.get(folder) ?? `${folder}/`
}

/** What folders say of themselves, by folder and language. */
function readFolders(
  contentRoot: string,
  { folders }: Pick<FoundSources, 'folders'>,
  { mapping, preset }: Pick<PlacingOptions, 'mapping' | 'preset'>,
  problems: PlacedProblem[],
): Map<string, Map<string, FolderTexts>> {
  const all = new Map<string, Map<string, FolderTexts>>()
  for (const { source } of folders) {
    if (isTagsFile(source)) continue
    const texts = readFolderFile(contentRoot, source, preset)
    problems.push(...texts.problems.map((problem) => ({ source, problem })))
    const { folders: names, language = '' } = placeOfFile(source, mapping)
    const folder = names.join('/')
    const known = all.get(folder) ?? new Map<string, FolderTexts>()
    all.set(folder, known.set(language, texts))
  }
  return all
}

/** The folder whose category an article is in; a folder with nothing but its own page is that page. */
function createFolderOf(articles: readonly CompiledArticle[], mapping: FrontmatterMapping) {
  const keys = new Map<string, Set<string>>()
  for (const { source } of articles) {
    const { folders, key } = placeOfFile(source, mapping)
    for (const end of folders.keys()) {
      const folder = folders.slice(0, end + 1).join('/')
      keys.set(folder, (keys.get(folder) ?? new Set()).add(key))
    }
  }
  return (source: string): string => {
    const { folders, isIndex } = placeOfFile(source, mapping)
    const isAlone = isIndex && (keys.get(folders.join('/'))?.size ?? 0) <= 1
    return (isAlone ? folders.slice(0, -1) : folders).join('/')
  }
}
