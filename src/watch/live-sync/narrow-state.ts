import type { LocalArticle } from '../../core/model/document.ts'
import type { ArticleRecord, TargetState } from '../../core/model/target-state.ts'

/**
 * The part of the state that a run about a few articles needs: what is known of them and, of translations, of their
 * originals. Undefined where one of them has to be looked for, or has an open question: then only the lists help.
 * Pure.
 */
export function narrowState(
  state: TargetState,
  edited: readonly LocalArticle[],
  originals: readonly LocalArticle[],
): TargetState | undefined {
  const wanted = new Map([...edited, ...originals].map((article) => [article.source, article]))
  const articles = state.articles.filter(({ source }) => wanted.has(source))
  const bySource = new Map(articles.map((record) => [record.source, record]))
  const isPlain = [...wanted.values()].every((article) => standsAsItIs(article, bySource))
  // Two of one document, and it has to be decided which one stays.
  return isPlain && articles.length === wanted.size ? { ...state, articles, foreign: [] } : undefined
}

/** Whether the article's place on the target is known and the same as ever. */
function standsAsItIs(article: LocalArticle, records: ReadonlyMap<string, ArticleRecord>): boolean {
  const record = records.get(article.source)
  if (record === undefined || record.id === '' || record.isUndecided === true) return false
  const { key, slug, language, languageParent = '' } = record
  if (key !== article.key || slug !== article.slug || language !== article.language) return false
  const original = article.original === undefined ? undefined : records.get(article.original)
  return languageParent === (original?.id ?? '')
}

/** The whole state again, with what a run has made of a part of it. Pure. */
export function widenState(state: TargetState, narrow: TargetState, next: TargetState): TargetState {
  const foreign = [...state.foreign, ...next.foreign]
  const fresh = new Map(next.articles.map((record) => [record.id, record]))
  const isInPlace =
    next.articles.length === narrow.articles.length &&
    narrow.articles.every(({ id, source }) => fresh.get(id)?.source === source)
  // The order of thousands is as it was.
  if (isInPlace) {
    return { ...next, foreign, articles: state.articles.map((record) => fresh.get(record.id) ?? record) }
  }
  const past = new Set(narrow.articles.map(({ id }) => id))
  const others = state.articles.filter(({ id }) => !past.has(id))
  return { ...next, foreign, articles: sortedBySource([...others, ...next.articles]) }
}

function sortedBySource(articles: readonly ArticleRecord[]): readonly ArticleRecord[] {
  return articles.toSorted((a, b) => (a.source < b.source ? -1 : a.source > b.source ? 1 : 0))
}
