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

/** Hints by error code. */
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
export function bind(server: Server, address: BindAddress): Promise<string> {
  const { host, port } = address
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      server.off('listening', succeed)
      reject(portUnavailable(address, error))
    }
    const succeed = () => {
      server.off('error', fail)
      resolve(urlOf(server, host))
    }
    server.once('error', fail).once('listening', succeed).listen(port, host)
  })
}

function portUnavailable(
  { host, port, portFlag = '--port' }: BindAddress,
  cause: Error & { readonly code?: string },
): KbError {
  const reason = cause.code === 'EADDRINUSE' ? 'the port is already in use' : reasonOf(cause)
  return new KbError('PORT_UNAVAILABLE', `Cannot listen on ${host}:${port}: ${reason}.`, {
    hint: (HINTS[cause.code ?? ''] ?? 'Use another address.').replace('--port', portFlag),
    cause,
  })
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo
  return listeningUrl(host, port)
}
