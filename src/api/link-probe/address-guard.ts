// Decides where the checker may connect: articles contain any address, and the server may be in a private network.
import ipaddr from 'ipaddr.js'

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
