import { type Context, type Env, Hono } from 'hono'
import { createCleaner } from './article-html/create-cleaner.ts'
import { type Brand, NO_BRAND } from './brand/load-brand.ts'
import { createAssets, findAsset } from './load-assets.ts'
import { listHomes } from './article-list.ts'
import { acceptedLanguages, homeForReader, inReaderLanguage } from './home-page.ts'
import type { LivePages } from './live-pages.ts'
import { CRAWLER_FILES, type MakeCrawlerFile, ROBOTS_PATH } from './crawler-files.ts'
import { type PageAddresses, publicPath } from './page-addresses.ts'
import type { Html } from '../html.ts'
import type { PageBody } from './page-body.ts'
import { createPageRenderer } from './page-renderer.ts'
import { assetHeaders, byLanguage, OWN_PATH, pageHeaders } from './page-headers.ts'
import { forbiddenPage, missingPage } from './problem-pages.ts'
import { createPageFinder } from './page-finder.ts'
import { createPageCache, entityTag, isKnown, type RenderedPage, sendPage, toPage } from './rendered-page.ts'
import type { PageSource, Viewer } from './page-source.ts'
import { LANGUAGE_PARAMETER } from './page-urls.ts'
import { searchPart } from './search-page.ts'
import { beginVisit, type Visit } from './visit.ts'

type PageAnswer<E extends Env> = (c: Context<E>) => Response | Promise<Response>

export interface PagesOptions<E extends Env> {
  readonly source: PageSource
  readonly addresses: PageAddresses
  /** Default: the built-in appearance. */
  readonly brand?: Brand | undefined
  /** The viewer of a request; default: a reader. */
  readonly viewerOf?: (c: Context<E>) => Viewer | Promise<Viewer>
  /** Returns the page that replaces any other for a reader without the password of the site. */
  readonly closedPage?: (c: Context<E>) => Promise<((visit: Visit) => PageBody) | undefined>
  /** Undefined: pages are not updated while files are edited, and do not open an editor. */
  readonly live?: LivePages | undefined
  /** Renders the end of the header, such as a link to sign in. */
  readonly account?: (c: Context<E>, visit: Visit) => Html | undefined
  /** Wraps the handler of `route` (a path with `{slug}`), for logs and metrics. */
  readonly handle?: (route: string, answer: PageAnswer<E>) => PageAnswer<E>
  /** Memory for caching readers' pages while the content is the same; default none. */
  readonly cacheBytes?: number
  /** Additional headers of every response. */
  readonly headersOf?: (c: Context<E>) => Readonly<Record<string, string>>
  /** Paths, including everything below them, that the pages must not handle, such as `/api`. */
  readonly reserved?: readonly string[]
  /** Returns the status and headers for an exception that is not an error of the server, such as a temporary one. */
  readonly refusalOf?: (error: unknown) => Required<Pick<PageBody, 'status' | 'headers'>> | undefined
  /** Called with every other exception. The reader gets an error page. */
  readonly onError: (error: unknown, c: Context<E>) => void
}

export interface Pages<E extends Env> {
  /** Responds with a page in the shared layout, and with its headers. */
  readonly show: (c: Context<E>, body: PageBody | ((visit: Visit) => PageBody)) => Promise<Response>
  /** An app that handles requests below the path of the public URL, and all others, as `app` does without it. */
  readonly acceptPublicPath: (app: Hono<E>) => Hono<E>
  /**
   * Adds all pages to `app` as its last routes: every GET without another handler gets a page, or an error page.
   */
  readonly mount: (app: Hono<E>) => void
}

/** Creates the pages for readers, from any source. */
export function createPages<E extends Env>(options: PagesOptions<E>): Pages<E> {
  const { addresses, brand = NO_BRAND, live, headersOf, handle = (_route, answer) => answer } = options
  const assets = createAssets()
  const respond = createResponder({ ...options, brand }, assets)
  const { answering, guarding, begin, send, render } = respond
  const cache = createPageCache(options.cacheBytes ?? 0)
  const finder = createPageFinder({ addresses, clean: createCleaner(addresses, brand.embeds), live })

  const showFound = guarding(async (c) => {
    const visit = await begin(c)
    const headers = { ...pageHeaders(visit.viewer, brand.sources), ...headersOf?.(c) }
    const home = c.req.path === '/' ? await homeForReader(visit, c) : undefined
    if (home !== undefined) return redirectTo(home, { ...headers, ...byLanguage(visit.site) })
    // The index of words, and the files of edit links, may change without the content.
    const isKept = visit.viewer === 'reader' && c.req.path !== '/search' && brand.editUrl === undefined
    const revision = isKept ? await options.source.revision?.() : undefined
    const key = requestPath(c)
    const known = revision === undefined ? undefined : cache.find(key, revision)
    if (known !== undefined) return sendPage(known, headers, c)
    const found = await finder.find(visit, new URL(c.req.url), c.req.method === 'GET')
    if (found.kind === 'moved') return redirectTo(found, headers)
    const problem = PROBLEM_PAGES[found.body.status ?? 200]
    const { visit: own, body } = problem === undefined ? found : await problemFor(visit, c, problem)
    const page = await render(c, own, body)
    if (revision !== undefined) cache.keep(key, revision, page)
    return sendPage(page, headers, c)
  })

  const showSearch = guarding(async (c) => {
    if (c.req.query('part') === undefined) return showFound(c)
    const visit = await begin(c)
    const part = await searchPart(visit, c.req.query('q') ?? '')
    return send(c, String(part), { body: {}, viewer: visit.viewer })
  })

  const sendFile = createFileSender({ ...options, brand }, respond, showFound)

  const sendAsset = answering((c) => {
    const asset = brand.files.get(c.req.path.slice(OWN_PATH.length)) ?? findAsset(assets(), c.req.path)
    if (asset === undefined) return showFound(c)
    return sendBytes(asset.bytes, { ...headersOf?.(c), ...assetHeaders(asset.contentType) })
  })

  return {
    show: respond.showOwn,
    acceptPublicPath: (app) => belowPath(publicPath(addresses.url), app),
    mount(app) {
      for (const path of ['/', '/status']) app.get(path, handle(path, showFound))
      app.get('/search', handle('/search', showSearch))
      for (const [path, make] of Object.entries(CRAWLER_FILES))
        app.get(path, handle(path, sendFile(path, make)))
      app.get(`${OWN_PATH}/*`, handle(`${OWN_PATH}/{digest}/{name}`, sendAsset))
      // Patterns may have placeholders anywhere, which no router supports.
      app.get('*', (c, next) => {
        if (isReserved(c.req.path, options.reserved)) return next()
        return handle(finder.routeOf(new URL(c.req.url).pathname), showFound)(c)
      })
    },
  }
}

/** Sends files for crawlers and feed readers. @param show responds instead if there is no such file */
function createFileSender<E extends Env>(
  options: PagesOptions<E> & { readonly brand: Brand },
  { answering, guarding, send }: ReturnType<typeof createResponder<E>>,
  show: PageAnswer<E>,
) {
  const { brand, headersOf } = options
  return (path: string, make: MakeCrawlerFile): PageAnswer<E> =>
    (path === ROBOTS_PATH ? answering : guarding)(async (c) => {
      const visit = await beginVisit(options, 'reader', c.req.query(LANGUAGE_PARAMETER))
      const file = await make(visit, new URL(c.req.url).searchParams)
      if (file === undefined) return show(c)
      const own = { ...pageHeaders('reader', brand.sources), ...headersOf?.(c) }
      const headers = { ...own, 'Content-Type': file.contentType }
      const { text, version } = file
      if (typeof text === 'string') return send(c, text, { body: { headers }, viewer: 'reader' })
      const stream = () => streamOf(text, (error) => options.onError(error, c))
      return sendStream(stream, version, headers, c.req.header('If-None-Match'))
    })
}

/** Redirects. Always revalidated, like a page, because the slug may be used again. */
function redirectTo(
  { url, status }: { readonly url: string; readonly status: number },
  headers: Readonly<Record<string, string>>,
): Response {
  return new Response(null, { status, headers: { ...headers, Location: url } })
}

function sendBytes(bytes: Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>>): Response {
  return new Response(bytes, { headers: { ...headers, 'Content-Length': String(bytes.length) } })
}

const PROBLEM_PAGES: Readonly<Record<number, (visit: Visit) => PageBody>> = {
  403: forbiddenPage,
  404: missingPage,
}

/** Returns the page about a problem in the language of the browser, with a menu of the home pages in all languages. */
async function problemFor(asked: Visit, c: Context, page: (visit: Visit) => PageBody) {
  const languages = await listHomes(asked)
  const visit = await inReaderLanguage(asked, c, () => Promise.resolve(languages))
  return { visit, body: { ...page(visit), languages, headers: byLanguage(visit.site) } }
}

function createResponder<E extends Env>(
  options: PagesOptions<E> & { readonly brand: Brand },
  assets: ReturnType<typeof createAssets>,
) {
  const { addresses, brand, live } = options
  const renderer = createPageRenderer({ addresses, brand, live, assets })
  const urlOf = (c: Context<E>) => `${options.addresses.base ?? ''}${requestPath(c)}`
  const send = (c: Context<E>, page: string, { body, viewer }: Sent) =>
    sendPage(toPage(page, body), { ...pageHeaders(viewer, brand.sources), ...options.headersOf?.(c) }, c)
  const begin = async (c: Context<E>) =>
    beginVisit(options, (await options.viewerOf?.(c)) ?? 'reader', c.req.query(LANGUAGE_PARAMETER))
  // A form shows nothing of the site, not even which languages have articles.
  const beginOwn = async (c: Context<E>): Promise<Visit> => {
    const visit = await begin(c)
    return inReaderLanguage(visit, c, async () => visit.site.languages.map((language) => ({ language })))
  }
  const render = async (c: Context<E>, visit: Visit, body: PageBody): Promise<RenderedPage> => {
    const account = options.account?.(c, visit)
    return toPage(await renderer.render(visit, body, { url: body.url ?? urlOf(c), account }), body)
  }
  const show = async (c: Context<E>, visit: Visit, body: PageBody): Promise<Response> => {
    const headers = { ...pageHeaders(visit.viewer, brand.sources), ...options.headersOf?.(c) }
    return sendPage(await render(c, visit, body), { ...headers, ...byLanguage(visit.site) }, c)
  }
  const answering =
    (answer: PageAnswer<E>): PageAnswer<E> =>
    async (c) => {
      try {
        return await answer(c)
      } catch (error) {
        const refusal = options.refusalOf?.(error)
        if (refusal === undefined) options.onError(error, c)
        const chosen = c.req.query(LANGUAGE_PARAMETER)
        const wanted = [...(chosen === undefined ? [] : [chosen]), ...acceptedLanguages(c)]
        const { page, body } = await renderer.renderFailure(urlOf(c), wanted, refusal)
        return send(c, page, { body, viewer: 'author' })
      }
    }
  return {
    send,
    begin,
    render,
    answering,
    /** Hides everything, even missing pages, from a reader without the password. */
    guarding: (answer: PageAnswer<E>) =>
      answering(async (c) => {
        const closed = await options.closedPage?.(c)
        if (closed === undefined) return answer(c)
        const visit = await beginOwn(c)
        return show(c, visit, closed(visit))
      }),
    /** Shows a page that everyone may see. Without the password, it contains no data of the site. */
    showOwn: async (c: Context<E>, body: PageBody | ((visit: Visit) => PageBody)): Promise<Response> => {
      const visit = await beginOwn(c)
      const shown = typeof body === 'function' ? body(visit) : body
      const isBare = (await options.closedPage?.(c)) !== undefined
      return show(c, visit, isBare ? { ...shown, isBare } : shown)
    },
  }
}

/** Minimum number of characters in a chunk of a stream, because many small ones take long. */
const CHUNK_CHARACTERS = 30_000

/** Encodes the parts of a text. An error ends the response. */
function streamOf(parts: AsyncIterable<string>, onError: (error: unknown) => void): ReadableStream {
  return ReadableStream.from(encode())

  async function* encode() {
    const encoder = new TextEncoder()
    try {
      let chunk = ''
      for await (const part of parts) {
        chunk += part
        if (chunk.length < CHUNK_CHARACTERS) continue
        yield encoder.encode(chunk)
        chunk = ''
      }
      yield encoder.encode(chunk)
    } catch (error) {
      onError(error)
      throw error
    }
  }
}

/** True for a reserved path. Ignores double slashes, which come from a base URL with a trailing slash. */
function isReserved(path: string, reserved: readonly string[] = []): boolean {
  const plain = `${path}/`.replaceAll(/\/{2,}/g, '/')
  return reserved.some((root) => plain.startsWith(`${root}/`))
}

interface Sent {
  readonly body: Pick<PageBody, 'status' | 'headers'>
  readonly viewer: Viewer
}

/** Allows `prefix` at the start of a request's path. It is compared literally and removed once. */
function belowPath<E extends Env>(prefix: string, app: Hono<E>): Hono<E> {
  if (prefix === '') return app
  const below = new Hono<E>()
  below.on(['GET', 'POST'], '*', (c, next) => {
    const url = new URL(c.req.url)
    if (!`${url.pathname}/`.startsWith(`${prefix}/`)) return next()
    url.pathname = url.pathname.slice(prefix.length)
    return app.fetch(new Request(url, c.req.raw), c.env)
  })
  below.notFound((c) => app.fetch(c.req.raw, c.env))
  return below
}

/** Returns path and query of a request, without the path of the public URL. */
export function requestPath(c: Context): string {
  const { pathname, search } = new URL(c.req.url)
  return `${pathname}${search}`
}

/** Responds with a long text; 304 if the client already has this version. @param known its If-None-Match header */
function sendStream(
  stream: () => ReadableStream,
  version: string | undefined,
  headers: Readonly<Record<string, string>>,
  known: string | undefined,
) {
  if (version === undefined) return new Response(stream(), { headers })
  const tag = entityTag(Buffer.from(version))
  const isUnchanged = isKnown(tag, known)
  return new Response(isUnchanged ? null : stream(), {
    status: isUnchanged ? 304 : 200,
    headers: { ...headers, ETag: tag },
  })
}
