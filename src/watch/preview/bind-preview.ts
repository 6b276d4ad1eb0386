import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { KbError, reasonOf } from '../../core/errors/kb-error.ts'

export interface BindOptions {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  /** Another port would not do. */
  readonly isPortRequired: boolean
}

export interface Bound {
  /** With a slash at its end. */
  readonly url: string
  /** The port that was wanted, where another program has it. */
  readonly portTaken: number | undefined
}

/** So many ports after the one that was wanted are tried before any free one is taken. */
const NEXT_PORTS = 20

type ListenFailure = Error & { readonly code?: string }

/** @throws KbError PORT_UNAVAILABLE */
export async function bindPreview(server: Server, options: BindOptions): Promise<Bound> {
  const { host, port, isPortRequired } = options
  for (const each of isPortRequired ? [port] : candidates(port)) {
    const failure = await tryToListen(server, host, each)
    if (failure === undefined)
      return { url: urlOf(server, host), portTaken: each === port ? undefined : port }
    if (failure.code !== 'EADDRINUSE' || isPortRequired) throw portUnavailable(host, each, failure)
  }
  throw portUnavailable(host, port, new Error('no port is free'))
}

function candidates(port: number): number[] {
  if (port === 0) return [0]
  const next = Array.from({ length: NEXT_PORTS + 1 }, (_, index) => port + index)
  return [...next.filter((each) => each <= 65_535), 0]
}

function tryToListen(server: Server, host: string, port: number): Promise<ListenFailure | undefined> {
  return new Promise((resolve) => {
    const fail = (failure: ListenFailure) => {
      server.off('listening', succeed)
      resolve(failure)
    }
    const succeed = () => {
      server.off('error', fail)
      resolve(undefined)
    }
    server.once('error', fail).once('listening', succeed).listen(port, host)
  })
}

function portUnavailable(host: string, port: number, cause: ListenFailure): KbError {
  const hint =
    cause.code === 'EADDRINUSE'
      ? 'Stop the program that uses the port, or choose another with --port (0 picks a free one).'
      : cause.code === 'EACCES'
        ? 'Ports below 1024 are reserved: choose another with --port.'
        : 'Name an address that this machine has as server.host, such as 127.0.0.1.'
  return new KbError(
    'PORT_UNAVAILABLE',
    `The preview cannot listen on ${host}:${port}: ${reasonOf(cause)}.`,
    {
      hint,
      cause,
    },
  )
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}/`
}
