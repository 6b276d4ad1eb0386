import type { BrokenLinkEntry } from '../status-source.ts'
import { compareTexts } from '../../../core/compare-texts.ts'
import { createFrequentCounter, type Frequent } from './frequent.ts'
import { hostOf } from './host-of.ts'
import { createLeast } from './least.ts'

export const LINK_ORDERS = ['article', 'address', 'reason'] as const
export type LinkOrder = (typeof LINK_ORDERS)[number]

/** What is checked of a link; of the entries themselves everything is kept. */
export interface CountedLink extends Pick<BrokenLinkEntry, 'url' | 'article'> {
  readonly reason?: string
}

export interface LinkScope<Entry extends CountedLink = BrokenLinkEntry> {
  readonly order: LinkOrder
  /** Lists links to this host alone ('' for the same site); undefined for all. Counts are always of all. */
  readonly host?: string | undefined
  /** Links that are listed one by one. */
  readonly listed: number
  /** Hosts, and articles, that are listed. */
  readonly groups: number
  /** First links of each host and of each article. */
  readonly perGroup: number
  /** Hosts, and articles, that are counted exactly, whatever their number of links. Default 4000. */
  readonly counted?: number
  /** Tells articles apart. Default: the address of the page, else the file, else the title. */
  readonly articleKey?: (entry: Entry) => string
  /** Host of a link, '' for one within the site. Default: as `hostOf` finds it in the address. */
  readonly hostKey?: (entry: Entry) => string
}

export type LinkGroup<Entry extends CountedLink = BrokenLinkEntry> = Frequent<Entry>

export interface BrokenLinkSummary<Entry extends CountedLink = BrokenLinkEntry> {
  readonly total: number
  /** Those that could be listed: to the host asked for, where one was. */
  readonly matching: number
  /** Keys are hosts, '' for links within the site. */
  readonly hosts: readonly LinkGroup<Entry>[]
  /** Number of hosts, and of articles; undefined where there are too many to count them exactly. */
  readonly hostCount: number | undefined
  /** Keys are those of `articleKey`. */
  readonly articles: readonly LinkGroup<Entry>[]
  readonly articleCount: number | undefined
  /** The first in the order asked for. */
  readonly links: readonly Entry[]
}

interface BrokenLinkCounter<Entry extends CountedLink> {
  readonly add: (entry: Entry) => void
  readonly summary: () => BrokenLinkSummary<Entry>
}

/** Groups and counts links one by one; what it holds is bounded, however many there are. */
export function createBrokenLinkCounter<Entry extends CountedLink = BrokenLinkEntry>(
  scope: LinkScope<Entry>,
): BrokenLinkCounter<Entry> {
  const { articleKey = nameOfArticle, hostKey = hostOfLink, counted = 4000 } = scope
  const hosts = createFrequentCounter<Entry>(counted, scope.perGroup)
  const articles = createFrequentCounter<Entry>(counted, scope.perGroup)
  const links = createLeast<Placed<Entry>>(scope.listed, (a, b) => compareLists(a.keys, b.keys))
  let total = 0
  let matching = 0

  return {
    add: (entry) => {
      const host = hostKey(entry)
      const article = articleKey(entry)
      total += 1
      hosts.add(host, entry)
      articles.add(article, entry)
      if (scope.host !== undefined && scope.host !== host) return
      matching += 1
      links.add({ entry, keys: sortKeys(scope.order, entry, host, article) })
    },
    summary: () => ({
      total,
      matching,
      hosts: hosts.most(scope.groups),
      hostCount: hosts.size(),
      articles: articles.most(scope.groups),
      articleCount: articles.size(),
      links: links.list().map(({ entry }) => entry),
    }),
  }
}

function hostOfLink({ url }: CountedLink): string {
  return hostOf(url)
}

function nameOfArticle({ article }: CountedLink): string {
  return article.url ?? article.file ?? article.title
}

/** An entry and what it is sorted by. */
interface Placed<Entry> {
  readonly entry: Entry
  readonly keys: readonly string[]
}

function sortKeys(
  order: LinkOrder,
  { url, article: { title }, reason = '' }: CountedLink,
  host: string,
  article: string,
): readonly string[] {
  switch (order) {
    case 'article':
      return [title, article, url]
    case 'address':
      return [host, url, title]
    case 'reason':
      return [reason, url, title]
  }
}

function compareLists(a: readonly string[], b: readonly string[]): number {
  for (const [index, text] of a.entries()) {
    const order = compareTexts(text, b[index] ?? '')
    if (order !== 0) return order
  }
  return 0
}
