import { BlockList, isIP } from 'node:net'
import type { Context } from 'hono'
import type { ServerEnv } from './handle-request.ts'

/** Returns the address of the client, to count attempts; '' if there is no socket. */
export type ClientAddress = (c: Context<ServerEnv>) => string

/**
 * Behind a trusted proxy, this is the last address in `X-Forwarded-For` that is not a trusted proxy: the client can
 * forge everything before it. IPv6 addresses are cut to 64 bits, since one client usually owns such a network.
 *
 * @param trustedProxies addresses, or networks in CIDR notation such as `10.0.0.0/8`
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = createList(trustedProxies)

  return (c) => {
    // Tests call the app without a socket.
    const env = c.env as ServerEnv['Bindings'] | undefined
    let address = plainAddress(env?.outgoing?.socket?.remoteAddress ?? '')
    const forwarded = trustedProxies.length === 0 ? undefined : c.req.header('X-Forwarded-For')
    const hops = forwarded?.split(',').map((hop) => plainAddress(hop)) ?? []
    while (isTrusted(trusted, address)) {
      const before = hops.pop()
      if (before === undefined || isIP(before) === 0) break
      address = before
    }
    return isIP(address) === 6 ? networkOf(address) : address
  }
}

/** Undefined if there are no networks: a lookup in an empty list takes as long as in any other. */
function createList(networks: readonly string[]): BlockList | undefined {
  if (networks.length === 0) return undefined
  const list = new BlockList()
  for (const network of networks) addNetwork(list, network)
  return list
}

function addNetwork(list: BlockList, network: string): void {
  const [address = '', bits] = network.split('/')
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
  if (bits === undefined) list.addAddress(address, family)
  else list.addSubnet(address, Number(bits), family)
}

function isTrusted(list: BlockList | undefined, address: string): boolean {
  if (list === undefined) return false
  const version = isIP(address)
  return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

/** Removes brackets, port and zone from an address. An IPv4 address mapped to IPv6 becomes IPv4. */
function plainAddress(text: string): string {
  const trimmed = text.trim()
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(trimmed)?.[1] ?? trimmed.replace(/^([\d.]+):\d+$/, '$1')
  return bare.replace(/%.*$/, '').replace(/^::ffff:(?=[\d.]+$)/i, '')
}

/** The first 64 bits of an IPv6 address. */
function networkOf(address: string): string {
  const [head = '', tail] = address.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':'))
  const before = groups(head)
  const after = groups(tail ?? '')
  // A trailing IPv4 address counts as two groups.
  const missing = tail === undefined ? 0 : 8 - before.length - after.length - Number(address.includes('.'))
  const all = [...before, ...Array.from({ length: missing }, () => '0'), ...after]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
