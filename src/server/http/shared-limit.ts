import { createHash } from 'node:crypto'
import type { GuardStore } from '../store/guard-store.ts'

/** The remaining quota until its window ends. */
export interface QuotaState {
  /** True if the last attempt was within the quota. */
  readonly isWithin: boolean
  readonly remaining: number
  readonly resetSeconds: number
}

/** Creates a limit on a database. @param name separates it from others */
export type CreateLimit = (name: string, perMinute: number) => SharedLimit

interface SharedLimitOptions {
  readonly name: string
  /** Attempts per key and minute. */
  readonly perMinute: number
  readonly store: GuardStore
  readonly clock: () => Date
}

const WINDOW_MS = 60_000

/** Part of a quota that a process takes at a time, so that few requests write, and little is lost if unused. */
const SHARE = 1 / 20

/** How long a result of `look` is reused. */
const LOOK_MS = 1000

/** Number of keys in memory at which ended windows are removed. */
const MANY_KEYS = 10_000

interface Share {
  readonly endsMs: number
  /** The part of the quota that all processes have taken. */
  readonly taken: number
  /** The part of it that this process may still use. */
  left: number
  /** True for a result of `look`. */
  readonly isLook?: true
}

/**
 * Limits attempts per key, for all processes on one database together.
 *
 * A process takes attempts from the database a twentieth of the quota at a time, and returns none. So all processes
 * together never exceed the quota, and each may leave up to a twentieth of it unused. While the database cannot be
 * written, each process counts for itself.
 *
 * The first attempt of a key begins its window of a minute. The database stores keys as hashes, for two minutes at
 * most.
 */
export class SharedLimit {
  readonly #options: SharedLimitOptions
  readonly #step: number
  readonly #shares = new Map<string, Share>()
  readonly #taking = new Map<string, Promise<void>>()
  #sweepAt = MANY_KEYS

  constructor(options: SharedLimitOptions) {
    this.#options = options
    this.#step = Math.max(1, Math.floor(options.perMinute * SHARE))
  }

  async count(key: string): Promise<QuotaState> {
    for (;;) {
      const share = this.#find(key)
      if (share !== undefined && share.left > 0) {
        share.left--
        return this.#describe(share, true)
      }
      if (share !== undefined && this.#isUsedUp(share)) return this.#describe(share, false)
      const taking = this.#taking.get(key) ?? this.#take(key).finally(() => this.#taking.delete(key))
      this.#taking.set(key, taking)
      await taking
    }
  }

  /**
   * Checks, without counting, whether another attempt would be within the quota. Waits for attempts that are being
   * counted, so that many at once are not allowed more than the same number one after another.
   */
  async look(key: string): Promise<QuotaState> {
    for (let taking = this.#taking.get(key); taking !== undefined; taking = this.#taking.get(key))
      await taking
    const share = this.#find(key)
    if (share !== undefined && (share.left > 0 || share.isLook || this.#isUsedUp(share)))
      return this.#describe(share, share.left > 0 || !this.#isUsedUp(share))
    const { name, perMinute, store } = this.#options
    const found = await store.readQuota(nameOf(name, key), this.#dateIn(0))
    const taken = Math.min(found?.taken ?? 0, perMinute)
    const endsDate = taken < perMinute ? undefined : found?.endsDate
    const seen: Share = {
      endsMs: Date.parse(endsDate ?? this.#dateIn(LOOK_MS)),
      taken,
      left: 0,
      isLook: true,
    }
    // An attempt may have been counted since.
    if (this.#find(key) === undefined) this.#keep(key, seen)
    return this.#describe(seen, taken < perMinute)
  }

  async #take(key: string): Promise<void> {
    const { name, perMinute, store } = this.#options
    const endsDate = this.#dateIn(WINDOW_MS)
    const known = this.#find(key)?.taken ?? 0
    const now = await store
      .takeQuota(nameOf(name, key), this.#step, this.#dateIn(0), endsDate)
      .catch(() => ({ taken: known + this.#step, endsDate }))
    const left = Math.min(this.#step, Math.max(0, perMinute - now.taken + this.#step))
    this.#keep(key, { endsMs: Date.parse(now.endsDate), taken: Math.min(now.taken, perMinute), left })
  }

  #find(key: string): Share | undefined {
    const share = this.#shares.get(key)
    return share !== undefined && share.endsMs > this.#options.clock().getTime() ? share : undefined
  }

  #keep(key: string, share: Share): void {
    this.#shares.set(key, share)
    if (this.#shares.size < this.#sweepAt) return
    for (const each of this.#shares.keys()) if (this.#find(each) === undefined) this.#shares.delete(each)
    this.#sweepAt = Math.max(MANY_KEYS, 2 * this.#shares.size)
  }

  #isUsedUp({ taken }: Share): boolean {
    return taken >= this.#options.perMinute
  }

  #describe({ endsMs, taken, left }: Share, isWithin: boolean): QuotaState {
    const { perMinute, clock } = this.#options
    const resetSeconds = Math.max(1, Math.ceil((endsMs - clock().getTime()) / 1000))
    return { isWithin, remaining: perMinute - taken + left, resetSeconds }
  }

  #dateIn(ms: number): string {
    return new Date(this.#options.clock().getTime() + ms).toISOString()
  }
}

function nameOf(name: string, key: string): string {
  return createHash('sha256').update(`${name} ${key}`).digest('base64url')
}
