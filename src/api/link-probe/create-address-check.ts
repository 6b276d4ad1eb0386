import { lookup } from 'node:dns/promises'
import { Agent } from 'undici'
import { isPublicAddress } from './address-guard.ts'
import { checkAddress } from './check-address.ts'
import { createGuardedConnector, type ResolveHost } from './guarded-connector.ts'
import { createHostRests, type HostRests } from './host-rests.ts'
import type { Observation } from './observation.ts'
import { createRequestLimiter, type RequestLimits } from './request-limiter.ts'
import { createSendProbe } from './send-probe.ts'

/** How addresses are asked; the defaults are those of every checker. */
export interface AddressCheckOptions {
  /** Whether private addresses may be connected to; false by default. */
  readonly allowPrivateAddresses?: boolean | undefined
  /** Longest time for one request; 15 s by default. */
  readonly requestTimeoutMs?: number | undefined
  /** Longest time for all requests of one check; 40 s by default. */
  readonly checkTimeoutMs?: number | undefined
  /** Addresses of a host; the system's own by default. */
  readonly resolve?: ResolveHost | undefined
}

interface AddressCheckParts extends AddressCheckOptions {
  readonly version: string
  readonly limits: RequestLimits
  readonly nowMs: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** Ends all requests. */
  readonly stop: AbortSignal
}

interface AddressCheck {
  /** Looks whether an address works. @throws only what `stop` was aborted with */
  readonly check: (address: string) => Promise<Observation>
  /** Hosts that asked to be left alone. */
  readonly rests: HostRests
  /** Closes every connection. */
  readonly close: () => Promise<void>
}

const CONNECT_TIMEOUT_MS = 10_000
const HEADERS_LIMIT_BYTES = 64 * 1024

/** Puts together all that asks addresses politely and safely: guard, limits for each host, rests, time limits. */
export function createAddressCheck(parts: AddressCheckParts): AddressCheck {
  const { version, nowMs, stop, requestTimeoutMs = 15_000, checkTimeoutMs = 40_000 } = parts
  const dispatcher = createDispatcher(parts)
  const rests = createHostRests(nowMs)
  const checking = {
    sendProbe: createSendProbe({ dispatcher, userAgent: `kb-sync/${version} (link checker)`, stop }),
    limitRequest: createRequestLimiter(parts.limits, parts.sleep),
    rests,
    requestTimeoutMs,
    checkTimeoutMs,
    nowMs,
    elapsedMs: () => performance.now(),
  }
  return { check: (address) => checkAddress(address, checking), rests, close: () => dispatcher.destroy() }
}

function createDispatcher(parts: AddressCheckOptions): Agent {
  const connect = createGuardedConnector({
    isAllowed: parts.allowPrivateAddresses === true ? () => true : isPublicAddress,
    resolve: parts.resolve ?? ((hostname) => lookup(hostname, { all: true })),
    timeoutMs: Math.min(CONNECT_TIMEOUT_MS, parts.requestTimeoutMs ?? CONNECT_TIMEOUT_MS),
  })
  // Without pipelining, no connection is kept: the next link leads to another host.
  return new Agent({ connect, pipelining: 0, maxHeaderSize: HEADERS_LIMIT_BYTES })
}
