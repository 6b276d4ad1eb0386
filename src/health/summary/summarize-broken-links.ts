import type { BrokenLinkEntry, Entries } from '../status-source.ts'
import { compareTexts } from './compare-texts.ts'
import { createFrequentCounter, type Frequent } from './frequent.ts'
import { hostOf } from './host-of.ts'
import { createLeast } from './least.ts'

export const LINK_ORDERS = ['article', 'address', 'reason'] as const
export type LinkOrder = (typeof LINK_ORDERS)[number]

export interface LinkScope {
  readonly order: LinkOrder
  /** Lists links to this host alone ('' for the same site); undefined for all. Counts are always of all. */
  readonly host?: string | undefined
  /** Links that are listed one by one. */
  readonly listed: number
  /** Hosts, and articles, that are listed. */
  readonly groups: number
  /** First links of each host and of each article. */
  readonly perGroup: number
}

export type LinkGroup = Frequent<BrokenLinkEntry>

export interface BrokenLinkSummary {
  readonly total: number
  /** Those that could be listed: to the host asked for, where one was. */
  readonly matching: number
  /** Keys are hosts, '' for links within the site. */
  readonly hosts: readonly LinkGroup[]
  /** Number of hosts, and of articles; undefined where there are too many to count them exactly. */
  readonly hostCount: number | undefined
  /** Keys are addresses of pages, else files, else titles. */
  readonly articles: readonly LinkGroup[]
  readonly articleCount: number | undefined
  /** The first in the order asked for. */
  readonly links: readonly BrokenLinkEntry[]
}

/** Hosts and articles that are counted exactly, whatever their number of links. */
const COUNTED = 4000

/** Groups and counts links in one pass; what it holds is bounded, however many there are. */
export async function summarizeBrokenLinks(
  entries: Entries<BrokenLinkEntry>,
  scope: LinkScope,
): Promise<BrokenLinkSummary> {
  const hosts = createFrequentCounter<BrokenLinkEntry>(COUNTED, scope.perGroup)
  const articles = createFrequentCounter<BrokenLinkEntry>(COUNTED, scope.perGroup)
  const links = createLeast<Placed>(scope.listed, (a, b) => compareLists(a.keys, b.keys))
  const keysOf = ORDER_KEYS[scope.order]
  let total = 0
  let matching = 0
  for await (const entry of entries) {
    const host = hostOf(entry.url)
    total += 1
    hosts.add(host, entry)
    articles.add(articleKey(entry), entry)
    if (scope.host !== undefined && scope.host !== host) continue
    matching += 1
    links.add({ entry, keys: keysOf(entry, host) })
  }
  return {
    total,
    matching,
    hosts: hosts.most(scope.groups),
    hostCount: hosts.size(),
    articles: articles.most(scope.groups),
    articleCount: articles.size(),
    links: links.list().map(({ entry }) => entry),
  }
}

function articleKey({ article }: BrokenLinkEntry): string {
  return article.url ?? article.file ?? article.title
}

/** An entry and what it is sorted by. */
interface Placed {
  readonly entry: BrokenLinkEntry
  readonly keys: readonly string[]
}

const ORDER_KEYS: Record<LinkOrder, (entry: BrokenLinkEntry, host: string) => readonly string[]> = {
  article: (entry) => [entry.article.title, articleKey(entry), entry.url],
  address: (entry, host) => [host, entry.url, entry.article.title],
  reason: (entry) => [entry.reason, entry.url, entry.article.title],
}

function compareLists(a: readonly string[], b: readonly string[]): number {
  for (const [index, text] of a.entries()) {
    const order = compareTexts(text, b[index] ?? '')
    if (order !== 0) return order
  }
  return 0
}
