// What stands in a table's cell. Titles, addresses and names come from targets and files: they show as they are and are
// nothing else.
import type { LinkFinding, LinkPlace, Owner, ReportedArticle } from '../../../inspect/report/report.ts'
import { cutAtWord } from '../../../core/code-points.ts'
import { pluralize } from '../../../core/pluralize.ts'
import { codeSpan, escapeMarkdown } from '../../markdown/escape-markdown.ts'
import type { SourceLink } from '../../markdown/source-links.ts'
import { placesOrBeginning } from '../article-places.ts'
import { describeNowhere, describeOwners, nameArticle, NOT_IN_FILE } from '../article-words.ts'
import { ownersOf } from '../group-broken.ts'

/** How places are written. */
export interface MarkdownPlaces {
  /** The way from the repository's root to the project, '' or ending in a slash. */
  readonly prefix: string
  readonly linkOf: SourceLink
}

/** Longer ones would make a table unreadable. */
const TITLE_LENGTH = 120
const ADDRESS_LENGTH = 200

/** Places of one address that are shown. */
const PLACES = 3

/** The title, and whom to ask below it. */
export function markdownArticle(article: Pick<ReportedArticle, 'title' | 'isDraft' | 'owners'>): string {
  const name = escapeMarkdown(cutAtWord(nameArticle(article), TITLE_LENGTH))
  return [name, ...ownerParts(article.owners)].join('<br>')
}

/** Articles that have something in common. */
export function articlesCell(articles: readonly ReportedArticle[]): string {
  const [first, ...others] = articles
  if (first === undefined) return ''
  if (others.length === 0) return markdownArticle(first)
  const more = `and ${pluralize(others.length, 'more article')}`
  return [markdownArticle({ ...first, owners: [] }), more, ...ownerParts(ownersOf(articles))].join('<br>')
}

function ownerParts(owners: readonly Owner[] | undefined): string[] {
  const text = describeOwners(owners)
  return text === undefined ? [] : [escapeMarkdown(text)]
}

/** Never a link: it does not work, and nobody knows where it leads. */
export function markdownAddress(url: string): string {
  return codeSpan(cutAtWord(url, ADDRESS_LENGTH))
}

/** A place to jump to; a link where the repository's host shows the file. */
export function placeCell({ file, line, column }: LinkPlace, { prefix, linkOf }: MarkdownPlaces): string {
  const path = `${prefix}${file}`
  const shown = codeSpan(`${path}:${line}:${column}`)
  const url = linkOf(path, line)
  return url === undefined ? shown : `[${shown}](${url})`
}

export function nowhereCell(article: Pick<ReportedArticle, 'id' | 'language'>): string {
  return `${escapeMarkdown(describeNowhere(article))}, id ${codeSpan(article.id)}`
}

/** All places of an address, or why there is none. */
export function markdownPlaces(
  { article, places }: Pick<LinkFinding, 'article' | 'places'>,
  how: MarkdownPlaces,
): string {
  if (article.file === undefined) return nowhereCell(article)
  const shown = placesOrBeginning({ article, places }).slice(0, PLACES)
  const hidden = places.length - shown.length
  return [
    ...shown.map((place) => placeCell(place, how)),
    ...(hidden > 0 ? [`and ${pluralize(hidden, 'more place')}`] : []),
    ...(places.length === 0 ? [NOT_IN_FILE] : []),
  ].join('<br>')
}
