import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { FrontmatterFiles } from '../../content/preset/frontmatter-files.ts'
import { createArticleFile } from '../../content/write-back/edit-frontmatter.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import type { Settings } from '../../core/config/settings.ts'
import { type LocalArticle, type Document, type Frontmatter, documentKey } from '../../core/model/document.ts'
import { createSeverityOf } from '../../core/model/create-severity-of.ts'
import { addDays } from '../../core/calendar-date.ts'
import type { ArticlePlace, Newcomer } from './place-article.ts'
import { createFindOriginal } from '../../content/rules/check-translations.ts'

export interface Composed {
  readonly document: Document
  readonly text: string
}

interface Contents extends Omit<Newcomer, 'category'> {
  readonly place: ArticlePlace
  readonly categories: readonly string[]
  readonly tags: readonly string[]
  /** Calendar date. */
  readonly today: string
}

/**
 * Returns a new article as a document and as a file. The file contains only values that differ from the defaults, and
 * makes the article a draft, because an empty article must not be published by accident.
 *
 * @throws KbError USAGE if a field cannot be written
 */
export function composeArticle(
  contents: Contents,
  articles: readonly LocalArticle[],
  settings: Settings,
  tool: ToolPlaces,
): Composed {
  const { defaults, defaultLanguage } = settings
  const { place, original, title, language, categories, tags } = contents
  const isOther = language !== defaultLanguage
  const order = original?.order ?? defaults.order
  const draft: Document = {
    ...place,
    key: documentKey(place.source, isOther ? language : null),
    sourceHash: '',
    inputKey: '',
    title,
    categories,
    tags,
    excerpt: '',
    status: 'draft',
    review: { kind: 'default', afterDays: defaults.reviewAfterDays },
    language: isOther ? language : null,
    translationOf: undefined,
    order,
    hideFromSearch: false,
    seoBannerUrl: '',
    positions: {},
  }
  const document = { ...draft, translationOf: nameOfOriginal(draft, original, articles) }
  const frontmatter: Frontmatter = {
    title,
    ...(place.slug !== tool.slugOf(place.source) && { slug: place.slug }),
    ...(!isSame(categories, tool.placed?.(place.source).categories ?? defaults.categories) && { categories }),
    ...(tags.length > 0 && { tags }),
    ...(defaults.status !== 'draft' && { status: 'draft' }),
    ...(createSeverityOf(settings)('review-date-missing', place.source) !== 'off' && {
      reviewDate: addDays(contents.today, defaults.reviewAfterDays),
    }),
    ...(isOther && { language }),
    ...(document.translationOf !== undefined &&
      !isTwin(document, original, tool) && { translationOf: document.translationOf }),
    ...(order !== defaults.order && { order }),
  }
  return { document, text: `${textOf(frontmatter, place.source, tool)}\n` }
}

function textOf(frontmatter: Frontmatter, source: string, { files }: ToolPlaces): string {
  if (files === undefined) return createArticleFile(frontmatter, '')
  const { text, unwritten } = files.create(frontmatter, '', source)
  if (unwritten.length === 0) return text
  const fields = unwritten.join(', ')
  throw new KbError('USAGE', `kb.config.ts does not define how to write ${fields}. Nothing was written.`, {
    hint: 'Add a write function next to read in frontmatter, or write the file by hand.',
  })
}

interface ToolPlaces {
  /** Writes frontmatter in a format other than our own. */
  readonly files: FrontmatterFiles | undefined
  readonly placed: LoadedContent['placed']
  /** Returns the slug of a file that does not set one. */
  readonly slugOf: (source: string) => string
}

function isTwin(document: Document, original: LocalArticle | undefined, { placed }: ToolPlaces): boolean {
  return original !== undefined && placed?.(document.source).translationOf === original.source
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index])
}

/** Returns slug or path, as in most translations, or the other one if that refers to another article. */
function nameOfOriginal(
  draft: Document,
  original: LocalArticle | undefined,
  articles: readonly LocalArticle[],
): string | undefined {
  if (original === undefined) return undefined
  const translations = articles.filter(({ translationOf }) => translationOf !== undefined)
  const sources = new Set(articles.map(({ source }) => source))
  const byPath = translations.filter(({ translationOf = '' }) => sources.has(translationOf)).length
  const names = [original.slug, original.source]
  const candidates = byPath * 2 > translations.length ? names.toReversed() : names
  const findOriginal = createFindOriginal([...articles, draft])
  const fits = (name: string) => findOriginal({ ...draft, translationOf: name })?.source === original.source
  return candidates.find(fits) ?? original.source
}
