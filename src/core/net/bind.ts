import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { KbError, reasonOf } from '../errors/kb-error.ts'
import { listeningUrl } from '../listening-url.ts'

export interface BindAddress {
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  /** The flag of the port, for hints; default `--port`. */
  readonly portFlag?: string
}

const HINTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Stop the program that uses the port, or choose another with --port (0 picks a free one).',
  EACCES: 'Ports below 1024 are reserved: choose another with --port, or run as a user that may use it.',
  EADDRNOTAVAIL: 'Use an address of this machine; 0.0.0.0 stands for all of them.',
  ENOTFOUND: 'The host name has no address: use an address of this machine, such as 127.0.0.1.',
  EAI_AGAIN: 'The host name has no address: use an address of this machine, such as 127.0.0.1.',
}

/**
 * Resolves with the base URL, without a slash at its end, once the server listens.
 *
 * @throws KbError PORT_UNAVAILABLE
 */
export async function bind(server: Server, address: BindAddress): Promise<string> {
  const { host, port } = address
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw portUnavailable(address, error as Error)
  }
  return listeningUrl(host, (server.address() as AddressInfo).port)
}

function portUnavailable(address: BindAddress, cause: Error & { readonly code?: string }): KbError {
  const { host, port, portFlag = '--port' } = address
  const reason = cause.code === 'EADDRINUSE' ? 'the port is already in use' : reasonOf(cause)
  return new KbError('PORT_UNAVAILABLE', `Cannot listen on ${host}:${port}: ${reason}.`, {
    hint: (HINTS[cause.code ?? ''] ?? 'Use another address.').replace('--port', portFlag),
    cause,
  })
}
