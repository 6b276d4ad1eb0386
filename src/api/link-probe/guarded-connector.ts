// Creates all sockets of the checker, so that nothing gets around the guard: neither a redirect nor a name that
// resolves to another address the second time. A socket connects only to the addresses that were checked.
import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { type AddressGuard, PrivateAddressError } from './address-guard.ts'

/** All addresses of a host, in the order of attempts. */
export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>

interface GuardedConnectorOptions {
  readonly isAllowed: AddressGuard
  readonly resolve: ResolveHost
  readonly timeoutMs: number
}

/** Maximum time to connect to one address if there are others: Node's 250 ms is too short for a distant host. */
const ATTEMPT_MS = 2000

/** Connects to allowed addresses; others fail with a `PrivateAddressError` before a packet is sent. */
export function createGuardedConnector(options: GuardedConnectorOptions): buildConnector.connector {
  const { isAllowed, resolve, timeoutMs } = options
  const connect = buildConnector({
    timeout: timeoutMs,
    lookup: guardLookup(resolve, isAllowed),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
    // One request per connection: there is nothing to resume.
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

/** A lookup that returns only allowed addresses, and fails if a host has none. */
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
