import { createFindOriginal } from '../../content/find-original.ts'
import { slugOfSource } from '../../content/build-document.ts'
import { createArticleFile } from '../../content/write-back/file/create-article-file.ts'
import type { Settings } from '../../config/settings.ts'
import type { DesiredArticle, Document, Frontmatter } from '../../model/document.ts'
import { severityOf } from '../../model/diagnostic-codes.ts'
import { documentKey } from '../../model/document-key.ts'
import { addDays } from '../../util/calendar-date.ts'
import type { ArticlePlace, Newcomer } from './place-article.ts'

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
 * A new article as a document and as a file. The file says only what is not so by default, and that the article is a draft:
 * an empty one must not be published unasked.
 */
export function composeArticle(
  contents: Contents,
  articles: readonly DesiredArticle[],
  { defaults, defaultLanguage, rules }: Settings,
): Composed {
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
    ...(place.slug !== slugOfSource(place.source) && { slug: place.slug }),
    ...(!isSame(categories, defaults.categories) && { categories }),
    ...(tags.length > 0 && { tags }),
    ...(defaults.status !== 'draft' && { status: 'draft' }),
    ...(severityOf('review-date-missing', rules) !== 'off' && {
      reviewDate: addDays(contents.today, defaults.reviewAfterDays),
    }),
    ...(isOther && { language }),
    ...(document.translationOf !== undefined && { translationOf: document.translationOf }),
    ...(order !== defaults.order && { order }),
  }
  return { document, text: `${createArticleFile(frontmatter, '')}\n` }
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index])
}

/** Slug or path, as most translations have it; the other one where that means another article. */
function nameOfOriginal(
  draft: Document,
  original: DesiredArticle | undefined,
  articles: readonly DesiredArticle[],
): string | undefined {
  if (original === undefined) return undefined
  const translations = articles.filter(({ translationOf }) => translationOf !== undefined)
  const sources = new Set(articles.map(({ source }) => source))
  const byPath = translations.filter(({ translationOf = '' }) => sources.has(translationOf)).length
  const names = [original.slug, original.source]
  const wanted = byPath * 2 > translations.length ? names.toReversed() : names
  const findOriginal = createFindOriginal([...articles, draft])
  const fits = (name: string) => findOriginal({ ...draft, translationOf: name })?.source === original.source
  return wanted.find(fits) ?? original.source
}
