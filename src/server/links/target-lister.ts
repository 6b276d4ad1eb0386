// Schedules the targets of new links. From time to time, all links are read, since the target of some has changed:
// those that an older version stored, or that were stored while articles had another path.
import { setImmediate as turn } from 'node:timers/promises'
import type { StoredLink } from '../store/link-check-data.ts'
import type { LinkCheckStore } from '../store/link-check-store.ts'
import type { Store } from '../store/open-store.ts'
import { createLinkTarget } from './link-target.ts'

/** Updates the targets of links, and schedules new ones. Almost free if nothing was written. */
export type ListTargets = () => Promise<void>

interface TargetListerOptions {
  readonly store: LinkCheckStore & Pick<Store, 'changeMark'>
  readonly nowMs: () => number
  /** A monotonic clock. */
  readonly elapsedMs: () => number
  /** Path of an article on the site, with `{slug}`. */
  readonly articlePath: string
  /** Minimum time between two runs. */
  readonly pollMs: number
  readonly stop: AbortSignal
}

const PAGE = 500
const LIST_ALL_EVERY_MS = 3_600_000

export function createTargetLister(options: TargetListerOptions): ListTargets {
  const { store, nowMs, elapsedMs, articlePath, pollMs, stop } = options
  let seenMark: number | undefined
  let listedMs = Number.NEGATIVE_INFINITY
  let listedAllMs = Number.NEGATIVE_INFINITY

  const linkTarget = createLinkTarget(articlePath)
  const targetOf = (link: StoredLink) => linkTarget(link.url, link)

  async function retargetAll(): Promise<void> {
    let after: number | undefined = 0
    while (after !== undefined && !stop.aborted) {
      after = await store.retargetLinks({ after, limit: PAGE }, targetOf)
      // Reads are synchronous, so this lets other requests run.
      await turn()
    }
  }

  async function scheduleNew(): Promise<void> {
    while (!stop.aborted && (await store.scheduleTargets(new Date(nowMs()).toISOString(), PAGE))) await turn()
  }

  return async () => {
    const now = elapsedMs()
    const mark = store.changeMark()
    const isAll = now - listedAllMs >= LIST_ALL_EVERY_MS
    if (!isAll && (mark === seenMark || now - listedMs < pollMs)) return
    if (isAll) await retargetAll()
    await scheduleNew()
    // A commit since then has changed the mark.
    seenMark = mark
    listedMs = now
    if (isAll) listedAllMs = now
  }
}
