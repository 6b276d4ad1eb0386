// Finds the targets of new links. Ids of links begin with their creation time, so that only new ones are read. From
// time to time all are read, because targets change: after an update of the article, and for links stored by an older
// version or when articles had another path.
import type { LinkCheckStore, StoredLink } from '../store/link-check-data.ts'
import type { Store } from '../store/store.ts'
import { createLinkTarget } from './link-target.ts'

/** Updates the targets of links, and makes new ones due. Nearly free if nothing was written. */
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

/** Another process may commit a link some time after it created its id, and its clock may be behind. */
const LOOK_BACK_MS = 60_000

export function createTargetLister({
  store,
  nowMs,
  elapsedMs,
  articlePath,
  pollMs,
  stop,
}: TargetListerOptions): ListTargets {
  let seenMark: number | undefined
  let listedMs = Number.NEGATIVE_INFINITY
  let listedAllMs = Number.NEGATIVE_INFINITY
  let cursor = ''

  const linkTarget = createLinkTarget(articlePath)
  const targetOf = (link: StoredLink) => linkTarget(link.url, link)

  async function listAfter(start: string): Promise<void> {
    let after = start
    let more = true
    while (more && !stop.aborted) {
      const listed = await store.listLinkTargets(
        { after, limit: PAGE },
        new Date(nowMs()).toISOString(),
        targetOf,
      )
      after = listed.lastId ?? after
      more = listed.more
      // Reads are synchronous: this lets other requests run.
      await new Promise((resolve) => setImmediate(resolve))
    }
    cursor = cursorAt(after, nowMs())
  }

  return async () => {
    const now = elapsedMs()
    const mark = store.changeMark()
    const isAll = now - listedAllMs >= LIST_ALL_EVERY_MS
    if (!isAll && (mark === seenMark || now - listedMs < pollMs)) return
    await listAfter(isAll ? '' : cursor)
    // A commit in the meantime has changed the mark.
    seenMark = mark
    listedMs = now
    if (isAll) listedAllMs = now
  }
}

function cursorAt(lastId: string, nowMs: number): string {
  const madeMs = Number.parseInt(lastId.replace('-', '').slice(0, 12), 16)
  if (Number.isNaN(madeMs) || nowMs - madeMs > LOOK_BACK_MS) return lastId
  const digits = Math.max(madeMs - LOOK_BACK_MS, 0)
    .toString(16)
    .padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}`
}
