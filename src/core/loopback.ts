/** True if a host, as written in a URL, as an address to listen on or as that of a socket, is this machine alone. */
export function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|\[?::1\]?|(?:::ffff:)?127(?:\.\d+){3})$/i.test(host)
}
