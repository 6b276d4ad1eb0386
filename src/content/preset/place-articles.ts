import type { LocalTaxonomy } from '../../model/taxonomy.ts'
import type { FrontmatterMapping } from '../../model/frontmatter-mapping.ts'
import type { PresetName } from '../../model/preset-name.ts'
import { formatCategoryPath } from '../../util/category-path.ts'
import type { DocumentDefaults, PlacedDefaults } from '../build-document.ts'
import type { CompiledArticle } from '../compile-sources.ts'
import type { FoundSources } from '../find-sources.ts'
import type { PlacedProblem } from '../placed-problem.ts'
import { createFindTwin } from './find-twin.ts'
import { placeOfFile } from './file-place.ts'
import { createFolderTree } from './folder-tree.ts'
import { isTagsFile } from './folder-files.ts'
import { humanise } from './humanise.ts'
import { nameTags, withNamed } from './named-terms.ts'
import { type FolderTexts, readFolderFile, readTagsFile } from './read-folder-file.ts'

/** What the places of files say of articles, as the tool sees it. */
export interface PlacedArticles {
  readonly defaults: DocumentDefaults
  /** What takes the place of taxonomy files that are not there. */
  readonly taxonomy: LocalTaxonomy
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
  found: Pick<FoundSources, 'folders'>,
  { contentRoot, mapping, preset, defaults }: PlacingOptions,
): PlacedArticles {
  const problems: PlacedProblem[] = []
  const texts = readFolders(contentRoot, found, { mapping, preset }, problems)
  const articles = compiled.filter(({ meta }) => meta.isArticle !== false)
  const folderOf = createFolderOf(articles, mapping)
  const folders = new Set(articles.map(({ source }) => folderOf(source)).filter((folder) => folder !== ''))
  const tree = createFolderTree(folders, (folder) => texts.get(folder) ?? new Map(), preset)
  const atRoot =
    defaults.categories.length > 0
      ? defaults.categories
      : [formatCategoryPath([texts.get('')?.get('')?.name ?? humanise(mapping.folderName)])]
  const findTwin = createFindTwin(articles, mapping)
  const placed = (source: string): PlacedDefaults => {
    const folder = folderOf(source)
    return {
      categories: folder === '' ? atRoot : [formatCategoryPath(tree.pathOf(folder))],
      translationOf: findTwin(source),
    }
  }
  const isAtRoot = articles.some(
    ({ source, meta }) => folderOf(source) === '' && meta.frontmatter?.categories === undefined,
  )
  const named = articles.flatMap(({ meta }) => meta.frontmatter?.categories ?? [])
  return {
    defaults: { ...defaults, placed },
    taxonomy: {
      categories: withNamed(tree.categories, [...(isAtRoot ? atRoot : []), ...named]),
      tags: nameTags(
        found.folders
          .map(({ source }) => source)
          .filter(isTagsFile)
          .flatMap((source) => {
            const read = readTagsFile(contentRoot, source)
            problems.push(...read.problems.map((problem) => ({ source, problem })))
            return read.tags
          }),
        articles.flatMap(({ meta }) => meta.frontmatter?.tags ?? []),
      ),
    },
    problems,
  }
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
