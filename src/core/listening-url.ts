/** Hosts with which a server accepts connections on all addresses of its machine. */
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

export function isEveryAddress(host: string): boolean {
  return EVERY_ADDRESS.has(host)
}

/** Returns the URL of a server without a path. IPv6 addresses are in brackets (RFC 3986, 3.2.2). */
export function listeningUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
