import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { entriesOf, foldName, isDotted, isInside, relativePath } from '../../core/paths.ts'
import { folderBeside } from '../../content/source/folder-files.ts'
import { createFileNames } from '../../content/write-back/create-file-namer.ts'
import { isSlug, SLUG_RULE } from '../../api/contract/fields.ts'
import { formatCategoryPath } from '../../core/category-path.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import { groupBy } from '../../core/group-by.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import type { PresetName } from '../../core/dialects/dialects.ts'
import type { CategoryIndex } from './choose-categories.ts'
import type { CreateOptions } from './create-options.ts'
import { slugOfTitle } from './slug-of-title.ts'
import { folderInLanguage, learnLayout, placeOfTranslation } from './translation-layout.ts'

/** The known properties of a new article that has no location yet. */
export interface Newcomer {
  readonly title: string
  /** Language code. */
  readonly language: string
  readonly original: LocalArticle | undefined
  /** The first of its categories. */
  readonly category: string
}

export interface ArticlePlace {
  readonly source: string
  readonly slug: string
}

interface Surroundings {
  readonly articles: readonly LocalArticle[]
  /** Every article, including those with errors. */
  readonly sources: readonly string[]
  readonly index: CategoryIndex
  /** Returns the slug of a file that does not set one. */
  readonly slugOf: (source: string) => string
}

/** Chooses a new file for an article, and a slug that is unique in its language. @throws KbError USAGE */
export function placeArticle(
  newcomer: Newcomer,
  options: Pick<CreateOptions, 'settings' | 'cwd' | 'slug' | 'folder'>,
  surroundings: Surroundings,
): ArticlePlace {
  const { settings, slug } = options
  const { contentRoot } = settings
  if (slug !== undefined && !isSlug(slug)) {
    throw new KbError('USAGE', `"${slug}" is not a valid slug. Nothing was written.`, {
      hint: `A slug is ${SLUG_RULE}.`,
    })
  }
  const { folder, name } = chooseFolder(newcomer, options, surroundings)
  const slugs = takenSlugs(newcomer.language, settings.defaultLanguage, surroundings)
  const title = slugOfTitle(newcomer.title)
  const names = namesIn(contentRoot, folder).map((each) => each.replace(/\.[^.]+$/, ''))
  const inFolder = (file: string): string => (folder === '' ? `${file}.md` : `${folder}/${file}.md`)
  if (name === undefined) {
    // The name is the slug, so both must be free. A requested slug is checked later.
    const file = createFileNames([...names, ...(slug === undefined ? slugs : [])])(slug ?? title)
    const source = inFolder(file)
    return { source, slug: slug ?? surroundings.slugOf(source) }
  }
  const isFree = !names.some((each) => each.toLowerCase() === name.toLowerCase())
  const source = inFolder(isFree ? name : createFileNames(names)(name))
  return { source, slug: slug ?? slugOfTranslation(surroundings.slugOf(source), newcomer, slugs) }
}

function chooseFolder(
  { original, language, category }: Newcomer,
  { settings, cwd, folder }: Pick<CreateOptions, 'settings' | 'cwd' | 'folder'>,
  { articles, index }: Surroundings,
): { readonly folder: string; readonly name: string | undefined } {
  const { contentRoot, defaultLanguage } = settings
  const preset = settings.render.frontmatter?.preset
  const layout = learnLayout(articles, defaultLanguage)
  const place =
    original === undefined
      ? undefined
      : placeOfTranslation(
          { source: original.source, language: original.language ?? defaultLanguage },
          language,
          layout,
        )
  if (folder !== undefined)
    return { folder: namedFolder(folder, { cwd, root: settings.root, contentRoot }), name: place?.name }
  if (place !== undefined) return place
  const own = articles.filter((article) => (article.language ?? defaultLanguage) === language)
  const found = folderOfCategory(category, own, index, preset)
  if (found !== undefined) return { folder: found, name: undefined }
  const others = articles.filter((article) => article.language === null)
  const usual =
    folderOfCategory(category, others, index, preset) ?? folderOfNames(index.slugsOf(category), contentRoot)
  const isOther = language !== defaultLanguage
  const languages = { from: defaultLanguage, to: language }
  return { folder: isOther ? folderInLanguage(usual, languages, layout) : usual, name: undefined }
}

/** Returns the slugs in use. An unreadable file may have the slug of its name. */
function takenSlugs(language: string, defaultLanguage: string, { articles, sources, slugOf }: Surroundings) {
  const known = new Set(articles.map(({ source }) => source))
  return [
    ...articles.flatMap((article) =>
      (article.language ?? defaultLanguage) === language ? [article.slug] : [],
    ),
    ...sources.filter((source) => !known.has(source)).map(slugOf),
  ]
}

/**
 * Returns the name of the original if languages have folders. Otherwise the slug comes from the title, because
 * `prices.fr` is not readable.
 */
function slugOfTranslation(ofFile: string, newcomer: Newcomer, slugs: readonly string[]): string {
  const { original, language, title } = newcomer
  const isPlain = isSlug(ofFile) && !ofFile.toLowerCase().endsWith(language.toLowerCase())
  if (isPlain && original !== undefined && !slugs.includes(ofFile)) return ofFile
  return createFileNames(slugs)(slugOfTitle(title))
}

type Article = Pick<LocalArticle, 'source' | 'categories'>

/**
 * Returns the folder with most articles of a category, or of its nearest ancestor with articles; undefined if there are
 * none. Of several, returns the one nearest to the root.
 */
function folderOfCategory(
  reference: string,
  articles: readonly Article[],
  { pathOf }: Pick<CategoryIndex, 'pathOf'>,
  preset?: PresetName,
): string | undefined {
  const path = pathOf(reference)
  const inCategory = (depth: number) => {
    const key = formatCategoryPath(path.slice(0, depth))
    return articles.filter(({ categories }) =>
      categories.some((each) => formatCategoryPath(pathOf(each)) === key),
    )
  }
  for (let depth = path.length; depth > 0; depth--) {
    const folder = mostFolder(inCategory(depth), preset)
    if (folder !== undefined) return folder
  }
  return undefined
}

function mostFolder(articles: readonly Article[], preset: PresetName | undefined): string | undefined {
  const groups = groupBy(articles, ({ source }) => folderBeside(source, preset))
  const [most] = [...groups].toSorted(
    ([a, these], [b, those]) => those.length - these.length || depthOf(a) - depthOf(b) || (a < b ? -1 : 1),
  )
  return most?.[0]
}

function depthOf(folder: string): number {
  return folder === '' ? 0 : folder.split('/').length
}

interface Place {
  readonly cwd: string
  /** The project folder. */
  readonly root: string
  readonly contentRoot: string
}

/** Resolves a folder, which need not exist, to a path in the content folder with `/`. @throws KbError USAGE */
export function namedFolder(folder: string, { cwd, root, contentRoot }: Place): string {
  const bases = isDotted(folder) ? [cwd] : [cwd, root]
  const inProject = bases.map((base) => resolve(base, folder)).find(existsSync) ?? resolve(cwd, folder)
  const isOwn = isDotted(folder) || isInside(contentRoot, inProject)
  const path = isOwn ? inProject : resolve(contentRoot, folder)
  if (!isInside(contentRoot, path)) {
    throw new KbError('USAGE', `${folder} is not in the content folder. Nothing was written.`, {
      hint: `Articles are in ${relative(cwd, contentRoot) || '.'}.`,
    })
  }
  const source = relativePath(contentRoot, path)
  const hidden = source.split('/').find((name) => /^[_.]/.test(name))
  if (hidden !== undefined) {
    throw new KbError('USAGE', `A folder named ${hidden} cannot contain articles. Nothing was written.`, {
      hint: 'kb-sync ignores names that start with _ or a dot; choose another folder.',
    })
  }
  return source
}

/** Returns nested folders with these names. Uses the case of existing folders. */
function folderOfNames(names: readonly string[], contentRoot: string): string {
  let folder = ''
  for (const name of names) {
    const usable = createFileNames([])(name)
    const there = namesIn(contentRoot, folder).find((each) => foldName(each) === foldName(usable)) ?? usable
    folder = folder === '' ? there : `${folder}/${there}`
  }
  return folder
}

/** Returns the names in a folder; none if the folder does not exist. */
function namesIn(contentRoot: string, folder: string): string[] {
  return entriesOf(join(contentRoot, folder)).map(({ name }) => name)
}
