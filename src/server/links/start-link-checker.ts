import { setImmediate as turn } from 'node:timers/promises'
import type { Store } from '../store/open-store.ts'
import { type AddressCheckOptions, createAddressCheck } from '../../api/link-probe/create-address-check.ts'
import type { RequestLimits } from '../../api/link-probe/request-limiter.ts'
import {
  createInterruptibleSleep,
  type InterruptibleSleep,
} from '../../api/link-probe/interruptible-sleep.ts'
import { HostClaims } from './host-claims.ts'
import { type CheckedLink, LinkCheckQueue } from './link-check-queue.ts'

export interface LinkCheckOptions extends AddressCheckOptions {
  /** Time between two checks of a working URL; articles are looked up at least every 10 minutes. */
  readonly intervalMs: number
  /** Called after every completed check. */
  readonly onChecked?: ((checked: CheckedLink) => void) | undefined
  readonly limits?: Partial<RequestLimits> | undefined
  /** Maximum time until new links are found; default 15 s. */
  readonly pollMs?: number | undefined
  /** At least 0, less than 1. */
  readonly random?: (() => number) | undefined
}

export interface LinkCheckerParts extends LinkCheckOptions {
  readonly store: Store
  readonly version: string
  readonly clock: () => Date
  readonly onError: (error: unknown) => void
}

export interface LinkChecker {
  /** Aborts requests in progress, releases their links, and waits for the last write. */
  close(): Promise<void>
}

const LIMITS: RequestLimits = { concurrency: 8, perHost: 1, hostPauseMs: 1000 }

/** Minimum time between two searches for due links. */
const TICK_MS = 500

/** Checks the links of a knowledge base in the background, without keeping the process alive. */
export function startLinkChecker(parts: LinkCheckerParts): LinkChecker {
  const stopper = new AbortController()
  const { signal: stop } = stopper
  const { store, pollMs = 15_000 } = parts
  const nowMs = () => parts.clock().getTime()
  const pauses = createInterruptibleSleep(stop)
  const sites = createSiteQueues(parts, { pauses, stop, nowMs })
  const listTargets = createTargetLister({ store, nowMs, elapsedMs: () => performance.now(), pollMs, stop })
  const running = run({ store, sites, listTargets, pauses, stop, nowMs, pollMs, onError: parts.onError })

  async function close(): Promise<void> {
    stopper.abort()
    await running
    await sites.close()
  }
  let closing: Promise<void> | undefined
  return { close: () => (closing ??= close()) }
}

interface Surroundings {
  readonly pauses: InterruptibleSleep
  readonly stop: AbortSignal
  readonly nowMs: () => number
}

interface SiteQueue {
  readonly queue: LinkCheckQueue
  /** Closes every connection of the site. */
  readonly close: () => Promise<void>
}

/**
 * Each site has a queue with its own limits and its own list of busy hosts, so that many links or slow hosts of one
 * site do not delay another.
 */
function createSiteQueues(parts: LinkCheckerParts, surroundings: Surroundings) {
  const queues = new Map<string, SiteQueue>()

  /**
   * Starts to check the due links of these sites while there is room. @returns true if more could be claimed at once
   */
  async function fill(siteIds: readonly string[]): Promise<boolean> {
    let more = false
    for (const siteId of siteIds) {
      const site = queues.get(siteId) ?? createSiteQueue(siteId, parts, surroundings)
      queues.set(siteId, site)
      more = (await site.queue.fill()) || more
    }
    return more
  }

  async function close(): Promise<void> {
    await Promise.all(
      [...queues.values()].map(async ({ queue, close: closeConnections }) => {
        await queue.settled()
        await closeConnections()
      }),
    )
  }

  return { fill, close }
}

function createSiteQueue(siteId: string, parts: LinkCheckerParts, surroundings: Surroundings): SiteQueue {
  const { pauses, stop, nowMs } = surroundings
  const { store, onError } = parts
  const { sleep, wake: onRoom } = pauses
  const limits = { ...LIMITS, ...parts.limits }
  const restMs = (host: string) => addresses.rests.leftMs(host)
  const pauseMs = limits.hostPauseMs
  const hosts = new HostClaims({
    siteId,
    store,
    restMs,
    pauseMs,
    nowMs,
    sleep,
    stop,
    onFree: onRoom,
    onError,
  })
  const addresses = createAddressCheck({ ...parts, limits, hosts, nowMs, sleep, stop })
  const queue = new LinkCheckQueue({
    siteId,
    store,
    checkAddress: addresses.check,
    rests: addresses.rests,
    hosts,
    intervalMs: parts.intervalMs,
    nowMs,
    random: parts.random ?? Math.random,
    onChecked: parts.onChecked ?? (() => undefined),
    onError,
    onRoom,
    stop,
  })
  return { queue, close: addresses.close }
}

interface Loop {
  readonly store: Store
  readonly sites: ReturnType<typeof createSiteQueues>
  readonly listTargets: ListTargets
  readonly pauses: InterruptibleSleep
  readonly stop: AbortSignal
  readonly nowMs: () => number
  readonly pollMs: number
  readonly onError: (error: unknown) => void
}

async function run(loop: Loop): Promise<void> {
  while (!loop.stop.aborted) {
    const restMs = await look(loop).catch((error: unknown) => {
      loop.onError(error)
      return loop.pollMs
    })
    await loop.pauses.sleep(Math.min(TICK_MS, loop.pollMs))
    await loop.pauses.sleepUntilWoken(restMs)
  }
}

/** @returns milliseconds until the next due link, unless there is room earlier */
async function look({ store, sites, listTargets, nowMs, pollMs }: Loop): Promise<number> {
  await listTargets()
  const now = nowMs()
  if (await sites.fill(await store.sitesWithDueLinks(new Date(now).toISOString()))) return 0
  const next = await store.nextLinkCheckDate(new Date(now).toISOString())
  return next === undefined ? pollMs : Math.min(Date.parse(next) - now, pollMs)
}

/** Updates the targets of links, and schedules new ones. Almost free if nothing was written. */
type ListTargets = () => Promise<void>

interface TargetListerOptions {
  readonly store: Store
  readonly nowMs: () => number
  /** A monotonic clock. */
  readonly elapsedMs: () => number
  /** Minimum time between two runs. */
  readonly pollMs: number
  readonly stop: AbortSignal
}

/** Number of links that are read, or targets that are scheduled, at a time. */
const PAGE = 500
const LIST_ALL_EVERY_MS = 3_600_000

/**
 * From time to time, all links are read, since the target of some has changed: those that an older version stored, or
 * that were stored while articles had another path.
 */
export function createTargetLister(options: TargetListerOptions): ListTargets {
  const { store, nowMs, elapsedMs, pollMs, stop } = options
  let seenMark: number | undefined
  let listedMs = Number.NEGATIVE_INFINITY
  let listedAllMs = Number.NEGATIVE_INFINITY

  async function retargetAll(): Promise<void> {
    let after: number | undefined = 0
    while (after !== undefined && !stop.aborted) {
      after = await store.retargetLinks({ after, limit: PAGE })
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
