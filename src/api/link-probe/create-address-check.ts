import { lookup } from 'node:dns/promises'
import { Agent } from 'undici'
import { createGuardedConnector, isPublicAddress, type ResolveHost } from './address-guard.ts'
import { checkAddress, type HostAccess } from './check-address.ts'
import { createHostRests } from './host-rests.ts'
import { createRequestLimiter, type RequestLimits } from './request-limiter.ts'
import { createSendProbe } from './send-probe.ts'

/** The options of URL checks; the defaults apply to every checker. */
export interface AddressCheckOptions {
  /** True to connect to private addresses; default false. */
  readonly allowPrivateAddresses?: boolean | undefined
  /** Maximum time for one request; default 15 s. */
  readonly requestTimeoutMs?: number | undefined
  /** Maximum time for all requests of one check; default 40 s. */
  readonly checkTimeoutMs?: number | undefined
  /** Resolves a host; default: the system's resolver. */
  readonly resolve?: ResolveHost | undefined
}

interface AddressCheckParts extends AddressCheckOptions {
  readonly version: string
  readonly limits: RequestLimits
  readonly hosts?: HostAccess | undefined
  readonly nowMs: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** Aborts all requests. */
  readonly stop: AbortSignal
}

const CONNECT_TIMEOUT_MS = 10_000
const HEADERS_LIMIT_BYTES = 64 * 1024

/** Creates a polite and safe URL check: with a guard, limits for each host, pauses, and time limits. */
export function createAddressCheck(parts: AddressCheckParts) {
  const { version, nowMs, stop, requestTimeoutMs = 15_000, checkTimeoutMs = 40_000 } = parts
  const dispatcher = createDispatcher(parts)
  const rests = createHostRests(nowMs)
  const checking = {
    sendProbe: createSendProbe(dispatcher, `kb-sync/${version} (link checker)`, stop),
    limitRequest: createRequestLimiter(parts.limits, parts.sleep),
    rests,
    hosts: parts.hosts,
    requestTimeoutMs,
    checkTimeoutMs,
    nowMs,
    elapsedMs: () => performance.now(),
  }
  return {
    /** Checks whether a URL works. @throws only the abort reason of `stop` */
    check: (address: string) => checkAddress(address, checking),
    rests,
    close: () => dispatcher.destroy(),
  }
}

function createDispatcher(parts: AddressCheckOptions): Agent {
  const connect = createGuardedConnector(
    parts.allowPrivateAddresses === true ? () => true : isPublicAddress,
    parts.resolve ?? ((hostname) => lookup(hostname, { all: true })),
    Math.min(CONNECT_TIMEOUT_MS, parts.requestTimeoutMs ?? CONNECT_TIMEOUT_MS),
  )
  // Without pipelining, no connection is kept, because the next link leads to another host.
  return new Agent({ connect, pipelining: 0, maxHeaderSize: HEADERS_LIMIT_BYTES })
}
