import type { ApiClient } from '../../api/client/create-client.ts'
import type { LenientAuthoredEntry } from '../../api/contract/lenient.ts'
import {
  createIsRecognised,
  identifyByState,
  type IdentifyTask,
  searchArticles,
} from './identify/identify-articles.ts'
import type { Identified } from './identify/match-files.ts'
import { collectLinks, type LinksFound, type LinkTask } from './join/collect-links.ts'
import { collectReviews, type ReviewsFound, type ReviewTask } from './join/collect-reviews.ts'
import { compareTexts } from '../../core/compare-texts.ts'
import { createExtensions } from '../../sync/remote/extensions.ts'
import type { Listing } from '../../web/dashboard/summary/least.ts'
import { REPORT_LIST_LIMIT, type UsedRedirect } from '../../web/report/report.ts'
import type { publicUrls } from '../../web/pages/page-addresses-of.ts'
import { toCalendarDate } from '../../core/timestamp.ts'
import { createJoin, type Join, type JoinParts } from './join/join.ts'

interface TargetTask {
  readonly identify: IdentifyTask
  readonly join: Omit<JoinParts, 'identified' | 'former'>
  readonly reviews: Omit<ReviewTask, 'join'>
  /** Returns the options for links. The local check among them depends on the articles. */
  readonly links: (found: Pick<TargetRead, 'identified' | 'reviews'>) => Omit<LinkTask, 'join' | 'articles'>
  readonly redirects: {
    /** Unix time in milliseconds. */
    readonly nowMs: number
    /** The URLs of pages for readers. */
    readonly urls: ReturnType<typeof publicUrls>
  }
  /** True to request the creators of the articles. */
  readonly wantsAuthors: boolean
}

/** The target's lists, combined with the files. */
export interface TargetRead {
  readonly identified: Identified
  readonly reviews: ReviewsFound
  /** Number of articles of files that have a review date but are not in the list. */
  readonly unlisted: number
  readonly links: LinksFound
  /** Undefined if the target has no such list. */
  readonly redirects: Listing<UsedRedirect> | undefined
}

/**
 * Reads the two lists of the target, and that of its redirects if it has one. Sends one request each if the state
 * identifies all articles; otherwise articles are read first. Throws what the client throws.
 */
export async function readTarget(task: TargetTask): Promise<TargetRead> {
  const { client } = task.identify
  const found = await findReviews(task)
  const { identified, reviews, unlisted, join } = found
  const rest = task.links(found)
  const { articles } = reviews
  const links = await client.streamLinks(() => collectLinks({ ...rest, join, articles }), { needsList: true })
  return { identified, reviews, unlisted, links, redirects: await readRedirects(task, found) }
}

/** Returns the redirects that readers have followed, most used first. */
async function readRedirects(
  { identify: { client, state }, redirects: { nowMs, urls } }: TargetTask,
  { join, reviews: { articles } }: FoundReviews,
): Promise<Listing<UsedRedirect> | undefined> {
  const { redirects } = await createExtensions(client, state, { nowMs, verify: false }).ask()
  if (!redirects) return undefined
  const { data } = await client.listRedirects()
  const used = data.flatMap(
    ({ slug = '', language: code, declared, hits = 0, last_hit_date, ...leadsTo }) => {
      const kind = REDIRECT_KINDS.find((each) => leadsTo[FIELDS[each]]?.id !== undefined)
      const { id = '', name } = leadsTo[FIELDS[kind ?? 'article']] ?? {}
      if (slug === '' || hits === 0 || kind === undefined) return []
      const file = kind === 'article' ? join.fileOf(id) : undefined
      if (!join.isOfInterest(file)) return []
      const language = join.languageOf(code ?? undefined)
      const listed = { id, title: name, isDraft: false, language }
      const index = file?.document?.aliases?.indexOf(slug) ?? -1
      const place = file?.document?.positions[`aliases[${index}]`]
      return {
        kind,
        leadsTo: articles.get(id) ?? join.toArticle(listed, file),
        url: urls[kind]({ slug, language }),
        isDeclared: declared === true,
        hits,
        lastUsed: toCalendarDate(last_hit_date ?? ''),
        place: file === undefined || place === undefined ? undefined : { ...place, file: file.file },
      }
    },
  )
  const sorted = used.toSorted((a, b) => b.hits - a.hits || compareTexts(a.url, b.url))
  return { total: sorted.length, entries: sorted.slice(0, REPORT_LIST_LIMIT) }
}

const FIELDS = { article: 'articles', category: 'categories', tag: 'tags' } as const

const REDIRECT_KINDS = ['article', 'category', 'tag'] as const

interface FoundReviews extends Omit<TargetRead, 'links' | 'redirects'> {
  readonly join: Join
}

async function findReviews(task: TargetTask): Promise<FoundReviews> {
  const known = identifyByState(task.identify)
  const identified = known.missing.length === 0 ? known : await searchArticles(task.identify)
  const first = await readReviews(task, identified)
  const { goneIds } = first
  if (goneIds.size === 0 && (identified !== known || !first.hasUnrecognised)) return first
  // Another machine may have replaced it, under another id. The list of links may lag, and contain the former one.
  const again = await searchArticles(task.identify, goneIds)
  const former = new Map([...identified.sourceOf].filter(([id]) => goneIds.has(id)))
  return readReviews(task, again, former)
}

interface ReviewsRead extends FoundReviews {
  /** Ids of articles of files that are gone. */
  readonly goneIds: ReadonlySet<string>
  /** True if the list contains articles that the state does not identify. */
  readonly hasUnrecognised: boolean
}

/** Reads the list, and articles of files that it omits: they may have no date, or be gone. */
async function readReviews(
  task: TargetTask,
  identified: Identified,
  former: ReadonlyMap<string, string> = new Map(),
): Promise<ReviewsRead> {
  const { client, state } = task.identify
  const join = createJoin({ ...task.join, identified, former })
  const isRecognised = createIsRecognised(state)
  const collect = () => {
    const collection = collectReviews({ ...task.reviews, join })
    let hasUnrecognised = false
    return {
      add: (entry: LenientAuthoredEntry) => {
        hasUnrecognised ||= !isRecognised({ id: entry.id, title: entry.name })
        collection.add(entry)
      },
      end: () => ({ collection, hasUnrecognised }),
    }
  }
  const { collection, hasUnrecognised } = await (task.wantsAuthors
    ? client.streamAuthoredReviewDates(collect, { needsList: true })
    : client.streamReviewDates(collect, { needsList: true }))
  const leftOut = [...identified.sourceOf.keys()].filter(
    (id) => join.isOfInterest(join.fileOf(id)) && !collection.has(id),
  )
  const read = await Promise.all(leftOut.map(async (id) => ({ id, entry: await readEntry(client, id) })))
  const entries = read.flatMap(({ entry }) => entry ?? [])
  for (const entry of entries) collection.add(entry)
  const goneIds = new Set(read.flatMap(({ id, entry }) => (entry === undefined ? [id] : [])))
  const unlisted = entries.filter(isDated).length
  return { identified, join, reviews: collection.found(), unlisted, goneIds, hasUnrecognised }
}

function isDated({ article_review_date: date = '' }: LenientAuthoredEntry): boolean {
  return toCalendarDate(date) !== undefined
}

/** Reads an article in the form of the list; undefined if it is gone. */
async function readEntry(client: ApiClient, id: string): Promise<LenientAuthoredEntry | undefined> {
  const read = await client.readArticle(id)
  return read && { ...read.data, id, users_articles_created_byTousers: undefined }
}
