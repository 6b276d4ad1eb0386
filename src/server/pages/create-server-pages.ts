import { type Context, Hono } from 'hono'
import { API_PREFIX } from '../../api/contract/routes.ts'
import { createPages, requestPath } from '../../web/pages/create-pages.ts'
import type { Brand } from '../../web/pages/brand/load-brand.ts'
import { type PageAddresses, publicPath } from '../../web/pages/page-addresses.ts'
import type { Viewer } from '../../web/pages/page-source.ts'
import type { Visit } from '../../web/pages/visit.ts'
import type { Html } from '../../web/html.ts'
import { type Authorize, type KeyRing, unknownKey } from '../http/authenticate.ts'
import type { ClientAddress } from '../http/client-address.ts'
import type { ServerEnv, Handle } from '../http/handle-request.ts'
import type { CreateLimit } from '../http/shared-limit.ts'
import { httpErrorOf } from '../operations/responses.ts'
import type { Store } from '../store/open-store.ts'
import { StoreSource } from './store-source.ts'
import { createStoreStatus } from './create-store-status.ts'
import { mountSignIn } from './mount-sign-in.ts'
import { createPasswordGate } from './password-gate.ts'
import { createStoredSessions, type Sessions } from './session.ts'
import { accountMenu, SIGN_IN_PATH, signInLink } from './sign-in-page.ts'
import { createRedirectHits } from './redirect-hits.ts'
import { createSiteCatalog } from './site-catalog.ts'
import { createStoreSearch } from './store-search.ts'

export interface PagesSettings {
  /** Name of the knowledge base. */
  readonly name: string
  readonly addresses: PageAddresses
  /** The appearance of the pages; default: the built-in one. */
  readonly brand?: Brand | undefined
  /** Whether the pages show readers a link to sign in. */
  readonly signIn: 'hidden' | 'shown'
  /** The password that readers share; if undefined, everyone is a reader. */
  readonly password?: string | undefined
  /** Reviews are due within this number of days after today. */
  readonly dueWithinDays: number
}

/** Memory of a process for cached pages, shared by its sites. */
const CACHE_BYTES = 64_000_000

export interface ServerPagesOptions {
  readonly store: Store
  readonly keys: KeyRing
  readonly addressOf: ClientAddress
  readonly createLimit: CreateLimit
  readonly checksLinks: boolean
  readonly clock: () => Date
}

export interface ServerPages {
  /** True if readers of a site need a password. */
  readonly isClosed: boolean
  /** Creates the app for everything outside of the API; `rest` handles what is not a page. */
  readonly createApp: (serving: ServingParts) => Hono<ServerEnv>
  /** Stops the background work of the pages. */
  readonly close: () => Promise<void>
}

interface ServingParts {
  readonly handle: Handle
  readonly admit: Authorize
  readonly onError: (error: unknown, requestId: string) => void
  readonly rest: (c: Context<ServerEnv>) => Promise<Response>
  /** Adds other things that the pages use, at their public path. @param hiddenSites other sites with a password */
  readonly mount: (app: Hono<ServerEnv>, handle: Handle, hiddenSites: readonly string[]) => void
}

interface SitePages {
  readonly siteId: string
  readonly pages: PagesSettings
}

/**
 * Creates the pages of all sites, in separate apps, so that the API has no additional routes.
 *
 * @param sites the first one gets all requests that are not below the public URL of another one
 */
export function createServerPages(sites: readonly SitePages[], options: ServerPagesOptions): ServerPages {
  const closed = sites.filter(({ pages }) => pages.password !== undefined).map(({ siteId }) => siteId)
  const shared = { ...options, closed, cacheBytes: CACHE_BYTES / sites.length }
  const own = sites.map((site) => createSitePages(site, shared))

  function createApp(serving: ServingParts): Hono<ServerEnv> {
    const [first, ...others] = own.map((site) => site.createApp(serving)) as [Hono<ServerEnv>]
    if (others.length === 0) return first
    const findOther = createSiteFinder(sites.slice(1).map(({ pages }) => pages.addresses.url ?? ''))
    const app = new Hono<ServerEnv>()
    app.all('*', (c) => (others[findOther(c.req.url)] ?? first).fetch(c.req.raw, c.env))
    return app
  }

  const close = async () => void (await Promise.all(own.map((site) => site.close())))
  return { isClosed: closed.length > 0, createApp, close }
}

/** @returns the index of the longest URL that is a prefix of the request's URL; -1 if there is none */
export function createSiteFinder(urls: readonly string[]): (requestUrl: string) => number {
  // A proxy may include the port of https, which stays in a request without TLS.
  const hostOf = (url: string) => new URL(url).host.replace(/:443$/, '')
  const places = urls.map((url, index) => ({ index, host: hostOf(url), path: publicPath(url) }))
  const longestFirst = places.toSorted((a, b) => b.path.length - a.path.length)
  return (requestUrl) => {
    const [host, { pathname }] = [hostOf(requestUrl), new URL(requestUrl)]
    const isBelow = (path: string) => `${pathname}/`.startsWith(`${path}/`)
    return longestFirst.find((place) => place.host === host && isBelow(place.path))?.index ?? -1
  }
}

interface SitePagesOptions extends ServerPagesOptions {
  /** All sites with a password. */
  readonly closed: readonly string[]
  readonly cacheBytes: number
}

function createSitePages(
  { siteId, pages: settings }: SitePages,
  options: SitePagesOptions,
): Pick<ServerPages, 'createApp' | 'close'> {
  const { store, keys, clock } = options
  const { addresses, brand, password } = settings
  const { source, close } = openSource({ ...settings, ...options, siteId })
  const { base = '' } = addresses
  const gate = password === undefined ? undefined : createPasswordGate({ password, siteId, clock, base })
  const sessions = createStoredSessions({ store, siteId, clock, base })

  function createApp({ handle, admit, onError, rest, mount }: ServingParts): Hono<ServerEnv> {
    const app = new Hono<ServerEnv>()
    const visitors = createVisitors({ siteId, admit, keys, sessions })
    const handleVisit: Handle = (route, answer) =>
      handle(route, async (c) => {
        c.get('trace').siteId = siteId
        await visitors.identify(c)
        return answer(c)
      })
    const handleReader: Handle = (route, answer) =>
      handleVisit(route, async (c) => {
        await gate?.admitToFile(c, visitors.viewerOf(c) === 'author')
        return answer(c)
      })
    const pages = createPages<ServerEnv>({
      source,
      cacheBytes: options.cacheBytes,
      addresses,
      brand,
      viewerOf: visitors.viewerOf,
      closedPage: async (c) => (visitors.viewerOf(c) === 'author' ? undefined : gate?.closedPage(c)),
      handle: handleVisit,
      headersOf: (c) => ({ ...gate?.headers, ...c.get('trace').headers }),
      account: (c, visit) => accountOf(c, visit, settings.signIn),
      reserved: [reservedRoot(addresses)],
      refusalOf: httpErrorOf,
      onError: (error, c) => onError(error, c.get('trace').requestId),
    })
    // Each site has its own secret, so that its readers do not lock out those of another site behind the same address.
    const createLimit: CreateLimit = (name, perMinute) => options.createLimit(`${name} ${siteId}`, perMinute)
    const forms = { ...options, createLimit, app, handle: handleVisit, pages, base }
    mountSignIn({ ...forms, keys, siteId, sessions })
    gate?.mount(forms)
    const othersClosed = options.closed.filter((id) => id !== siteId)
    mount(app, handleReader, othersClosed)
    const roots = [addresses.article, addresses.category, addresses.tag]
    const isTopLevel = roots.some((path) => path.startsWith('/{'))
    // The URL that people try, unless it may belong to an article.
    if (!isTopLevel) app.get('/sign-in', (c) => c.redirect(`${base}${SIGN_IN_PATH}`))
    pages.mount(app)
    app.notFound(rest)
    return pages.acceptPublicPath(app)
  }

  return { createApp, close }
}

/** Opens the data of a site's pages; `close` stops its background work. */
function openSource(options: PagesSettings & ServerPagesOptions & Pick<SitePages, 'siteId'>) {
  const { store, siteId, password } = options
  const isClosed = password !== undefined
  const catalog = createSiteCatalog(store, siteId)
  const search = createStoreSearch({ store, siteId, catalog })
  const status = createStoreStatus({ ...options, catalog })
  const redirectHits = createRedirectHits(options)
  const source = new StoreSource({ ...options, isClosed, catalog, search, status, redirectHits })
  const close = async () => {
    await search.close()
    await redirectHits.close()
  }
  return { source, close }
}

function accountOf(c: Context, visit: Visit, signIn: PagesSettings['signIn']): Html | undefined {
  if (visit.viewer === 'author') return accountMenu(visit, !hasKey(c))
  return signIn === 'hidden' || c.req.path === SIGN_IN_PATH ? undefined : signInLink(visit, requestPath(c))
}

/** Returns the path that is reserved for the API, which is longer if pages have URLs there. */
function reservedRoot({ article, category, tag }: PageAddresses): string {
  const [root = ''] = /^\/[^/]+/.exec(API_PREFIX) ?? []
  return [article, category, tag].some((address) => address.startsWith(`${root}/`)) ? API_PREFIX : root
}

interface VisitorParts {
  /** The site of the pages. Keys of other sites are not valid here. */
  readonly siteId: string
  readonly admit: Authorize
  readonly keys: KeyRing
  readonly sessions: Sessions
}

function hasKey(c: Context): boolean {
  return /^Bearer(?: |$)/i.test(c.req.header('Authorization') ?? '')
}

/**
 * Identifies the viewer of each request: a key in the header or a session makes an author, anyone else is a reader. The
 * key is checked each time, so that a revocation takes effect at once.
 *
 * @throws (when called) HttpError 401 if the key in the header is invalid here, 429
 */
function createVisitors({ siteId, admit, keys, sessions }: VisitorParts) {
  return {
    async identify(c: Context<ServerEnv>): Promise<void> {
      if (hasKey(c)) {
        if ((await admit(c)).siteId === siteId) return
        throw unknownKey()
      }
      const name = await sessions.read(c)
      const caller = name === undefined ? undefined : await keys.findNamed(name)
      if (caller?.siteId === siteId) c.get('trace').caller = caller
    },
    viewerOf: (c: Context<ServerEnv>): Viewer => (c.get('trace').caller === undefined ? 'reader' : 'author'),
  }
}
