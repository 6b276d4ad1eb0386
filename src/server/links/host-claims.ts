import type { HostAccess } from '../../api/link-probe/check-address.ts'
import type { LinkCheckStore } from '../store/link-check-store.ts'

/** Longer than a full queue takes; also how long the links and hosts of a killed process stay claimed. */
export const CLAIM_MS = 15 * 60_000

interface HostClaimsParts {
  readonly siteId: string
  readonly store: Pick<LinkCheckStore, 'busyHosts' | 'claimHost' | 'freeHost'>
  /** Returns the remaining milliseconds of the pause that a host requested. */
  readonly restMs: (host: string) => number
  /** Pause between two requests. */
  readonly pauseMs: number
  readonly nowMs: () => number
  readonly sleep: (ms: number) => Promise<void>
  readonly stop: AbortSignal
  /** Called when a host may be claimed again. */
  readonly onFree: () => void
  readonly onError: (error: unknown) => void
}

/**
 * The hosts that this process may request. A host is claimed in the database, so that no other process requests it.
 * After its last check here and a pause, which a host may request to be longer, it is released.
 */
export class HostClaims implements HostAccess {
  readonly #parts: HostClaimsParts
  readonly #held = new Map<string, { readonly claimedUntil: string; users: number }>()

  constructor(parts: HostClaimsParts) {
    this.#parts = parts
  }

  /** Returns the hosts whose links cannot be claimed now. */
  async busy(): Promise<ReadonlySet<string>> {
    const { siteId, store } = this.#parts
    return new Set([...this.#held.keys(), ...(await store.busyHosts(siteId, this.#dateIn(0)))])
  }

  /** Adds a check of a host that was claimed together with its link. */
  add(host: string, claimedUntil: string): void {
    const held = this.#held.get(host) ?? { claimedUntil, users: 0 }
    held.users++
    this.#held.set(host, held)
  }

  /** Adds a check of a host, after its pause. Used for hosts that redirects lead to, too. */
  async hold(host: string): Promise<boolean> {
    const { siteId, store, pauseMs, nowMs, sleep, stop } = this.#parts
    while (!stop.aborted) {
      const held = this.#held.get(host)
      if (held !== undefined) {
        // Lets other processes claim the host before the claim expires.
        if (Date.parse(held.claimedUntil) - nowMs() < CLAIM_MS / 2) return false
        held.users++
        return true
      }
      const claimedUntil = this.#dateIn(CLAIM_MS)
      const freeFrom = await store.claimHost(siteId, host, this.#dateIn(0), claimedUntil)
      if (freeFrom === undefined) {
        this.add(host, claimedUntil)
        return true
      }
      const waitMs = Date.parse(freeFrom) - nowMs()
      if (waitMs > pauseMs) return false
      await sleep(waitMs)
    }
    throw stop.reason
  }

  /** Removes a check of a host, and releases the host after the last one. */
  async leave(host: string): Promise<void> {
    const { siteId, store, restMs, pauseMs, sleep, onFree, onError } = this.#parts
    const held = this.#held.get(host)
    if (held === undefined || --held.users > 0) return
    this.#held.delete(host)
    const freeFrom = this.#dateIn(Math.max(pauseMs, restMs(host)))
    await store.freeHost(siteId, host, held.claimedUntil, freeFrom).catch(onError)
    void sleep(pauseMs).then(onFree)
  }

  #dateIn(ms: number): string {
    return new Date(this.#parts.nowMs() + ms).toISOString()
  }
}
