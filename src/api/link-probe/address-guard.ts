// Decides where the checker may connect: articles contain any address, and the server may be in a private network.
import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { buildConnector } from 'undici'

/** True if the checker may connect to an IP address. */
export type AddressGuard = (address: string) => boolean

/** Addresses assigned to hosts by the internet registries. Others are local, reserved or embed an IPv4 address. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** An address in a public range, which on every virtual machine of Azure leads to the host and its metadata. */
const AZURE_HOST = '168.63.129.16'

/**
 * True only for addresses of the public internet. Excludes loopback, private, link-local and reserved ones, IPv6
 * addresses that contain an IPv4 address (mapped, 6to4, Teredo, NAT64), and text that is not an address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast' || parsed.toString() === AZURE_HOST) return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST)
}

/** Thrown instead of a connection to an address that the guard rejects. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError'
  readonly code = 'PRIVATE_ADDRESS'
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
