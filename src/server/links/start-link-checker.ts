import type { Store } from '../store/store.ts'
import {
  type AddressCheck,
  type AddressCheckOptions,
  createAddressCheck,
} from '../../link-probe/create-address-check.ts'
import type { RequestLimits } from '../../link-probe/request-limiter.ts'
import { createWaiting, type Waiting } from '../../link-probe/waiting.ts'
import { type CheckedLink, createLinkCheckQueue, type LinkCheckQueue } from './link-check-queue.ts'
import { createTargetLister, type ListTargets } from './target-lister.ts'

export interface LinkCheckOptions extends AddressCheckOptions {
  /** Time between two checks of an address that works; articles are looked up every 10 minutes at least. */
  readonly intervalMs: number
  /** Told of every check that came to an end. */
  readonly onChecked?: ((checked: CheckedLink) => void) | undefined
  readonly limits?: Partial<RequestLimits> | undefined
  /** Longest time after which new links are seen; 15 s by default. */
  readonly pollMs?: number | undefined
  /** From 0 up to, not including, 1. */
  readonly random?: (() => number) | undefined
}

export interface LinkCheckerParts extends LinkCheckOptions {
  readonly store: Store
  readonly version: string
  /** Path of an article on the site, with `{slug}`: which relative links are articles. */
  readonly articlePath: string
  readonly clock: () => Date
  readonly onError: (error: unknown) => void
}

export interface LinkChecker {
  /** Gives up the requests in flight, gives their links back, and waits for the last write. */
  close(): Promise<void>
}

const LIMITS: RequestLimits = { concurrency: 8, perHost: 1, hostPauseMs: 1000 }

/** Shortest time between two looks at what is due. */
const TICK_MS = 500

const elapsedMs = () => performance.now()

/** Checks the links of a knowledge base in the background. Nothing of it keeps the process alive. */
export function startLinkChecker(parts: LinkCheckerParts): LinkChecker {
  const stopper = new AbortController()
  const { signal: stop } = stopper
  const { store, articlePath, pollMs = 15_000 } = parts
  const nowMs = () => parts.clock().getTime()
  const waiting = createWaiting(stop)
  const addresses = createAddressCheck({
    ...parts,
    limits: { ...LIMITS, ...parts.limits },
    nowMs,
    sleep: waiting.sleep,
    stop,
  })
  const queue = createQueue(parts, { addresses, waiting, stop, nowMs })
  const listTargets = createTargetLister({ store, nowMs, elapsedMs, articlePath, pollMs, stop })
  const running = run({ store, queue, listTargets, waiting, stop, nowMs, pollMs, onError: parts.onError })

  async function close(): Promise<void> {
    stopper.abort()
    await running
    await queue.settled()
    await addresses.close()
  }
  let closing: Promise<void> | undefined
  return { close: () => (closing ??= close()) }
}

interface Surroundings {
  readonly addresses: AddressCheck
  readonly waiting: Waiting
  readonly stop: AbortSignal
  readonly nowMs: () => number
}

function createQueue(parts: LinkCheckerParts, { addresses, waiting, stop, nowMs }: Surroundings) {
  return createLinkCheckQueue({
    store: parts.store,
    checkAddress: addresses.check,
    rests: addresses.rests,
    intervalMs: parts.intervalMs,
    nowMs,
    random: parts.random ?? Math.random,
    onChecked: parts.onChecked ?? (() => undefined),
    onError: parts.onError,
    onRoom: waiting.wake,
    stop,
  })
}

interface Loop {
  readonly store: Store
  readonly queue: LinkCheckQueue
  readonly listTargets: ListTargets
  readonly waiting: Waiting
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
    await loop.waiting.sleep(Math.min(TICK_MS, loop.pollMs))
    await loop.waiting.sleepUntilWoken(restMs)
  }
}

/** @returns milliseconds until there will be something to do, unless room is made before */
async function look({ store, queue, listTargets, nowMs, pollMs }: Loop): Promise<number> {
  await listTargets()
  if (await queue.fill()) return 0
  const now = nowMs()
  const next = await store.nextLinkCheckDate(new Date(now).toISOString())
  return next === undefined ? pollMs : Math.min(Date.parse(next) - now, pollMs)
}
