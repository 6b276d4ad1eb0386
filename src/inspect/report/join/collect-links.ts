import type { EntrySink } from '../../../api/client/stream-lists.ts'
import type { LenientLinkEntry } from '../../../api/contract/lenient.ts'
import { readableAddress } from '../../../content/link-occurrences/decode-written-url.ts'
import { compareTexts } from '../../../core/compare-texts.ts'
import { hostOf } from '../../../web/dashboard/summary/host-of.ts'
import { createLeast, type Listing } from '../../../web/dashboard/summary/least.ts'
import {
  type BrokenLinkSummary,
  createBrokenLinkCounter,
} from '../../../web/dashboard/summary/summarize-broken-links.ts'
import {
  type LinkDisagreement,
  type LinkFinding,
  REPORT_LIST_LIMIT,
  type ReportedArticle,
} from '../../../web/report/report.ts'
import { plainAddress } from '../addresses.ts'
import { cutAddress, type Join, type KnownFile } from './join.ts'
import type { PlaceFinder } from './find-places.ts'

/** The local findings for an address that the target lists. */
export type LocalVerdict = Pick<LinkDisagreement, 'localSays' | 'reason'>

/** Undefined if the check has no result. */
export type LocalCheck = (url: string) => LocalVerdict | undefined

export interface LinkTask {
  readonly join: Join
  /** Articles that are already known, by id. */
  readonly articles: ReadonlyMap<string, ReportedArticle>
  readonly places: PlaceFinder
  readonly checkLocally: LocalCheck
  /** True if an address is omitted. */
  readonly isIgnored: (url: string) => boolean
  readonly isAccepted: (finding: Omit<LinkFinding, 'isAccepted'>) => boolean
}

/** The contents of the list of links. */
export interface LinksFound {
  readonly links: number
  readonly ignored: number
  readonly summary: BrokenLinkSummary<LinkFinding>
  /** Broken links that the baseline accepts. */
  readonly accepted: number
  /** Number of broken links of each file, by source. */
  readonly brokenBySource: ReadonlyMap<string, number>
  readonly disagreements: Listing<LinkDisagreement>
  /** Number of them that the target reports as working. */
  readonly brokenHere: number
  /** Articles without a file that only this list contains, at most REPORT_LIST_LIMIT. */
  readonly others: ReadonlyMap<string, ReportedArticle>
}

/**
 * Combines the list of links with the files, entry by entry. A link with the same id is counted once if it is among the
 * first REPORT_LIST_LIMIT.
 */
export function collectLinks(task: LinkTask): EntrySink<LenientLinkEntry, LinksFound> {
  const { join } = task
  const others = new Map<string, ReportedArticle>()
  const broken = createBrokenList(task)
  const disagreements = createDisagreementList()
  const isDouble = createIsDouble()
  let links = 0
  let ignored = 0

  const articleOf = (
    { article_id: id, articles }: LenientLinkEntry,
    file: KnownFile | undefined,
  ): ReportedArticle => {
    const known = task.articles.get(id) ?? others.get(id)
    if (known !== undefined) return known
    const listed = { id, title: articles?.name, isDraft: false, language: join.languageOf(undefined) }
    const article = join.toArticle(listed, file)
    if (file === undefined && others.size < REPORT_LIST_LIMIT) others.set(id, article)
    return article
  }

  return {
    add: (entry) => {
      const { url = '', working } = entry
      const file = join.fileOf(entry.article_id)
      if (!join.isOfInterest(file) || isDouble(entry)) return
      if (file === undefined) articleOf(entry, file)
      if (task.isIgnored(url)) {
        ignored += 1
        return
      }
      links += 1
      if (working === undefined) return
      // A link that the files contradict is in both lists.
      let found: FoundLink | undefined
      const link = (): FoundLink =>
        (found ??= {
          article: articleOf(entry, file),
          url: cutAddress(readableAddress(url)),
          host: groupOf(url),
          places: task.places.find(file, url),
        })
      const local = task.checkLocally(url)
      const reason = local?.localSays === 'broken' ? local.reason : undefined
      if (!working) broken.add({ ...link(), ...(reason !== undefined && { reason }) }, file)
      if (local !== undefined) disagreements.add(local, working ? 'works' : 'broken', link)
    },
    end: () => {
      task.places.fill()
      return { links, ignored, others, ...broken.found(), ...disagreements.found() }
    },
  }
}

/** Creates a test for links listed before. Compares URL and article, too, because ids may not be unique. */
function createIsDouble(): (entry: LenientLinkEntry) => boolean {
  const seen = new Set<string>()
  // Almost all ids are unique, and joining the parts takes longer than the other work for a link.
  const firstOf = new Map<string, Pick<LenientLinkEntry, 'article_id' | 'url'>>()
  // Most lists are sorted by id, and need no map: an id after all others is new.
  let unmapped: { readonly id: string; readonly article_id: string; readonly url: string }[] = []
  let greatestId = ''
  const findFirst = (id: string) => {
    for (const link of unmapped) firstOf.set(link.id, link)
    unmapped = []
    return firstOf.get(id)
  }
  return ({ id, article_id: article, url = '' }) => {
    if (id === undefined) return false
    const first = id > greatestId ? undefined : findFirst(id)
    if (first === undefined) {
      if (id > greatestId) greatestId = id
      if (firstOf.size + unmapped.length < REPORT_LIST_LIMIT) unmapped.push({ id, article_id: article, url })
      return false
    }
    if (first.article_id === article && first.url === url) return true
    // The lengths separate the parts.
    const key = `${id.length} ${article.length} ${id}${article}${url}`
    if (seen.has(key)) return true
    if (seen.size < REPORT_LIST_LIMIT) seen.add(key)
    return false
  }
}

type FoundLink = Omit<LinkFinding, 'isAccepted'>

/** Returns the group of a link: its host, or its URL scheme if it has none. */
function groupOf(url: string): string {
  const address = plainAddress(url)
  return hostOf(address) || (/^[a-z][a-z\d+.-]*:/i.exec(address)?.[0].toLowerCase() ?? '')
}

function createBrokenList({ isAccepted }: Pick<LinkTask, 'isAccepted'>) {
  const counter = createBrokenLinkCounter<LinkFinding>({
    order: 'article',
    listed: REPORT_LIST_LIMIT,
    groups: REPORT_LIST_LIMIT,
    perGroup: 1,
    counted: REPORT_LIST_LIMIT,
    articleKey: ({ article }) => article.id,
    hostKey: ({ host }) => host,
  })
  const brokenBySource = new Map<string, number>()
  let accepted = 0
  return {
    add: (link: FoundLink, file: KnownFile | undefined) => {
      const finding = { ...link, isAccepted: isAccepted(link) }
      counter.add(finding)
      if (finding.isAccepted) accepted += 1
      if (file !== undefined) brokenBySource.set(file.source, (brokenBySource.get(file.source) ?? 0) + 1)
    },
    found: () => ({ summary: counter.summary(), accepted, brokenBySource }),
  }
}

function createDisagreementList() {
  const list = createLeast<LinkDisagreement>(REPORT_LIST_LIMIT, byArticle)
  let total = 0
  let brokenHere = 0
  return {
    add: (local: LocalVerdict, targetSays: LinkDisagreement['targetSays'], link: () => FoundLink) => {
      if (local.localSays === targetSays) return
      total += 1
      if (local.localSays === 'broken') brokenHere += 1
      list.add({ ...link(), targetSays, ...local })
    },
    found: () => ({ disagreements: { total, entries: list.list() }, brokenHere }),
  }
}

function byArticle(a: LinkDisagreement, b: LinkDisagreement): number {
  return (
    compareTexts(a.article.title, b.article.title) ||
    compareTexts(a.article.id, b.article.id) ||
    compareTexts(a.url, b.url)
  )
}
