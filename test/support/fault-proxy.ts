// A real proxy between a client and a service, which fails on request: what a network does to a program, repeatable.
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'

export type Fault =
  /** The connection is cut; the service never sees the request. */
  | { readonly kind: 'cut-before' }
  /** The service answers, but the connection is cut before any of the answer comes back. */
  | { readonly kind: 'cut-after' }
  /** The connection is cut in the middle of the answer. */
  | { readonly kind: 'cut-within' }
  /** The request is swallowed and never answered. */
  | { readonly kind: 'silence' }
  /** The service answers; the answer waits for `release()`. */
  | { readonly kind: 'hold' }
  /** The proxy answers in place of the service. */
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    }

interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** What was done to it; undefined where it went through. */
  readonly fault: Fault['kind'] | undefined
}

interface PlannedFault {
  readonly fault: Fault
  readonly matches: (method: string, path: string) => boolean
  left: number
}

export interface FaultProxy {
  /** Address to give to the client. */
  readonly url: string
  /** All requests so far, in the order in which they came. */
  readonly seen: readonly SeenRequest[]
  /**
   * Plans a fault for the next `times` requests (default 1) that `matches` (default: all). Of several plans, the one
   * made first is used up first.
   */
  inject(
    fault: Fault,
    options?: { times?: number; matches?: (method: string, path: string) => boolean },
  ): void
  /** Resolves as soon as `count` requests have been seen. */
  waitForSeen(count: number): Promise<void>
  /** Resolves as soon as `count` answers of the service are held back. */
  waitForHeld(count: number): Promise<void>
  /** Lets all held answers go. */
  release(): void
  /** Forgets the faults that were planned and not yet used. */
  clear(): void
  close(): Promise<void>
}

/** An answer with a redirect to `location`. */
export function redirectTo(location: string, status = 302): Fault {
  return { kind: 'answer', status, headers: { location } }
}

/** A refusal of the service's own shape. */
export function refusal(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Fault {
  const body = JSON.stringify({ success: false, message })
  return { kind: 'answer', status, headers: { 'content-type': 'application/json', ...headers }, body }
}

/** Starts a proxy on a free loopback port that forwards to the service at `target`. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const planned: PlannedFault[] = []
  const seen: SeenRequest[] = []
  const held: (() => void)[] = []
  const seenCount = createCount()
  const heldCount = createCount()

  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => cut(incoming.socket))
  })

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await text(incoming)
    const { method = '', url: path = '', headers } = incoming
    const fault = takeFault(planned, method, path)
    const released = fault?.kind === 'hold' ? new Promise<void>((resolve) => held.push(resolve)) : undefined
    seen.push({ method, path, headers, body, fault: fault?.kind })
    seenCount.add()
    if (fault?.kind === 'cut-before') return cut(incoming.socket)
    if (fault?.kind === 'silence') return
    if (fault?.kind === 'answer') {
      outgoing.writeHead(fault.status, fault.headers).end(fault.body ?? '')
      return
    }
    const answer = await forward(target, incoming, body)
    if (fault?.kind === 'cut-after') return cut(incoming.socket)
    if (released !== undefined) heldCount.add()
    await released
    outgoing.writeHead(answer.status, answer.headers)
    if (fault?.kind !== 'cut-within') return void outgoing.end(answer.body)
    outgoing.write(answer.body.subarray(0, answer.body.length >> 1), () => incoming.socket.destroy())
  }

  return {
    ...(await listen(server)),
    seen,
    inject: (fault, { times = 1, matches = () => true } = {}) => {
      planned.push({ fault, matches, left: times })
    },
    waitForSeen: seenCount.reach,
    waitForHeld: heldCount.reach,
    release: () => {
      for (const resolve of held.splice(0)) resolve()
    },
    clear: () => void planned.splice(0),
  }
}

/** A number that grows, and that can be waited for. */
function createCount() {
  let present = 0
  let waiting: { readonly count: number; readonly resolve: () => void }[] = []
  return {
    add: () => {
      present++
      waiting = waiting.filter(({ count, resolve }) => present < count || resolve())
    },
    reach: (count: number) =>
      new Promise<void>((resolve) => {
        if (present >= count) resolve()
        else waiting.push({ count, resolve })
      }),
  }
}

interface TunnelProxy {
  readonly url: string
  /** `host:port` of every tunnel that was asked for, and the address of every plain request. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

/**
 * Starts a proxy as HTTPS_PROXY and HTTP_PROXY name one. Whatever host is asked for, it leads to `target`.
 *
 * @param answer what it does when it is asked: let through (200), refuse with another status, or cut the connection
 */
export async function startTunnelProxy(target: string, answer: number | 'cut' = 200): Promise<TunnelProxy> {
  const asked: string[] = []
  const server = createServer((incoming, outgoing) => {
    const { url = '' } = incoming
    asked.push(url)
    if (answer === 'cut') cut(incoming.socket)
    else if (answer !== 200) outgoing.writeHead(answer).end('refused')
    else {
      void text(incoming)
        .then((body) => forward(target, incoming, body, new URL(url).pathname))
        .then(({ status, headers, body }) => outgoing.writeHead(status, headers).end(body))
        .catch(() => cut(incoming.socket))
    }
  })
  server.on('connect', (incoming, socket: Socket) => {
    asked.push(incoming.url ?? '')
    if (answer === 'cut') socket.destroy()
    else if (answer === 200) openTunnel(socket, new URL(target))
    else socket.end(`HTTP/1.1 ${answer} Refused\r\n\r\n`)
  })
  return { ...(await listen(server)), asked }
}

function openTunnel(socket: Socket, { hostname, port }: URL): void {
  const upstream = connect(Number(port), hostname, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
  upstream.on('error', () => socket.destroy())
  socket.on('close', () => upstream.destroy())
  upstream.pipe(socket).pipe(upstream)
}

async function listen(server: Server): Promise<{ url: string; close: () => Promise<void> }> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** An address on which nothing listens. */
export async function closedAddress(): Promise<string> {
  const server = createTcpServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

function takeFault(planned: PlannedFault[], method: string, path: string): Fault | undefined {
  const plan = planned.find(({ left, matches }) => left > 0 && matches(method, path))
  if (plan === undefined) return undefined
  plan.left--
  return plan.fault
}

/** With a reset, as a crashed machine or a firewall would. */
function cut(socket: Socket): void {
  socket.resetAndDestroy()
}

interface ForwardedAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

function forward(
  target: string,
  incoming: IncomingMessage,
  body: string,
  path = incoming.url,
): Promise<ForwardedAnswer> {
  const { method, headers } = incoming
  const url = new URL(target)
  return new Promise((resolve, reject) => {
    const options = {
      host: url.hostname,
      port: url.port,
      method,
      path,
      headers: { ...headers, host: url.host },
    }
    const upstream = request(options, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('error', reject)
      answer.on('end', () => {
        const whole = Buffer.concat(parts)
        const { 'transfer-encoding': _, connection: __, 'keep-alive': ___, ...rest } = answer.headers
        const length = { 'content-length': String(whole.length) }
        resolve({ status: answer.statusCode ?? 0, headers: { ...rest, ...length }, body: whole })
      })
    })
    upstream.on('error', reject)
    upstream.end(body === '' ? undefined : body)
  })
}
