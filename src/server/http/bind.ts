import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { KbError, reasonOf } from '../../errors/kb-error.ts'

export interface Address {
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  /** The flag that names the port, for hints; `--port` by default. */
  readonly portFlag?: string
}

/** What to do, by the code of the failure. */
const HINTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Stop the program that uses the port, or choose another with --port (0 picks a free one).',
  EACCES: 'Ports below 1024 are reserved: choose another with --port, or run with the right to use it.',
  EADDRNOTAVAIL: 'Name an address that this machine has; 0.0.0.0 stands for all of them.',
  ENOTFOUND: 'The name leads to no address: name an address that this machine has, such as 127.0.0.1.',
  EAI_AGAIN: 'The name leads to no address: name an address that this machine has, such as 127.0.0.1.',
}

/**
 * Resolves with the base address, without a slash at its end, once the server listens.
 *
 * @throws KbError PORT_UNAVAILABLE
 */
export function bind(server: Server, address: Address): Promise<string> {
  const { host, port } = address
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(portUnavailable(address, error))
    server.once('error', fail)
    server.listen(port, host, () => {
      server.off('error', fail)
      resolve(urlOf(server, host))
    })
  })
}

function portUnavailable(
  { host, port, portFlag = '--port' }: Address,
  cause: Error & { readonly code?: string },
): KbError {
  return new KbError('PORT_UNAVAILABLE', `Cannot listen on ${host}:${port}: ${reasonOf(cause)}.`, {
    hint: (HINTS[cause.code ?? ''] ?? 'Name another address.').replace('--port', portFlag),
    cause,
  })
}

/** Resolves when every connection is closed; those still busy after `graceMs` are cut. */
export function drain(server: Server, graceMs: number): Promise<void> {
  // What is answered from now on leaves no idle connection behind.
  server.keepAliveTimeout = 1
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
  })
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
