import { versionOf } from '../../core/model/article-version.ts'
import type { TargetState } from '../../core/model/target-state.ts'
import type { RemoteEntry } from './remote-entry.ts'
import type { Review } from '../../core/model/document.ts'
import { addDays } from '../../core/calendar-date.ts'

/** The result of the writes of an interrupted run. */
export interface Recovery {
  /** Number of started writes to articles. */
  readonly writes: number
  /** Number of writes that the target has carried out. */
  readonly arrived: number
  /** Sources of articles whose write did not arrive. */
  readonly missing: readonly string[]
}

/** Explains the state that an interrupted run left; undefined if the last run was not interrupted. Pure. */
export function explainRecovery(
  { unfinished }: Pick<TargetState, 'unfinished'>,
  entries: readonly RemoteEntry[],
): Recovery | undefined {
  const { writes, sent, updates, deletedIds } = unfinished
  if (writes === 0) return undefined
  const versions = new Set(entries.flatMap(({ ours }) => (ours === undefined ? [] : [versionOf(ours)])))
  const ids = new Set(entries.map(({ id }) => id))
  const latest = [...updates.values()].flatMap(([first]) => first ?? [])
  const changed = [...sent, ...latest]
  const missing = changed.filter((record) => !versions.has(versionOf(record)))
  const kept = [...deletedIds].filter((id) => ids.has(id))
  return {
    writes: changed.length + deletedIds.size,
    arrived: changed.length + deletedIds.size - missing.length - kept.length,
    missing: [...new Set(missing.flatMap(({ source }) => source ?? []))],
  }
}

const NEAR_DAYS = 366

/** True if the review date is so far away, or never, that the target's lists may omit the article. */
export function isFarReview(review: Review, today: string): boolean {
  if (review.kind === 'default') return review.afterDays > NEAR_DAYS
  return review.kind === 'never' || review.date > addDays(today, NEAR_DAYS)
}

/** Advice for articles that were accepted but are not listed. Sending them again could create duplicates. */
export function explainWayOut(
  wayPast: string,
  { isFar, isDraft }: { readonly isFar: boolean; readonly isDraft: boolean },
): string {
  const drafts = isDraft ? ' Some targets do not list drafts: publish it first.' : ''
  const others = isFar
    ? ' Some targets list only articles with a near review date or a link: add one of them first.'
    : ''
  return `Look for it in the knowledge base and delete it there if you find it, then ${wayPast}.${drafts}${others}`
}
