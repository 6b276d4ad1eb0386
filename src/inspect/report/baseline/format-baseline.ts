import { compareTexts } from '../../../core/compare-texts.ts'
import type { LinkFinding, ReviewFinding } from '../../../web/report/report.ts'
import { type AcceptedArticle, BASELINE_VERSION } from './baseline.ts'

type ArticleOfFinding = Pick<ReviewFinding, 'id' | 'file' | 'title'>

/** What is to be accepted; whole findings will do. */
export interface FindingsToAccept {
  readonly overdue: readonly (ArticleOfFinding & Pick<ReviewFinding, 'date'>)[]
  readonly broken: readonly (Pick<LinkFinding, 'url'> & { readonly article: ArticleOfFinding })[]
}

/**
 * The text of a baseline: sorted, each finding once and on a line of its own, so that two branches that change it can be
 * merged. Of an article, nothing is written but its file and id, or id and title where it has no file.
 */
export function formatBaseline({ overdue, broken }: FindingsToAccept): string {
  const reviews = overdue.map((finding) => ({ ...toArticle(finding), date: finding.date }))
  const links = broken.map(({ article, url }) => ({ ...toArticle(article), url }))
  return `{
  "version": ${BASELINE_VERSION},
  "overdue": ${formatEntries(reviews)},
  "broken": ${formatEntries(links)}
}
`
}

function toArticle({ file, id, title }: ArticleOfFinding): AcceptedArticle {
  return file === undefined ? { id, title } : { file: file.normalize('NFC'), id }
}

function formatEntries(entries: readonly object[]): string {
  const lines = new Set(entries.map(formatEntry).toSorted(compareTexts))
  return lines.size === 0 ? '[]' : `[\n    ${[...lines].join(',\n    ')}\n  ]`
}

function formatEntry(entry: object): string {
  const members = Object.entries(entry).map(
    ([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`,
  )
  return `{ ${members.join(', ')} }`
}
