import { lookup } from 'node:dns/promises'
import { Agent, buildConnector } from 'undici'
import { isPublicAddress, type AddressGuard, PrivateAddressError } from './address-guard.ts'
import { checkAddress, type HostAccess } from './check-address.ts'
import { createHostRests } from './host-rests.ts'
import { createRequestLimiter, type RequestLimits } from './request-limiter.ts'
import { createSendProbe } from './send-probe.ts'
import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'

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

// Creates all sockets of the checker, so that nothing bypasses the guard: neither a redirect nor a name that resolves
// to another address the second time. A socket connects only to the addresses that were checked.
/** Returns all addresses of a host, in the order of attempts. */
export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>

/** Maximum time to connect to one address if there are others: Node's 250 ms is too short for a distant host. */
const ATTEMPT_MS = 2000

/** Connects to allowed addresses. Others fail with a `PrivateAddressError` before a packet is sent. */
export function createGuardedConnector(
  isAllowed: AddressGuard,
  resolve: ResolveHost,
  timeoutMs: number,
): buildConnector.connector {
  const connect = buildConnector({
    timeout: timeoutMs,
    lookup: guardLookup(resolve, isAllowed),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
    // Each connection has one request, so there is nothing to resume.
    maxCachedSessions: 0,
  })
  return (target, callback) => {
    // An IP address needs no lookup, so it is checked here.
    if (isIP(target.hostname) !== 0 && !isAllowed(target.hostname)) {
      callback(new PrivateAddressError(`${target.hostname} is a private address`), null)
      return
    }
    connect(target, callback)
  }
}

/** Creates a lookup that returns only allowed addresses, and fails if a host has none. */
function guardLookup(resolve: ResolveHost, isAllowed: AddressGuard): LookupFunction {
  return (hostname, { all = false, family }, callback) => {
    const wanted = family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : (family ?? 0)
    const done = (addresses: readonly LookupAddress[]) => {
      const ofFamily = addresses.filter((each) => wanted === 0 || each.family === wanted)
      const [first, ...others] = ofFamily.filter(({ address }) => isAllowed(address))
      if (first === undefined) callback(refusal(hostname, ofFamily.length), '')
      else if (all) callback(null, [first, ...others])
      else callback(null, first.address, first.family)
    }
    resolve(hostname).then(done, (error: NodeJS.ErrnoException) => callback(error, ''))
  }
}

function refusal(hostname: string, found: number): NodeJS.ErrnoException {
  if (found > 0) return new PrivateAddressError(`${hostname} has private addresses only`)
  return Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' })
}
