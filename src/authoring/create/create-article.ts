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
import { contentPrefix, isInside } from '../../core/paths.ts'
import { findContent, openContent } from '../../sync/open-content.ts'
import { categoriesOfFolder, chooseCategories, createCategoryIndex } from './choose-categories.ts'
import { composeArticle, type Composed } from './compose-article.ts'
import type { CreatedArticle, CreateOptions } from './create-options.ts'
import { assertTranslatable, findNamedArticle } from './find-original.ts'
import { namedFolder, type Newcomer, placeArticle } from './place-article.ts'
import { dirname, join } from 'node:path'
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
  const result = { ...describe(composed, newcomer, settings), dryRun }
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

function describe({ document, text }: Composed, { original, language }: Newcomer, settings: Settings) {
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
    missing: createSeverityOf(settings)('excerpt-missing', source) === 'off' ? [] : (['excerpt'] as const),
    text,
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
