import { basename, dirname } from 'node:path'
import type { LocalCategory, LocalTaxonomy } from '../../core/model/taxonomy.ts'
import type { FrontmatterMapping } from '../../core/dialects/frontmatter-mapping.ts'
import type { Dialect, SiteNavigation } from '../../core/dialects/dialect.ts'
import { dialectOf, type PresetName } from '../../core/dialects/dialects.ts'
import { formatCategoryPath } from '../../core/category-path.ts'
import type { DocumentDefaults, CategoryAssignment } from '../frontmatter/build-document.ts'
import type { FoundSources } from '../source/find-sources.ts'
import { humanise } from '../../core/numbered-name.ts'
import {
  createFolderTree,
  type FolderPage,
  folderPages,
  type NamedTerm,
  nameTags,
  type SourceOfFolder,
  type TextsOfFolder,
  withNamed,
} from './folder-categories.ts'
import { type FolderTexts, readFolderFile, readTagsFile } from './read-folder-file.ts'
import type { CompiledArticle, CompiledMeta } from '../markdown/rendered-body.ts'
import { sectionPlaceholder } from '../source/folder-files.ts'
import type { SourceProblem } from '../source/source-problem.ts'
import { createSectionFolders, missingPages, type SectionFolders } from './site-navigation.ts'
import { parseSitePath, type Placing } from './site-path.ts'
import { memoize } from '../../core/memoize.ts'

/** The properties of articles that the tool derives from file locations. */
export interface AssignedArticles {
  readonly defaults: DocumentDefaults
  /** Replaces missing taxonomy files. */
  readonly taxonomy: LocalTaxonomy
  /** The pages of the site that became categories. */
  readonly folderPages: readonly FolderPage[]
  /** Files whose text describes a category, with their languages; null is the default language. */
  readonly descriptions: ReadonlyMap<string, string | null>
  readonly problems: readonly SourceProblem[]
}

/** The properties of an article that the assignment depends on. */
export interface AssignableArticle extends Pick<CompiledArticle, 'source'> {
  readonly meta: Pick<
    CompiledMeta,
    'frontmatter' | 'isArticle' | 'isSection' | 'named' | 'navigationName' | 'translationKey'
  >
}

interface PlacingOptions {
  readonly contentRoot: string
  readonly mapping: FrontmatterMapping
  readonly preset: PresetName
  readonly defaults: DocumentDefaults
  readonly describesCategories: boolean
  readonly navigation: SiteNavigation | undefined
}

/** Assigns the categories of folders to articles, and originals to translations. Reads the folders' files. */
export function assignCategories(
  compiled: readonly AssignableArticle[],
  found: Pick<FoundSources, 'folders' | 'taxonomy'>,
  { contentRoot, mapping, preset, defaults, describesCategories, navigation }: PlacingOptions,
): AssignedArticles {
  const problems = missingPages(navigation, contentRoot, compiled)
  const dialect = dialectOf(preset)
  const placing: Placing = { dialect, languages: mapping.languages }
  const tagsFiles = found.folders.filter(({ source }) => dialect.folders.tagsFile?.test(source))
  const described = found.folders.filter((file) => !tagsFiles.includes(file))
  const texts = readFolders(contentRoot, described, placing, problems)
  const isListed = found.taxonomy.some(({ source }) => source === '_categories.yml')
  const all = compiled.filter(({ meta }) => meta.isArticle !== false)
  const { articles, sections } = sortSections(all, placing, describesCategories && !isListed)
  for (const { source } of sections) describe(texts, source, placing)
  const menu = createSectionFolders(navigation, placing, compiled)
  const textsOf: TextsOfFolder = (folder) => menu.textsOf(folder) ?? texts.get(folder) ?? new Map()
  const sourceOf = createSourceOf(articles, described, placing, menu)
  const folders = new Set(articles.map(({ source }) => source).map(createFolderOf(articles, placing, menu)))
  folders.delete('')
  const tree = createFolderTree(folders, { textsOf, sourceOf }, dialect)
  // A category has one text. The text of another folder with the same name is an article.
  const isDescription = ({ source }: AssignableArticle) => tree.isOwn(folderOfFile(source, placing))
  articles.push(...sections.filter((section) => !isDescription(section)))
  const folderOf = createFolderOf(articles, placing, menu)
  const ownName = writtenNameOfRoot(texts, dialect) ?? nameOfRoot(contentRoot, mapping)
  const atRoot = defaults.categories.length > 0 ? defaults.categories : [formatCategoryPath([ownName])]
  const findTwin = createFindTwin(articles, placing)
  const nameOf = createNameOf(isListed ? [] : tree.categories)
  const categoryOf = (folder: string): string => nameOf(tree.pathOf(folder))
  // All articles of a folder share a list.
  const categoriesOf = memoize((folder: string) => (folder === '' ? atRoot : [categoryOf(folder)]))
  const placed = (source: string): CategoryAssignment => ({
    categories: categoriesOf(folderOf(source)),
    translationOf: findTwin(source),
  })
  const rootSource = articles.find(
    ({ source, meta }) => folderOf(source) === '' && meta.frontmatter?.categories === undefined,
  )?.source
  const ofRoot = rootSource === undefined ? [] : namedIn(rootSource, atRoot)
  const isApart = dialect.folders.hasCategories === true
  const categories = withNamed(tree.categories, [...ofRoot, ...namesIn(articles, 'categories')], isApart)
  return {
    defaults: { ...defaults, placed },
    taxonomy: {
      categories: behindSections(categories, navigation, atRoot),
      tags: nameTags(readTags(contentRoot, tagsFiles, dialect, problems), namesIn(articles, 'tags')),
    },
    descriptions: new Map(
      sections
        .filter(isDescription)
        .map(({ source }) => [source, parseSitePath(source, placing).language ?? null]),
    ),
    folderPages: folderPages(tree.folders, textsOf, categoryOf, dialect),
    problems,
  }
}

/** Ignores the title of a page, which is that of the site's home page. */
function writtenNameOfRoot(
  texts: ReadonlyMap<string, ReadonlyMap<string | null, FolderTexts>>,
  { folders }: Dialect,
): string | undefined {
  return folders.hasText === true ? undefined : texts.get('')?.get(null)?.name
}

/** Uses the folder above if the name of the folder is a language. */
function nameOfRoot(contentRoot: string, { folderName, languages }: FrontmatterMapping): string {
  return humanise(languages.includes(folderName) ? basename(dirname(contentRoot)) : folderName)
}

/** Orders categories that the navigation does not list after those that it lists, except the category of the root. */
function behindSections(
  categories: readonly LocalCategory[],
  navigation: SiteNavigation | undefined,
  atRoot: readonly string[],
): readonly LocalCategory[] {
  if (navigation === undefined) return categories
  const highest = Math.max(
    0,
    ...categories.map(({ path, priority = 0 }) => (path.length === 1 ? priority : 0)),
  )
  const isBehind = ({ path, priority }: LocalCategory) =>
    path.length === 1 && priority === undefined && !atRoot.includes(formatCategoryPath(path))
  return categories.map((each) => (isBehind(each) ? { ...each, priority: highest + 1 } : each))
}

/**
 * Sorts the files of folders. The text of a section describes its category if that exists; a draft, and the only page
 * in a folder, are articles.
 */
function sortSections(all: readonly AssignableArticle[], placing: Placing, describesCategories: boolean) {
  const articles = all.filter(({ meta }) => meta.isSection !== true)
  const folders = new Set<string>()
  const keep = (folder: string): void => {
    const parts = folder === '' ? [] : folder.split('/')
    for (const end of parts.keys()) folders.add(parts.slice(0, end + 1).join('/'))
  }
  const folderOf = createFolderOf(articles, placing)
  for (const { source } of articles) keep(folderOf(source))
  const sections: AssignableArticle[] = []
  const depthOf = ({ source }: AssignableArticle) => source.split('/').length
  // Subfolders come first: an article in one makes the folder a category.
  const waiting = all
    .filter(({ meta }) => meta.isSection === true)
    .toSorted((a, b) => depthOf(b) - depthOf(a))
  for (const section of waiting) {
    const folder = folderOfFile(section.source, placing)
    const isPublished = section.meta.frontmatter?.status !== 'draft'
    if (describesCategories && isPublished && folders.has(folder)) sections.push(section)
    else {
      articles.push(section)
      keep(folders.has(folder) ? folder : folder.split('/').slice(0, -1).join('/'))
    }
  }
  return { articles, sections }
}

function folderOfFile(source: string, placing: Placing): string {
  return parseSitePath(source, placing).folders.join('/')
}

function describe(texts: Map<string, Map<string | null, FolderTexts>>, source: string, placing: Placing) {
  const language = parseSitePath(source, placing).language ?? null
  const own = texts.get(folderOfFile(source, placing))
  const said = own?.get(language)
  if (said !== undefined) own?.set(language, { ...said, longDescription: sectionPlaceholder(source) })
}

/** Returns the path, or the slug if that path is the slug of another category. */
function createNameOf(categories: readonly LocalCategory[]): (path: readonly string[]) => string {
  const slugs = new Map(categories.map(({ path, slug }) => [formatCategoryPath(path), slug]))
  const taken = new Set(slugs.values())
  return (names) => {
    const path = formatCategoryPath(names)
    const slug = slugs.get(path)
    return slug !== undefined && slug !== path && taken.has(path) ? slug : path
  }
}

/** What a file with an invalid value names is known, too. No closure, as those of the result would keep the metas. */
function namesIn(articles: readonly AssignableArticle[], key: 'categories' | 'tags'): NamedTerm[] {
  return articles.flatMap(({ source, meta }) => namedIn(source, (meta.frontmatter ?? meta.named)?.[key]))
}

function namedIn(source: string, names: readonly string[] = []): NamedTerm[] {
  return names.map((name) => ({ name, source }))
}

/** Returns the file that describes a folder or section, else the folder itself. */
function createSourceOf(
  articles: readonly AssignableArticle[],
  files: FoundSources['folders'],
  placing: Placing,
  menu: SectionFolders,
): SourceOfFolder {
  const sources = new Map<string, string>()
  for (const { source } of articles) {
    const { folders } = parseSitePath(source, placing)
    const onDisk = source.split('/').slice(0, -1)
    const above = onDisk.length - folders.length
    for (const end of folders.keys()) {
      const folder = folders.slice(0, end + 1).join('/')
      if (!sources.has(folder)) sources.set(folder, `${onDisk.slice(0, above + end + 1).join('/')}/`)
    }
  }
  for (const { source } of files) {
    const { folders, language } = parseSitePath(source, placing)
    if (language === undefined) sources.set(folders.join('/'), source)
  }
  return (folder) => menu.sourceOf(folder) ?? sources.get(folder) ?? `${folder}/`
}

/** Returns the tags described in files of the tool. */
function readTags(
  contentRoot: string,
  files: FoundSources['folders'],
  dialect: Dialect,
  problems: SourceProblem[],
) {
  return files.flatMap(({ source }) => {
    const read = readTagsFile(contentRoot, source, dialect)
    problems.push(...read.problems.map((problem) => ({ source, problem })))
    return read.tags
  })
}

function readFolders(
  contentRoot: string,
  files: FoundSources['folders'],
  placing: Placing,
  problems: SourceProblem[],
): Map<string, Map<string | null, FolderTexts>> {
  const all = new Map<string, Map<string | null, FolderTexts>>()
  for (const { source } of files) {
    const texts = readFolderFile(contentRoot, source, placing.dialect)
    problems.push(...texts.problems.map((problem) => ({ source, problem })))
    const { folders: names, language = null } = parseSitePath(source, placing)
    const folder = names.join('/')
    const known = all.get(folder) ?? new Map<string | null, FolderTexts>()
    all.set(folder, known.set(language, texts))
  }
  return all
}

/** Returns the folder or section for an article's category. A folder that contains only its own page is that page. */
function createFolderOf(articles: readonly AssignableArticle[], placing: Placing, menu?: SectionFolders) {
  const keys = new Map<string, Set<string>>()
  for (const { source } of articles) {
    const { folders, key } = parseSitePath(source, placing)
    for (const end of folders.keys()) {
      const folder = folders.slice(0, end + 1).join('/')
      keys.set(folder, (keys.get(folder) ?? new Set()).add(key))
    }
  }
  return (source: string): string => {
    const section = menu?.folderOf(source)
    if (section !== undefined) return section
    const { folders, isIndex } = parseSitePath(source, placing)
    const isAlone = isIndex && (keys.get(folders.join('/'))?.size ?? 0) <= 1
    return (isAlone ? folders.slice(0, -1) : folders).join('/')
  }
}

/**
 * Finds the file in the default language that an article translates: one with the same translation key, else one at the
 * same location.
 */
function createFindTwin(
  articles: readonly AssignableArticle[],
  placing: Placing,
): (source: string) => string | undefined {
  const originals = new Map<string, string>()
  const keys = new Map<string, string>()
  for (const { source, meta } of articles) {
    const place = parseSitePath(source, placing)
    const { translationKey } = meta
    if (translationKey !== undefined) keys.set(source, `key ${translationKey}`)
    if (place.language !== undefined) continue
    originals.set(`place ${place.key}`, source)
    if (translationKey !== undefined) originals.set(`key ${translationKey}`, source)
  }
  return (source) => {
    const { language, key } = parseSitePath(source, placing)
    if (language === undefined) return undefined
    return originals.get(keys.get(source) ?? '') ?? originals.get(`place ${key}`)
  }
}
