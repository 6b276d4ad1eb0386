import { readRetryAfterMs } from '../../core/retry-after.ts'
import type { HostRests } from './host-rests.ts'
import type { Observation } from './observation.ts'
import type { LimitRequest } from './request-limiter.ts'
import type { ProbeAnswer, ProbeOutcome, SendProbe } from './send-probe.ts'
import { parseUrl } from '../../core/parse-url.ts'
import { statusLine } from '../../core/status-line.ts'

/** Coordinates requests to a host with others. A check holds each of its hosts from its first request to its end. */
export interface HostAccess {
  /** @returns true if the host may be requested now; throws only the reason of an abort */
  readonly hold: (host: string) => Promise<boolean>
  readonly leave: (host: string) => Promise<void>
}

interface CheckAddressParts {
  /** Undefined if nothing else requests the same hosts. */
  readonly hosts?: HostAccess | undefined
  readonly sendProbe: SendProbe
  readonly limitRequest: LimitRequest
  readonly rests: HostRests
  /** Maximum time for one request. */
  readonly requestTimeoutMs: number
  /** Maximum time for all requests of a check, without waiting in the queue. */
  readonly checkTimeoutMs: number
  readonly nowMs: () => number
  /** A monotonic clock. */
  readonly elapsedMs: () => number
}

/** Maximum number of redirects before a chain counts as endless. */
const MOST_REDIRECTS = 10

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** One chain of redirects, with its remaining limits. */
interface Walk extends CheckAddressParts {
  readonly method: 'HEAD' | 'GET'
  readonly budget: { leftMs: number }
  readonly held: Set<string>
}

interface Finding {
  readonly kind: 'finding'
  readonly observation: Observation
  readonly isSuspect: boolean
}

/**
 * Checks a URL with HEAD, and with GET if HEAD finds no page. Every redirect is a separate request: it is guarded
 * again, waits for a slot at its host, and respects the pauses that the host requested.
 *
 * @throws only the reason of an abort
 */
export async function checkAddress(address: string, parts: CheckAddressParts): Promise<Observation> {
  const walk = { ...parts, budget: { leftMs: parts.checkTimeoutMs }, held: new Set<string>() }
  try {
    const head = await follow(address, { ...walk, method: 'HEAD' })
    if (!head.isSuspect || walk.budget.leftMs <= 0) return head.observation
    return (await follow(address, { ...walk, method: 'GET' })).observation
  } finally {
    for (const host of walk.held) await parts.hosts?.leave(host)
  }
}

async function follow(address: string, walk: Walk): Promise<Finding> {
  const seen = new Set<string>()
  let place = enter(address)
  while (place instanceof URL) {
    if (seen.has(place.href)) return found(broken('the redirects form a loop'), true)
    if (seen.size > MOST_REDIRECTS) return found(broken('too many redirects'), true)
    seen.add(place.href)
    place = await step(place, walk)
  }
  return place
}

/** Returns the URL to request, or the reason why it cannot be requested. */
function enter(address: string, base?: URL): URL | Finding {
  const url = parseUrl(address, base)
  if (url === undefined) return found(broken('the URL is not valid'))
  url.hash = ''
  if (/^https?:$/.test(url.protocol)) return url
  return found({ kind: 'closed', status: null, reason: `redirects to ${url.protocol}` })
}

async function step(url: URL, walk: Walk): Promise<URL | Finding> {
  const outcome = await walk.limitRequest(url.hostname, () => ask(url, walk))
  if (outcome.kind === 'finding') return outcome
  if (outcome.kind === 'failed') return found(outcome.observation, outcome.ofTheAnswer)
  const { status, location } = outcome
  if (REDIRECTS.has(status) && location !== undefined) return enter(location, url)
  return judge(url, outcome, walk)
}

async function ask(url: URL, walk: Walk): Promise<ProbeOutcome | Finding> {
  if (!(await enterHost(url.hostname, walk))) return found(TAKEN)
  const restMs = walk.rests.leftMs(url.hostname)
  if (restMs > 0) return found(resting(restMs))
  if (walk.budget.leftMs <= 0) return found(broken('no response in time'))
  const startedMs = walk.elapsedMs()
  try {
    return await walk.sendProbe(url, walk.method, Math.min(walk.requestTimeoutMs, walk.budget.leftMs))
  } finally {
    walk.budget.leftMs -= walk.elapsedMs() - startedMs
  }
}

async function enterHost(host: string, { hosts, held }: Walk): Promise<boolean> {
  if (hosts === undefined || held.has(host)) return true
  if (!(await hosts.hold(host))) return false
  held.add(host)
  return true
}

function judge(url: URL, { status, retryAfter }: ProbeAnswer, walk: Walk): Finding {
  const nowMs = walk.nowMs()
  const observation = readStatus(status, retryAfter, nowMs)
  if (observation.kind === 'busy') walk.rests.rest(url.hostname, nowMs + observation.retryAfterMs)
  return found(observation, observation.kind === 'broken' || observation.kind === 'closed')
}

function found(observation: Observation, isSuspect = false): Finding {
  return { kind: 'finding', observation, isSuspect }
}

function broken(reason: string): Observation {
  return { kind: 'broken', status: null, reason }
}

function resting(retryAfterMs: number): Observation {
  return { kind: 'busy', status: null, reason: 'the host limits the rate of requests', retryAfterMs }
}

/** The result of a check if another process is requesting the host. */
const TAKEN: Observation = {
  kind: 'busy',
  status: null,
  reason: 'another server process is checking links of the host',
  retryAfterMs: 60_000,
}

/** Pause for a busy host that does not state one. */
const DEFAULT_REST_MS = 10 * 60_000

const REST = { shortestMs: 30_000, longestMs: 86_400_000 }

/**
 * Statuses with which a server rejects a program but may accept a person who signs in, pays, or is not a robot (for
 * which some sites use 999). The page exists, so the link is not broken.
 */
const CLOSED = new Set([401, 402, 403, 405, 406, 407, 451, 501, 999])

/** Interprets a response's status. Redirects were followed before. */
export function readStatus(status: number, retryAfter: string | undefined, nowMs: number): Observation {
  if (status < 400) return { kind: 'works', status }
  const reason = statusLine(status)
  const restMs = readRetryAfterMs(retryAfter, nowMs, REST)
  if (status === 429 || (status === 503 && restMs !== undefined))
    return { kind: 'busy', status, reason, retryAfterMs: restMs ?? DEFAULT_REST_MS }
  return CLOSED.has(status) ? { kind: 'closed', status, reason } : { kind: 'broken', status, reason }
}
