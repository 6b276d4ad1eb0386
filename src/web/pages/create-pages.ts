import { createHash } from 'node:crypto'
import type { Context, Env, Hono } from 'hono'
import { createCleaner } from './article-html/create-cleaner.ts'
import { createAssets, findAsset } from './load-assets.ts'
import type { LivePages } from './live-pages.ts'
import type { PageAddresses } from './page-addresses.ts'
import type { Html } from '../html.ts'
import type { PageBody } from './page-body.ts'
import { createPageRenderer } from './page-renderer.ts'
import { assetHeaders, OWN_PATH, pageHeaders } from './page-headers.ts'
import { createPageFinder } from './page-finder.ts'
import type { PageSource, Viewer } from './page-source.ts'
import { LANGUAGE_PARAMETER } from './page-urls.ts'
import { searchPart } from './search-page.ts'
import { beginVisit, type Visit } from './visit.ts'

type PageAnswer<E extends Env> = (c: Context<E>) => Response | Promise<Response>

export interface PagesOptions<E extends Env> {
  readonly source: PageSource
  readonly addresses: PageAddresses
  /** Who looks; everyone is a reader by default. */
  readonly viewerOf?: (c: Context<E>) => Viewer | Promise<Viewer>
  /** Undefined: pages neither follow edits nor open an editor. */
  readonly live?: LivePages | undefined
  /** What stands at the end of the header, such as a link for signing in. */
  readonly account?: (c: Context<E>, viewer: Viewer) => Html | undefined
  /** Makes a handler of what answers the requests for `route` (a path with `{slug}`), to log and measure them. */
  readonly handle?: (route: string, answer: PageAnswer<E>) => PageAnswer<E>
  /** What every answer carries besides the headers of the pages. */
  readonly headersOf?: (c: Context<E>) => Readonly<Record<string, string>>
  /** Paths that belong to others with all below them, such as `/api`: nothing is answered there. */
  readonly reserved?: readonly string[]
  /** Told of every exception; the reader sees a page that says so. */
  readonly onError: (error: unknown, c: Context<E>) => void
}

export interface Pages<E extends Env> {
  /** Answers with a page in the layout that all have, and with its headers. */
  readonly show: (c: Context<E>, body: PageBody) => Promise<Response>
  /**
   * Puts all pages onto `app`, as its last routes: whatever GET no one has answered before gets a page, an error page at
   * least.
   */
  readonly mount: (app: Hono<E>) => void
}

/** The pages that readers see, over any source. */
export function createPages<E extends Env>(options: PagesOptions<E>): Pages<E> {
  const { addresses, live, headersOf, handle = (_route, answer) => answer } = options
  const assets = createAssets()
  const { answering, begin, send, show } = createResponder(options, assets)
  const finder = createPageFinder({ addresses, clean: createCleaner(addresses), live })

  const showFound = answering(async (c) => {
    const found = await finder.find(await begin(c), new URL(c.req.url))
    if (found.kind === 'page') return show(c, found.visit, found.body)
    return new Response(null, { status: 302, headers: { Location: found.url, ...headersOf?.(c) } })
  })

  const showSearch = answering(async (c) => {
    if (c.req.query('part') === undefined) return showFound(c)
    const visit = await begin(c)
    const part = await searchPart(visit, c.req.query('q') ?? '')
    return send(c, String(part), { body: {}, viewer: visit.viewer })
  })

  const sendAsset = answering((c) => {
    const asset = findAsset(assets(), c.req.path)
    if (asset === undefined) return showFound(c)
    const length = { 'Content-Length': String(asset.bytes.length) }
    const headers = { ...assetHeaders(asset.contentType), ...headersOf?.(c), ...length }
    return new Response(asset.bytes, { headers })
  })

  return {
    show: async (c, body) => show(c, await begin(c), body),
    mount(app) {
      app.get('/', handle('/', showFound))
      app.get('/search', handle('/search', showSearch))
      app.get('/status', handle('/status', showFound))
      app.get(`${OWN_PATH}/*`, handle(`${OWN_PATH}/{digest}/{name}`, sendAsset))
      // Patterns may have their gaps anywhere, which no router knows.
      app.get('*', (c, next) => {
        if (isReserved(c.req.path, options.reserved)) return next()
        return handle(finder.routeOf(new URL(c.req.url).pathname), showFound)(c)
      })
    },
  }
}

/** Makes the answers that all pages have in common. */
function createResponder<E extends Env>(options: PagesOptions<E>, assets: ReturnType<typeof createAssets>) {
  const renderer = createPageRenderer({ addresses: options.addresses, live: options.live, assets })
  const send = (c: Context<E>, page: string, { body, viewer }: Sent) =>
    sendHtml(page, {
      ...body,
      headers: { ...pageHeaders(viewer), ...options.headersOf?.(c), ...body.headers },
      known: c.req.header('If-None-Match'),
    })
  return {
    send,
    begin: async (c: Context<E>): Promise<Visit> => {
      const viewer = (await options.viewerOf?.(c)) ?? 'reader'
      return beginVisit(options, viewer, c.req.query(LANGUAGE_PARAMETER))
    },
    show: async (c: Context<E>, visit: Visit, body: PageBody): Promise<Response> => {
      const account = options.account?.(c, visit.viewer)
      const page = await renderer.render(visit, body, { url: body.url ?? requestPath(c), account })
      return send(c, page, { body, viewer: visit.viewer })
    },
    answering:
      (answer: PageAnswer<E>): PageAnswer<E> =>
      async (c) => {
        try {
          return await answer(c)
        } catch (error) {
          options.onError(error, c)
          const { page, body } = await renderer.renderFailure(requestPath(c))
          return send(c, page, { body, viewer: 'author' })
        }
      },
  }
}

/** A base address that ends in a slash makes paths with two. */
function isReserved(path: string, reserved: readonly string[] = []): boolean {
  const plain = `${path}/`.replaceAll(/\/{2,}/g, '/')
  return reserved.some((root) => plain.startsWith(`${root}/`))
}

interface Sent {
  readonly body: Pick<PageBody, 'status' | 'headers'>
  readonly viewer: Viewer
}

/** The path and query of a request. */
export function requestPath(c: Context): string {
  const { pathname, search } = new URL(c.req.url)
  return `${pathname}${search}`
}

interface HtmlAnswer {
  /** 200 by default. */
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
  /** Header If-None-Match of the request. */
  readonly known: string | undefined
}

/** An answer with HTML, or the short one for who has it already. */
function sendHtml(html: string, { status = 200, headers, known }: HtmlAnswer): Response {
  // A page may be large: it becomes bytes once.
  const bytes = Buffer.from(html)
  const length = { 'Content-Length': String(bytes.length) }
  if (status !== 200) return new Response(bytes, { status, headers: { ...headers, ...length } })
  const tag = entityTag(bytes)
  const all = { ...headers, ETag: tag }
  return isKnown(tag, known)
    ? new Response(null, { status: 304, headers: all })
    : new Response(bytes, { headers: { ...all, ...length } })
}

/**
 * Of all that a page shows, not of the article alone: navigation and names belong to it. A weak one, since a server may
 * send the same page compressed.
 */
function entityTag(bytes: Uint8Array): string {
  return `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
}

function isKnown(tag: string, known: string | undefined): boolean {
  const opaque = tag.replace(/^W\//, '')
  return known?.split(',').some((each) => [opaque, '*'].includes(each.trim().replace(/^W\//, ''))) ?? false
}
