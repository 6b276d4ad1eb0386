import type { LinkFinding, Report } from '../../../inspect/report/report.ts'
import { pluralize } from '../../../core/pluralize.ts'
import { groupBy } from '../../../core/group-by.ts'
import { formatNumber } from '../../../core/format-number.ts'
import { escapeControlInLine } from '../../../core/escape-control.ts'
import { cutToColumns } from '../../../core/text-columns.ts'
import { acceptedOf } from '../accepted.ts'
import { nameArticle } from '../article-words.ts'
import { type BrokenGroup, type BrokenSpot, groupBroken, ownersOf } from '../group-broken.ts'
import { TITLES } from '../section-titles.ts'
import { formatPlaces } from './link-places.ts'
import {
  describeRest,
  entryLine,
  groupLine,
  heading,
  INDENT,
  listedOf,
  nowhereLine,
  ownerLines,
  shortened,
  wrapped,
} from './pretty-section.ts'
import type { PrettyView } from './pretty-view.ts'

/** Hosts that are named. */
const HOSTS = 4

/** Articles that are named, and addresses of each. */
const GROUPS = 5
const SPOTS = 3

/** An address in so many articles is named first. */
const FREQUENT = 3

/** Links that the target calls broken, by article: where there is most to mend comes first. */
export function brokenSection({ links, counts }: Report, view: PrettyView): string[] {
  const { total, entries } = links.broken
  if (total === 0) return []
  const listed = listedOf(links.broken, view)
  const groups = shortened(groupBroken(listed), GROUPS, view)
  const intro = total > 1 ? [describeSpread(links.summary), ...describeMostFrequent(listed, view)] : []
  const shown = groups.reduce((sum, group) => sum + group.links, 0)
  const rest = describeRest({ total, accepted: counts.acceptedBroken, known: entries.length, shown }, view)
  return [
    '',
    ...heading(`${TITLES.broken}: ${formatNumber(total)}${acceptedOf(counts.acceptedBroken, total)}`, view),
    ...intro.flatMap((sentence) => wrapped(sentence, '  ', view)),
    ...groups.flatMap((group) => formatGroup(group, view)),
    ...(rest === undefined ? [] : wrapped(rest, '  ', view)),
  ]
}

function describeSpread({ hosts, hostCount, articleCount }: Report['links']['summary']): string {
  const articles = articleCount === undefined ? 'many articles' : pluralize(articleCount, 'article')
  const named = hosts.slice(0, HOSTS).map(({ key, count, isExact }) => {
    const number = `${isExact ? '' : 'at least '}${formatNumber(count)}`
    return key === '' ? `${number} within the knowledge base` : `${number} to ${key}`
  })
  const others = hostCount === undefined ? undefined : hostCount - named.length
  const rest =
    others === undefined ? ['the rest to many more'] : [`the rest to ${pluralize(others, 'other host')}`]
  return `In ${articles}: ${[...named, ...(others === 0 ? [] : rest)].join(', ')}.`
}

/** The address that stands in most articles: often one change mends them all. */
function describeMostFrequent(findings: readonly LinkFinding[], { columns, verbose }: PrettyView): string[] {
  const byAddress = [...groupBy(findings, ({ url }) => url)].map(([url, all]) => ({
    url,
    articles: new Set(all.map(({ article }) => article.id)).size,
  }))
  const most = byAddress.toSorted((a, b) => b.articles - a.articles)[0]
  if (most === undefined || most.articles < FREQUENT) return []
  const address = escapeControlInLine(most.url)
  const shown = verbose ? address : cutToColumns(address, columns)
  return [`Most widespread, in ${formatNumber(most.articles)} articles: ${shown}`]
}

function formatGroup(group: BrokenGroup, view: PrettyView): string[] {
  const { articles, shared, spots, links } = group
  const [article] = articles
  if (article === undefined) return []
  const name =
    shared === undefined ? nameArticle(article) : `${shared}, in ${pluralize(articles.length, 'article')}`
  const shown = shortened(spots, SPOTS, view)
  const hidden = spots.length - shown.length
  return [
    groupLine(name, pluralize(links, 'link'), view),
    ...(article.file === undefined ? [nowhereLine(article)] : []),
    ...ownerLines(ownersOf(articles), view),
    ...shown.flatMap((spot) => formatSpot(spot, view)),
    ...(hidden > 0
      ? wrapped(`and ${pluralize(hidden, 'more address', 'more addresses')} here`, INDENT, view)
      : []),
  ]
}

function formatSpot(spot: BrokenSpot, view: PrettyView): string[] {
  const { url, isAccepted, article } = spot
  return [
    entryLine(isAccepted ? '·' : 'x', url, isAccepted ? 'accepted' : '', view),
    ...(article.file === undefined ? [] : formatPlaces(spot, view)),
  ]
}
