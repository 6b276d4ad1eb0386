import { findDuplicateSlugs, findUnknownReferences } from '../../content/rules/check-references.ts'
import { findWrongTranslations, createFindOriginal } from '../../content/rules/check-translations.ts'
import type { Settings } from '../../core/config/settings.ts'
import { defaultSlugOf } from '../../content/preset/site-path.ts'
import { createSourceFilter } from '../../content/source/find-sources.ts'
import { dialectOf } from '../../core/dialects/dialects.ts'
import { withoutBundled } from '../../content/source/folder-files.ts'
import { loadFrontmatterFiles } from '../../content/preset/load-frontmatter-files.ts'
import { KbError, reasonWithoutPath } from '../../core/errors/kb-error.ts'
import type { LocalArticle, Document } from '../../core/model/document.ts'
import { createSeverityOf } from '../../core/model/create-severity-of.ts'
import { isLanguageCode } from '../../core/language-code.ts'
import { canPrepare, workspaceOf } from '../../sync/state/workspace.ts'
import { contentPrefix, findContent, openContent } from '../../sync/content-project.ts'
import { createCategoryIndex, type CategoryIndex } from './category-index.ts'
import { composeArticle, type Composed } from './compose-article.ts'
import type { CreatedArticle, CreateOptions } from './create-options.ts'
import { namedFolder, placeArticle } from './place-article.ts'
import { resolve, dirname, join } from 'node:path'
import { isInside, relativePath } from '../../core/paths.ts'
import { formatCategoryPath } from '../../core/category-path.ts'
import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import { nearest } from '../../core/nearest.ts'
import { mkdirSync, realpathSync, statSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'

/**
 * Creates the file of a new article, which passes `kb check`. Frontmatter, folder and file name follow the existing
 * files, which stay unchanged.
 *
 * @throws KbError USAGE, CONTENT_UNREADABLE, FILES_UNWRITABLE, WORKSPACE_UNWRITABLE, CONFIG_INVALID, INTERRUPTED
 */
export async function createArticle(options: CreateOptions): Promise<CreatedArticle> {
  const { settings, cwd, dryRun = false } = options
  const { contentRoot, defaultLanguage } = settings
  const title = readTitle(options.title)
  const language = readLanguage(options)
  const { articles, taxonomy, sources, placed, isListed } = await readProject(options)
  const mapping = settings.render.frontmatter
  const slugOf = (source: string) => defaultSlugOf(source, mapping)
  const search = {
    articles,
    sources,
    cwd,
    root: settings.root,
    contentRoot,
    language: language === defaultLanguage ? null : language,
  }
  const original =
    options.translationOf === undefined ? undefined : findNamedArticle(options.translationOf, search)
  if (original !== undefined) assertTranslatable(original, language, articles, settings)
  const index = createCategoryIndex(articles, taxonomy)
  const ofFolder =
    options.folder === undefined
      ? undefined
      : categoriesOfFolder(namedFolder(options.folder, search), { articles, placed, index, isListed })
  const categories = await chooseCategories(options, original, index, ofFolder)
  const newcomer = { title, language, original, category: categories[0] ?? '' }
  const place = placeArticle(newcomer, options, { articles, sources, index, slugOf })
  await assertIncluded(place.source, settings)
  assertNoPart(place.source, sources, settings)
  const tags = [...new Set(options.tags ?? original?.tags ?? [])]
  const today = (options.now ?? (() => new Date()))().toISOString().slice(0, 10)
  const composed = composeArticle({ ...newcomer, place, categories, tags, today }, articles, settings, {
    files: await loadFrontmatterFiles(mapping),
    placed,
    slugOf,
  })
  const own = isListed ? [] : (placed?.(place.source).categories ?? [])
  const named = { ...composed.document, categories: categories.filter((each) => !own.includes(each)) }
  refuseFaulty(named, articles, { taxonomy, isListed })
  const folder = { contentRoot, prefix: contentPrefix(settings) }
  if (!dryRun) await writeNewFile(folder, place.source, composed.text)
  const isAlike = (other: LocalArticle) =>
    other.title === title && (other.language ?? defaultLanguage) === language
  const result = toResult(composed, original, language, { settings, dryRun })
  const same = articles.find(isAlike)
  return same === undefined ? result : { ...result, sameTitle: `${folder.prefix}${same.source}` }
}

// Control characters and noncharacters would be kept in a title forever.
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const UNSEEN = /[\u0000-\u001F\u007F-\u009F\u2028\u2029\p{Surrogate}]/gu

function readTitle(written: string): string {
  const title = written.replaceAll(UNSEEN, ' ').replaceAll(/\s+/gu, ' ').trim()
  if (title !== '') return title
  throw new KbError('USAGE', 'The title is empty. Nothing was written.', {
    hint: 'Put it in quotes: kb new "Reset your password".',
  })
}

function readLanguage({ language, translationOf, settings }: CreateOptions): string {
  if (language === undefined) {
    if (translationOf === undefined) return settings.defaultLanguage
    throw new KbError('USAGE', 'A translation needs a language. Nothing was written.', {
      hint: 'Add it with --language, such as --language fr.',
    })
  }
  if (!isLanguageCode(language)) {
    throw new KbError('USAGE', `"${language}" is not a language code. Nothing was written.`, {
      hint: 'Use a language code such as fr or pt-BR.',
    })
  }
  const { target, server } = settings
  if (target.kind === 'builtin' && !server.languages.includes(language)) {
    throw new KbError('USAGE', `The server has no language ${language}. Nothing was written.`, {
      hint: `Add it to server.languages in kb.config.ts, which lists ${server.languages.join(', ')}.`,
    })
  }
  return language
}

async function readProject({ settings, signal }: CreateOptions) {
  const found = await findContent(settings)
  const { content, cache } = await openContent(settings, found, {
    signal,
    leavesNoTrace: !canPrepare(workspaceOf(settings.root)),
  })
  cache.close()
  const sources = found.articles.map(({ source }) => source)
  const { articles, taxonomy, placed } = content
  const lists = (file: string) => found.taxonomy.some(({ source }) => source === file)
  // Without the file, a preset knows the tags that articles name, and a new one is one of them.
  const tags = lists('_tags.yml') ? taxonomy.tags : undefined
  // With the file, a folder makes no category.
  return { articles, taxonomy: { ...taxonomy, tags }, sources, placed, isListed: lists('_categories.yml') }
}

function assertTranslatable(
  original: LocalArticle,
  language: string,
  articles: readonly LocalArticle[],
  { defaultLanguage }: Settings,
): void {
  const { source } = original
  if ((original.language ?? defaultLanguage) === language) {
    throw new KbError('USAGE', `${source} is already in ${language}. Nothing was written.`, {
      hint: 'A translation must be in a different language from its original.',
    })
  }
  if (original.translationOf !== undefined) {
    throw new KbError('USAGE', `${source} is itself a translation. Nothing was written.`, {
      hint: `Name the original: --translation-of ${original.original ?? original.translationOf}.`,
    })
  }
  const other = articles.find(
    (article) => article.original === source && (article.language ?? defaultLanguage) === language,
  )
  if (other !== undefined) {
    throw new KbError(
      'USAGE',
      `${source} has a translation into ${language}: ${other.source}. Nothing was written.`,
      { hint: 'Edit that file.' },
    )
  }
}

async function assertIncluded(source: string, { include, exclude }: Settings): Promise<void> {
  const isIncluded = await createSourceFilter(include, exclude)
  if (isIncluded(source)) return
  throw new KbError(
    'USAGE',
    `${source} would not be an article: include and exclude leave it out. Nothing was written.`,
    { hint: 'Choose another folder with --dir, or change include or exclude in kb.config.ts.' },
  )
}

/** Rejects a file in the folder of a page if the tool treats it as a part of that page. */
function assertNoPart(source: string, sources: readonly string[], { render }: Settings): void {
  const preset = render.frontmatter?.preset
  const files = [...sources, source].map((each) => ({ source: each }))
  if (preset === undefined || withoutBundled(files, preset).length > sources.length) return
  throw new KbError('USAGE', `${source} would be part of another page. Nothing was written.`, {
    hint: `In ${dialectOf(preset).label}, a folder with an index.md is a single page: choose another folder with --dir.`,
  })
}

function toResult(
  { document, text }: Composed,
  original: LocalArticle | undefined,
  language: string,
  { settings, dryRun }: { readonly settings: Settings; readonly dryRun: boolean },
): CreatedArticle {
  const prefix = contentPrefix(settings)
  const { source, title, slug, categories, tags, status } = document
  return {
    file: `${prefix}${source}`,
    line: text.split('\n').length,
    title,
    slug,
    language,
    categories,
    tags,
    ...(original !== undefined && { original: `${prefix}${original.source}` }),
    status,
    missing: createSeverityOf(settings)('excerpt-missing', source) === 'off' ? [] : ['excerpt'],
    text,
    dryRun,
  }
}

/**
 * Throws for problems that `kb check` would report in a new article: an unknown category or tag, or a taken slug.
 *
 * @throws KbError USAGE
 */
function refuseFaulty(
  document: Document,
  articles: readonly LocalArticle[],
  { taxonomy, isListed }: Pick<Awaited<ReturnType<typeof readProject>>, 'taxonomy' | 'isListed'>,
): void {
  const all = [...articles, document]
  const problems = [
    ...findUnknownReferences([document], taxonomy, isListed ? undefined : UNKNOWN_FOLDER),
    ...findDuplicateSlugs(all),
    ...findWrongTranslations(all, createFindOriginal(all)),
  ]
  const found = problems.find(({ source }) => source === document.source)?.problem
  if (found === undefined) return
  const { message, hint } = found
  throw new KbError('USAGE', `${message} Nothing was written.`, { ...(hint !== undefined && { hint }) })
}

const UNKNOWN_FOLDER = {
  place: '',
  advice: 'A folder is a category here: create one with --dir, or use --category with an existing one.',
}

const SHOWN = 20

/**
 * Returns the categories of a new article as written in its file: the requested ones, else those of the original, of
 * the folder, of the configuration, the only one, or one chosen by the user.
 *
 * @throws KbError USAGE
 */
async function chooseCategories(
  { categories = [], chooseCategory, settings }: CreateOptions,
  original: LocalArticle | undefined,
  { choices }: CategoryIndex,
  ofFolder: readonly string[] | undefined,
): Promise<readonly string[]> {
  if (categories.length > 0) return [...new Set(categories)]
  if (original !== undefined) return original.categories
  if (ofFolder !== undefined) return ofFolder
  if (settings.defaults.categories.length > 0) return settings.defaults.categories
  const [only, other] = choices
  if (only !== undefined && other === undefined) return [only.reference]
  if (choices.length > 0 && chooseCategory !== undefined) return [await chooseCategory(choices)]
  throw new KbError('USAGE', 'The article needs a category. Nothing was written.', {
    hint: only === undefined ? 'Add one with --category.' : `Use --category with one of: ${listOf(choices)}.`,
  })
}

interface FolderSearch {
  readonly articles: readonly LocalArticle[]
  readonly placed: LoadedContent['placed']
  readonly index: CategoryIndex
  /** True if `_categories.yml` lists all categories. */
  readonly isListed: boolean
}

/** Returns the categories that a preset derives from a folder, or that all articles in it have; undefined if unknown. */
function categoriesOfFolder(
  folder: string,
  { articles, placed, index, isListed }: FolderSearch,
): readonly string[] | undefined {
  const derived = placed?.(folder === '' ? 'new.md' : `${folder}/new.md`).categories
  const isKnown = (reference: string) =>
    index.choices.some(({ path }) => path === formatCategoryPath(index.pathOf(reference)))
  if (derived !== undefined && (!isListed || derived.every(isKnown))) return derived
  const beside = articles.filter(({ source }) => dirname(source) === (folder === '' ? '.' : folder))
  const [only, other] = new Map(
    beside.map(({ categories }) => [JSON.stringify(categories), categories]),
  ).values()
  return other === undefined ? only : undefined
}

function listOf(choices: CategoryIndex['choices']): string {
  const shown = choices.slice(0, SHOWN).map(({ reference }) => reference)
  const rest = choices.length - shown.length
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

interface Search {
  readonly articles: readonly LocalArticle[]
  /** Every article, including those with errors. */
  readonly sources: readonly string[]
  readonly cwd: string
  /** The project folder. */
  readonly root: string
  readonly contentRoot: string
  /** Language of the new translation. */
  readonly language: string | null
}

/**
 * Finds the article with a slug, or with a path relative to `cwd`, the project or the content folder. If articles in
 * several languages have the slug, returns the original.
 *
 * @throws KbError USAGE
 */
function findNamedArticle(reference: string, search: Search): LocalArticle {
  const { articles, sources, language } = search
  const paths = new Set(pathsOf(reference, search).map((path) => path.normalize('NFC')))
  const byPath = articles.find(({ source }) => paths.has(source.normalize('NFC')))
  if (byPath !== undefined) return byPath
  if (sources.some((source) => paths.has(source.normalize('NFC')))) {
    throw new KbError('USAGE', `${reference} has errors. Nothing was written.`, {
      hint: 'Run kb check, fix the errors, and run the command again.',
    })
  }
  const normalised = reference.normalize('NFC')
  const bySlug = articles.filter(({ slug }) => slug.normalize('NFC') === normalised)
  const fit = bySlug.find((article) => article.translationOf === undefined && article.language !== language)
  return fit ?? bySlug[0] ?? refuse(reference, articles)
}

function pathsOf(reference: string, { cwd, root, contentRoot }: Search): string[] {
  return [cwd, root, contentRoot]
    .map((base) => resolve(base, reference))
    .filter((path) => isInside(contentRoot, path))
    .map((path) => relativePath(contentRoot, path))
}

function refuse(reference: string, articles: readonly LocalArticle[]): never {
  const meant = nearest(reference, [...new Set(articles.flatMap(({ slug, source }) => [slug, source]))])
  throw new KbError('USAGE', `There is no article with the slug or path ${reference}. Nothing was written.`, {
    hint: meant === undefined ? 'Name the original by its slug or its path.' : `Did you mean ${meant}?`,
  })
}

/**
 * Writes a new file and its folders. Never overwrites anything.
 *
 * @param prefix path before sources in messages
 * @throws KbError FILES_UNWRITABLE
 */
export async function writeNewFile(
  { contentRoot, prefix }: { readonly contentRoot: string; readonly prefix: string },
  source: string,
  text: string,
): Promise<void> {
  const file = join(contentRoot, source)
  try {
    assertInside(contentRoot, dirname(file))
    mkdirSync(dirname(file), { recursive: true })
    await writeExclusively(file, text)
  } catch (cause) {
    throw new KbError(
      'FILES_UNWRITABLE',
      `${prefix}${source} could not be written: ${reasonWithoutPath(cause)}.`,
      { hint: 'Nothing was changed. Check its folder, and run the command again.', cause },
    )
  }
}

async function writeExclusively(file: string, text: string): Promise<void> {
  // Fails if the name exists, even as a broken link.
  const handle = await open(file, 'wx')
  try {
    await handle.writeFile(text)
    await handle.sync()
  } catch (error) {
    // Removes an incomplete file.
    await rm(file, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}

/** Throws for a folder that is a link to a folder elsewhere. */
function assertInside(contentRoot: string, folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined && folder !== contentRoot) {
    assertInside(contentRoot, dirname(folder))
    return
  }
  mkdirSync(contentRoot, { recursive: true })
  if (!isInside(realpathSync(contentRoot), realpathSync(folder)))
    throw new Error('its folder is a link to a folder outside the content folder')
}
