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
import { toCalendarDate } from '../../core/calendar-date.ts'
import { createJoin, type Join, type JoinParts } from './join/join.ts'

interface TargetTask {
  readonly identify: IdentifyTask
  readonly join: Omit<JoinParts, 'identified' | 'former'>
  readonly reviews: Omit<ReviewTask, 'join'>
  /** Returns the local check of links, which depends on the findings. */
  readonly links: (found: Pick<TargetRead, 'identified' | 'reviews'>) => Omit<LinkTask, 'join' | 'articles'>
  /** True if the list should contain the creators of the articles. */
  readonly wantsAuthors: boolean
}

/** The target's lists, combined with the files. */
export interface TargetRead {
  readonly identified: Identified
  readonly reviews: ReviewsFound
  /** Articles of files that have a review date and stand in no list of them. */
  readonly unlisted: number
  readonly links: LinksFound
}

/**
 * Reads the two lists of the target. One request each where the state knows the article of every file, and whose the
 * others are; else they are read before to find that out. Throws what the client throws.
 */
export async function readTarget(task: TargetTask): Promise<TargetRead> {
  const { client } = task.identify
  const found = await findReviews(task)
  const { identified, reviews, unlisted, join } = found
  const rest = task.links(found)
  const { articles } = reviews
  const links = await client.streamLinks(() => collectLinks({ ...rest, join, articles }), { needsList: true })
  return { identified, reviews, unlisted, links }
}

interface FoundReviews extends Omit<TargetRead, 'links'> {
  readonly join: Join
}

async function findReviews(task: TargetTask): Promise<FoundReviews> {
  const known = identifyByState(task.identify)
  const identified = known.missing.length === 0 ? known : await searchArticles(task.identify)
  const first = await readReviews(task, identified)
  const { goneIds } = first
  if (goneIds.size === 0 && (identified !== known || !first.hasUnrecognised)) return first
  // Replaced by another machine, perhaps: under another id. The list of links may lag, and name the former one.
  const again = await searchArticles(task.identify, goneIds)
  const former = new Map([...identified.sourceOf].filter(([id]) => goneIds.has(id)))
  return readReviews(task, again, former)
}

interface ReviewsRead extends FoundReviews {
  /** Articles of files that are no longer there. */
  readonly goneIds: ReadonlySet<string>
  /** True if the list contains articles that the state does not identify. */
  readonly hasUnrecognised: boolean
}

/** Articles of files that the list leaves out are read: they may have no date, or be gone. */
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

/** An article as the list would show it; undefined where it is gone. */
async function readEntry(client: ApiClient, id: string): Promise<LenientAuthoredEntry | undefined> {
  const read = await client.readArticle(id)
  return read && { ...read.data, id, users_articles_created_byTousers: undefined }
}
