import { articleOfTarget } from './link-target.ts'
import type { DueLink, LinkCheckResult, DuePlace } from '../store/link-check-data.ts'
import { hostOfTarget, type LinkCheckStore } from '../store/link-check-store.ts'
import { CLAIM_MS, type HostClaims } from './host-claims.ts'
import type { HostRests } from '../../api/link-probe/host-rests.ts'
import type { Observation } from '../../api/link-probe/observation.ts'
import { toCheckResult } from './to-check-result.ts'

/** A completed check. */
export interface CheckedLink extends Pick<LinkCheckResult, 'target' | 'working' | 'status' | 'reason'> {
  readonly siteId: string
  readonly kind: Observation['kind']
}

interface LinkCheckQueueParts {
  readonly siteId: string
  readonly store: LinkCheckStore
  readonly checkAddress: (address: string) => Promise<Observation>
  readonly rests: HostRests
  readonly hosts: HostClaims
  readonly intervalMs: number
  readonly nowMs: () => number
  readonly random: () => number
  readonly onChecked: (checked: CheckedLink) => void
  readonly onError: (error: unknown) => void
  /** Called when there is room in the queue. */
  readonly onRoom: () => void
  readonly stop: AbortSignal
}

/** Maximum number of URLs that wait or are being checked. */
const CAPACITY = 64
/** Maximum number of URLs of one host, which then becomes free for other processes. */
const HOST_CAPACITY = 8
const ARTICLES_AT_ONCE = 500
const READ_AT_ONCE = 2500

/** Checks the due targets of a site, each once, even with several processes. */
export class LinkCheckQueue {
  readonly #parts: LinkCheckQueueParts
  readonly #running = new Map<string, Promise<void>>()
  readonly #choose: ReturnType<typeof createLinkChooser>

  constructor(parts: LinkCheckQueueParts) {
    this.#parts = parts
    this.#choose = createLinkChooser((after, limit) =>
      parts.store.dueLinks(parts.siteId, this.#now(), after, limit),
    )
  }

  /** Claims due links and starts to check them while there is room. @returns true if more could be claimed at once */
  async fill(): Promise<boolean> {
    const { hosts, rests } = this.#parts
    const busy = await hosts.busy()
    const used = new Map<string, number>()
    const limits = { room: CAPACITY - this.#running.size, articles: ARTICLES_AT_ONCE, read: READ_AT_ONCE }
    const chosen = await this.#choose(limits, (target) => {
      const host = hostOfTarget(target)
      const count = used.get(host) ?? 0
      if (busy.has(host) || count >= HOST_CAPACITY || rests.leftMs(host) > 0) return false
      used.set(host, count + 1)
      return true
    })
    await this.#begin([...chosen.addresses, ...chosen.articles])
    return chosen.more
  }

  /** Resolves when the results of all claimed links are stored, or their claims released after a stop. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values())
  }

  async #begin(chosen: readonly DueLink[]): Promise<void> {
    const { siteId, store, hosts, stop, nowMs, onRoom } = this.#parts
    const due = new Map(chosen.map((each) => [each.target, each]))
    if (due.size === 0 || stop.aborted) return
    const claimedUntil = isoOf(nowMs() + CLAIM_MS)
    const claimed = await store.claimLinks(siteId, [...due.keys()], this.#now(), claimedUntil)
    const mine = claimed.flatMap((target) => due.get(target) ?? [])
    for (const each of mine.filter(({ target }) => articleOfTarget(target) === undefined)) {
      hosts.add(hostOfTarget(each.target), claimedUntil)
      const task = this.#checkOne(each, claimedUntil).finally(() => {
        this.#running.delete(each.target)
        onRoom()
      })
      this.#running.set(each.target, task)
    }
    await this.#checkArticles(mine, claimedUntil)
  }

  async #checkOne(due: DueLink, claimedUntil: string): Promise<void> {
    const { siteId, store, hosts, stop, checkAddress, onError } = this.#parts
    const checking = checkAddress(due.target)
    const leave = () => hosts.leave(hostOfTarget(due.target))
    // In the same transaction as the result.
    const leaving = checking.then(leave, leave)
    try {
      await this.#record([[due, await checking]], claimedUntil)
    } catch (error) {
      if (stop.aborted)
        await store.releaseLinks(siteId, [due.target], claimedUntil, this.#now()).catch(onError)
      else onError(error)
    }
    await leaving
  }

  async #checkArticles(mine: readonly DueLink[], claimedUntil: string): Promise<void> {
    const observed: [DueLink, Observation][] = []
    for (const due of mine) {
      const article = articleOfTarget(due.target)
      if (article !== undefined) {
        const exists = await this.#parts.store.hasPublishedArticle(article.siteId, article.slug)
        observed.push([due, exists ? { kind: 'works', status: null } : NO_ARTICLE])
      }
    }
    if (observed.length > 0) await this.#record(observed, claimedUntil)
  }

  async #record(observed: readonly [DueLink, Observation][], claimedUntil: string): Promise<void> {
    const { siteId, store, intervalMs, nowMs, random, onChecked } = this.#parts
    const results = observed.map(([due, observation]) =>
      toCheckResult(due, observation, { claimedUntil, intervalMs, nowMs: nowMs(), random: random() }),
    )
    await store.recordLinkChecks(siteId, results)
    for (const [index, [, { kind }]] of observed.entries()) {
      const { target, working, status, reason } = results[index] as LinkCheckResult
      onChecked({ siteId, target, kind, working, status, reason })
    }
  }

  #now(): string {
    return isoOf(this.#parts.nowMs())
  }
}

const NO_ARTICLE: Observation = { kind: 'broken', status: null, reason: 'no such article' }

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}

interface ChoiceLimits {
  /** Maximum number of URLs to claim. */
  readonly room: number
  readonly articles: number
  /** Number of entries that were read. */
  readonly read: number
}

const START: DuePlace = { dueDate: '', target: '' }
const PAGE = 500

/**
 * Chooses due targets, skipping those for which `hasRoom` is false, so that a host with thousands of links does not
 * delay others. A long list is read in parts: each call continues where the last one ended. `more`: more could be
 * claimed at once.
 */
function createLinkChooser(read: (after: DuePlace, limit: number) => Promise<readonly DueLink[]>) {
  let place = START

  return async (limits: ChoiceLimits, hasRoom: (target: string) => boolean) => {
    const addresses: DueLink[] = []
    const articles: DueLink[] = []
    const isFull = () => addresses.length >= limits.room
    for (let count = 0; count < limits.read; count += PAGE) {
      const page = await read(place, PAGE)
      for (const due of page) {
        place = due
        if (articleOfTarget(due.target) !== undefined) articles.push(due)
        else if (!isFull() && hasRoom(due.target)) addresses.push(due)
        if (articles.length >= limits.articles) return { addresses, articles, more: true }
      }
      if (page.length < PAGE) {
        place = START
        return { addresses, articles, more: false }
      }
    }
    return { addresses, articles, more: !isFull() }
  }
}
