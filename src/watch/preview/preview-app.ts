import { closeSync } from 'node:fs'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { html } from 'hono/html'
import { getMimeType } from 'hono/utils/mime'
import { openInside, readOpened } from '../../content/assets/open-inside.ts'
import type { Settings } from '../../core/config/settings.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import type { LocalFile } from '../../core/model/local-file.ts'
import { parseUrl } from '../../core/parse-url.ts'
import { createPages } from '../../web/pages/create-pages.ts'
import type { Brand } from '../../web/pages/brand/load-brand.ts'
import type { PageAddresses } from '../../web/pages/page-addresses.ts'
import type { PageSource } from '../../web/pages/page-source.ts'
import { assetHeaders } from '../../web/pages/page-headers.ts'
import { createPageUrls } from '../../web/pages/page-urls.ts'
import type { LiveStream } from './live-stream.ts'
import { openPlace, type PreviewEnv } from './open-place.ts'
import type { PreviewState } from './preview-state.ts'
import { hostname } from 'node:os'
import { isIP } from 'node:net'
import { tryTo } from '../../core/try-to.ts'

interface PreviewAppOptions {
  readonly state: PreviewState
  readonly source: PageSource
  readonly addresses: PageAddresses
  readonly brand: Brand | undefined
  readonly stream: LiveStream
  readonly host: string
  readonly token: string
  readonly onFailure: (error: unknown) => void
}

/** Maximum size in bytes of a form that names a position in a file. */
const FORM_LIMIT = 16_384

/** Handles the requests of a browser on this machine: pages, their updates, and the button for the editor. */
export function createPreviewApp(options: PreviewAppOptions): Hono<PreviewEnv> {
  const { state, source, addresses, brand, stream, host, token, onFailure } = options
  const live = { token, problems: () => state.view()?.diagnostics ?? [] }
  const pages = createPages<PreviewEnv>({
    source,
    addresses,
    brand,
    live,
    viewerOf: () => 'author',
    onError: onFailure,
  })
  const pageAtLink = createPageAtLink(state, addresses)
  const app = new Hono<PreviewEnv>()
  app.use(async (c, next) => {
    const refusal = refuseForeign(
      {
        method: c.req.method,
        path: c.req.path,
        host: c.req.header('Host'),
        origin: c.req.header('Origin'),
        fetchSite: c.req.header('Sec-Fetch-Site'),
        fetchMode: c.req.header('Sec-Fetch-Mode'),
      },
      host,
    )
    if (refusal === undefined) return next()
    return c.text(`${refusal.message}\n`, refusal.status, {
      ...REFUSED,
      ...(refusal.status === 405 && ALLOW),
    })
  })
  // A stream opened by a HEAD request would never end.
  app.get('/_kb/events', (c) => (c.req.method === 'HEAD' ? c.body(null, 204, REFUSED) : stream.open()))
  app.post(OPEN_PATH, bodyLimit({ maxSize: FORM_LIMIT, onError: tooLarge }), (c) =>
    openPlace(c, { ...state.settings(), token, show: pages.show }),
  )
  app.use(async (c, next) => {
    // The assets of the pages are available before the content.
    if (state.index() !== undefined || c.req.path.startsWith('/_kb/')) return next()
    return pages.show(c, READING)
  })
  app.use(async (c, next) => {
    const page = pageAtLink(new URL(c.req.url).pathname)
    return page === undefined ? next() : c.redirect(page)
  })
  app.get('/files/:name', (c) => showFile(c, state))
  pages.mount(app)
  app.onError((error, c) => {
    onFailure(error)
    return c.text('The page could not be rendered.\n', 500, REFUSED)
  })
  return pages.acceptPublicPath(app)
}

/** Serves a file that the target stores for articles, as of the last read of the content. */
function showFile(c: Context, state: PreviewState) {
  const name = c.req.param('name')
  const file = state.view()?.content?.assets.find(({ stored }) => stored?.name === name)?.stored
  const bytes = file && readStored(state.settings().contentRoot, file)
  if (file === undefined || bytes === undefined) return c.text('There is no such file.\n', 404, REFUSED)
  return c.body(bytes, 200, assetHeaders(getMimeType(file.name) ?? 'application/octet-stream'))
}

/** Reads the file; undefined if it has changed since. */
function readStored(contentRoot: string, { name, source, bytes }: LocalFile) {
  const opened = openInside(contentRoot, source)
  if (opened.kind !== 'opened') return undefined
  try {
    const { sha256, kept } = readOpened(opened.descriptor, { limitBytes: bytes, keepsAll: true })
    return name.startsWith(`${sha256}.`) ? new Uint8Array(kept) : undefined
  } finally {
    closeSync(opened.descriptor)
  }
}

const tooLarge = (c: Context) => c.text('The form is too large.\n', 413, REFUSED)

const REFUSED = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' }

const ALLOW = { Allow: 'GET, HEAD' }

const READING = {
  title: 'Reading the files',
  main: html`<h1>Reading the files</h1>
    <p>The articles will appear in a moment: this page reloads automatically.</p>`,
  status: 503,
  // Pages without a script refresh, too.
  headers: { 'Retry-After': '1', Refresh: '1' },
}

/**
 * Finds the page of an article by the path of links to it, if a function of the configuration creates them, so that no
 * pattern matches.
 *
 * @returns the URL of the page for a path, as in a URL; undefined if there is no such article, or the path is its page
 */
function createPageAtLink(state: PreviewState, addresses: PageAddresses) {
  let known:
    | { readonly articles: readonly LocalArticle[]; readonly pages: ReadonlyMap<string, string> }
    | undefined
  return (path: string): string | undefined => {
    const settings = state.settings()
    const articles = state.index()?.content.articles
    if (!settings.hasFunctions || articles === undefined) return undefined
    if (known?.articles !== articles) known = { articles, pages: pagesOf(articles, settings, addresses) }
    return known.pages.get(path)
  }
}

function pagesOf(articles: readonly LocalArticle[], settings: Settings, addresses: PageAddresses) {
  const { articleUrl, defaultLanguage, server } = settings
  const urls = createPageUrls(addresses, [defaultLanguage, ...server.languages])
  const pages = new Map<string, string>()
  for (const { slug, language } of articles) {
    const place = { slug, language: language ?? defaultLanguage }
    const link = pathOf(articleUrl(place))
    const url = urls.article(place)
    if (link !== undefined && link !== pathOf(url) && !pages.has(link)) pages.set(link, url)
  }
  return pages
}

function pathOf(address: string): string | undefined {
  return parseUrl(address, 'http://nowhere.invalid')?.pathname
}

// Pages of other sites run in the author's browser, too, and the content may be confidential. So the preview only
// responds to requests from its own pages or the author.
/** The origin of a request. Members that the request does not state are undefined. */
export interface RequestOrigin {
  readonly method: string
  readonly path: string
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly fetchSite: string | undefined
  readonly fetchMode: string | undefined
}

/** The only path with side effects. */
export const OPEN_PATH = '/_kb/open'

/**
 * The reason why a request is rejected; undefined if it is accepted.
 *
 * @param servedHost the host that the preview listens on
 */
export function refuseForeign(
  request: RequestOrigin,
  servedHost: string,
): { readonly status: 400 | 403 | 405; readonly message: string } | undefined {
  const { method, path, host } = request
  if (host === undefined) return { status: 400, message: 'The request has no Host header.' }
  if (!isOurHost(host, servedHost))
    return { status: 403, message: `The preview is not served under the host name ${host}.` }
  if (method !== 'GET' && method !== 'HEAD' && !(method === 'POST' && path === OPEN_PATH))
    return { status: 405, message: 'Pages are read-only.' }
  return isOfOurPages(request)
    ? undefined
    : { status: 403, message: 'Requests from other sites are not allowed.' }
}

/**
 * True if the host always means this machine, or is an IP address. A page of another site may resolve its own name to
 * our address (DNS rebinding).
 */
function isOurHost(host: string, servedHost: string): boolean {
  const name = nameOf(host)
  if (name === undefined) return false
  const own = [servedHost, hostname(), `${hostname()}.local`].map((each) => each.toLowerCase())
  return isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost') || own.includes(name)
}

function nameOf(host: string): string | undefined {
  if (!/^[\w.:[\]-]+$/.test(host)) return undefined
  return tryTo(() => new URL(`http://${host}`).hostname.replace(/^\[(.*)\]$/, '$1'))
}

function isOfOurPages({ method, host, origin, fetchSite, fetchMode }: RequestOrigin): boolean {
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) return false
  if (fetchSite === undefined || fetchSite === 'same-origin' || fetchSite === 'none') return true
  // A link was followed, for example in a chat.
  return method !== 'POST' && fetchMode === 'navigate'
}
