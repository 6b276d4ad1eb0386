// Real TCP proxies: one that fails in front of a database, and one that spreads connections over servers.
import { EventEmitter, on } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface DatabaseProxy {
  /** URL of the database through the proxy. */
  readonly url: string
  /**
   * Cuts the next connection on which a client sends `bytes`: before the database receives them, or as soon as it has
   * committed. The promise resolves then.
   */
  readonly cut: (when: 'before' | 'after', bytes: string) => Promise<void>
  /** Closes all connections, and new ones immediately until the returned function is called. */
  readonly refuse: () => () => void
  /** From now on, nothing is passed on, and nothing is closed: as if the network had been unplugged. */
  readonly freeze: () => void
  /** Number of connections of clients. */
  readonly connections: () => number
}

/** Starts a proxy in front of the database of a URL. It ends with the test. */
export async function startDatabaseProxy(db: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(db)
  const clients = new Set<Socket>()
  let planned:
    | { readonly when: 'before' | 'after'; readonly bytes: string; readonly done: () => void }
    | undefined
  let isFrozen = false
  let isRefusing = false

  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (isRefusing) return void client.destroy()
    const database = connect(Number(port), hostname)
    let isCutByAnswer: (() => void) | undefined
    clients.add(client)
    client.on('data', (part) => {
      if (isFrozen) return
      if (planned === undefined || !part.includes(planned.bytes)) return void database.write(part)
      const { when, done } = planned
      planned = undefined
      if (when === 'after') {
        isCutByAnswer = done
        return void database.write(part)
      }
      client.resetAndDestroy()
      done()
    })
    database.on('data', (part) => {
      if (isFrozen) return
      if (isCutByAnswer === undefined || !part.includes('COMMIT\0')) return void client.write(part)
      client.resetAndDestroy()
      isCutByAnswer()
    })
    for (const socket of [client, database]) socket.on('error', () => undefined)
    client.on('end', () => isFrozen || database.end())
    database.on('close', () => isFrozen || client.destroy())
    client.on('close', () => {
      clients.delete(client)
      database.destroy()
    })
  })
  const proxied = new URL(db)
  proxied.port = String(await listen(server, clients))
  return {
    url: proxied.href,
    cut: (when, bytes) => new Promise((resolve) => void (planned = { when, bytes, done: resolve })),
    refuse: () => {
      isRefusing = true
      for (const client of clients) client.resetAndDestroy()
      return () => void (isRefusing = false)
    },
    freeze: () => void (isFrozen = true),
    connections: () => clients.size,
  }
}

interface Balancer {
  readonly url: string
  /** Resolves when a client sends these bytes. */
  readonly waitFor: (bytes: string) => Promise<void>
}

/** Starts a load balancer: each connection goes to the next server that accepts it. It ends with the test. */
export async function startBalancer(urls: readonly string[]): Promise<Balancer> {
  const clients = new Set<Socket>()
  const sent = new EventEmitter()
  let turn = 0
  const server = createServer((client) => {
    clients.add(client)
    client.on('error', () => undefined)
    client.on('close', () => clients.delete(client))
    tryNext(urls.length)
    function tryNext(left: number): void {
      if (left === 0) return void client.destroy()
      const { hostname, port } = new URL(urls[turn++ % urls.length] ?? '')
      const upstream = connect(Number(port), hostname)
      upstream.once('connect', () => {
        client.on('data', (part) => sent.emit('data', part))
        client.pipe(upstream).pipe(client)
      })
      upstream.on('error', () => {
        if (upstream.bytesRead + upstream.bytesWritten === 0 && !client.destroyed) tryNext(left - 1)
        else client.destroy()
      })
      client.on('close', () => upstream.destroy())
    }
  })
  return {
    url: `http://127.0.0.1:${await listen(server, clients)}`,
    async waitFor(bytes) {
      for await (const [part] of on(sent, 'data')) if ((part as Buffer).includes(bytes)) return
    },
  }
}

async function listen(server: Server, clients: ReadonlySet<Socket>): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const client of clients) client.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}
