import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'
import { KbError } from '../../core/errors/kb-error.ts'
import { ProxyRefusal } from './connection-failure.ts'
import { parseUrl } from '../../core/parse-url.ts'
import { isLoopbackHost } from '../../core/loopback.ts'

/** The proxy variables. As usual, lower case takes precedence. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>

interface DispatcherOptions {
  readonly origin: string
  readonly connections: number
  readonly timeoutMs: number
  readonly proxy: ProxyEnvironment
}

/**
 * Creates the connections to one origin: a keep-alive pool, or the proxy in HTTPS_PROXY or HTTP_PROXY. Hosts in
 * NO_PROXY and loopback addresses are always reached directly.
 *
 * @throws KbError ENVIRONMENT_INVALID if the URL of the proxy is invalid
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const pool = { connections: options.connections, pipelining: 1, connectTimeout: options.timeoutMs }
  const proxyUrl = proxyFor(options.origin, options.proxy)
  if (proxyUrl === undefined) return new Pool(options.origin, pool)
  return new EnvHttpProxyAgent({
    ...pool,
    httpProxy: proxyUrl,
    httpsProxy: proxyUrl,
    noProxy: options.proxy['no_proxy'] ?? options.proxy['NO_PROXY'] ?? '',
    // Many proxies open tunnels only to port 443, so http is sent as a plain request.
    proxyTunnel: options.origin.startsWith('https:'),
    clientFactory: createProxyPool,
  })
}

/**
 * Returns the proxy of the environment for an origin. NO_PROXY may still exempt it.
 *
 * @throws KbError ENVIRONMENT_INVALID if its URL is invalid
 */
export function proxyFor(origin: string, env: ProxyEnvironment): string | undefined {
  const { protocol, hostname } = new URL(origin)
  if (isLoopback(hostname)) return undefined
  const name = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const value = env[name.toLowerCase()] || env[name] || undefined
  if (value === undefined) return undefined
  const url = value.includes('://') ? value : `http://${value}`
  if (parseUrl(url) !== undefined) return url
  // The value may contain a password, so it is not repeated.
  throw new KbError('ENVIRONMENT_INVALID', `${name} is not the URL of a proxy.`, {
    hint: `Set it to a URL such as http://proxy.example.com:3128, or unset it.`,
  })
}

/** True if a host, as written in a URL, is this machine. */
export function isLoopback(hostname: string): boolean {
  return isLoopbackHost(hostname) || hostname.endsWith('.localhost')
}

// If the proxy closes the connection while the tunnel is set up, undici retries forever, since it treats socket errors
// as temporary. An error with another name reaches the request.
function createProxyPool(origin: URL, options: object): Dispatcher {
  return new ProxyPool(origin, options)
}

class ProxyPool extends Pool {
  override connect(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData>
  override connect(
    options: Dispatcher.ConnectOptions,
    callback: (error: Error | null, data: Dispatcher.ConnectData) => void,
  ): void
  override connect(
    options: Dispatcher.ConnectOptions,
    callback?: (error: Error | null, data: Dispatcher.ConnectData) => void,
  ): unknown {
    if (callback !== undefined) return super.connect(options, callback)
    return this.#tunnel(options)
  }

  async #tunnel(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
    const tunnel = await super.connect(options).catch((error: unknown) => {
      throw new ProxyRefusal('the proxy could not be reached or closed the connection', { cause: error })
    })
    if (tunnel.statusCode === 200) return tunnel
    tunnel.socket.on('error', () => {}).destroy()
    throw new ProxyRefusal(`the proxy responded with ${tunnel.statusCode}`)
  }
}
