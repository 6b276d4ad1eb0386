import type { BrokenLinkEntry } from '../status-source.ts'
import { compareTexts } from '../../../core/compare-texts.ts'
import { createFrequentCounter, type Frequent } from './frequent.ts'
import { hostOf } from './host-of.ts'
import { createLeast } from './least.ts'

export const LINK_ORDERS = ['article', 'address', 'reason'] as const
export type LinkOrder = (typeof LINK_ORDERS)[number]

/** The fields of a link that are counted; entries keep all their fields. */
export interface CountedLink extends Pick<BrokenLinkEntry, 'url' | 'article'> {
  readonly reason?: string
}

export interface LinkScope<Entry extends CountedLink = BrokenLinkEntry> {
  readonly order: LinkOrder
  /** Lists only links to this host ('' for the same site); undefined for all. Counts always include all. */
  readonly host?: string | undefined
  /** Maximum number of listed links. */
  readonly listed: number
  /** Maximum number of listed hosts, and of articles. */
  readonly groups: number
  /** Maximum number of links listed for each host and each article. */
  readonly perGroup: number
  /** Number of hosts, and of articles, that are counted exactly, with any number of links. Default 4000. */
  readonly counted?: number
  /** Identifies an article. Default: the URL of the page, otherwise the file, otherwise the title. */
  readonly articleKey?: (entry: Entry) => string
  /** Host of a link, '' within the site. Default: by `hostOf`. */
  readonly hostKey?: (entry: Entry) => string
}

export type LinkGroup<Entry extends CountedLink = BrokenLinkEntry> = Frequent<Entry>

export interface BrokenLinkSummary<Entry extends CountedLink = BrokenLinkEntry> {
  readonly total: number
  /** Number of links that match the requested host. */
  readonly matching: number
  /** Keys are hosts, '' for links within the site. */
  readonly hosts: readonly LinkGroup<Entry>[]
  /** Number of hosts, and of articles; undefined if there are too many to count exactly. */
  readonly hostCount: number | undefined
  /** Keys are from `articleKey`. */
  readonly articles: readonly LinkGroup<Entry>[]
  readonly articleCount: number | undefined
  /** The first links in the requested order. */
  readonly links: readonly Entry[]
}

/** Groups and counts links one by one, in bounded memory. */
export function createBrokenLinkCounter<Entry extends CountedLink = BrokenLinkEntry>(
  scope: LinkScope<Entry>,
) {
  const { articleKey = nameOfArticle, hostKey = ({ url }) => hostOf(url), counted = 4000 } = scope
  const hosts = createFrequentCounter<Entry>(counted, scope.perGroup)
  const articles = createFrequentCounter<Entry>(counted, scope.perGroup)
  const links = createLeast<Placed<Entry>>(scope.listed, (a, b) => compareLists(a.keys, b.keys))
  let total = 0
  let matching = 0

  return {
    add: (entry: Entry) => {
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

function nameOfArticle({ article }: CountedLink): string {
  return article.url ?? article.file ?? article.title
}

/** An entry and its sort key. */
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
