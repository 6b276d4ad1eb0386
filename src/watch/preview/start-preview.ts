import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Settings } from '../../core/config/settings.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import { groupBy } from '../../core/group-by.ts'
import type { Diagnostic } from '../../core/model/diagnostic.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import { withoutSameEnds } from '../../core/without-same-ends.ts'
import { bind } from '../../core/net/bind.ts'
import { createPageUrls, type PageUrls } from '../../web/pages/page-urls.ts'
import { createLiveStream } from './live-stream.ts'
import { pageAddressesOf } from '../../web/pages/page-addresses-of.ts'
import type { Brand } from '../../web/pages/brand/load-brand.ts'
import type { PageAddresses } from '../../web/pages/page-addresses.ts'
import { createPreviewApp } from './preview-app.ts'
import { createPreviewSearch } from './preview-search.ts'
import { createPreviewSource } from './preview-source.ts'
import { type ArticleChange, PreviewState, type PreviewView } from './preview-state.ts'
import { createPreviewStatus } from './preview-status.ts'
import { errorCodeOf } from '../../core/error-code.ts'

interface PreviewOptions extends BindOptions {
  readonly settings: Settings
  /** Default: the built-in appearance. */
  readonly brand?: Brand | undefined
  readonly now: () => Date
  /** Called when a page cannot be created. The reader sees a page that says so. */
  readonly onFailure: (error: unknown) => void
}

/** The pages of the content that is being edited, on their own server. */
export interface Preview extends Bound {
  /**
   * Shows the current content, and updates open pages. Cheap: pages are created on request.
   *
   * @param touched sources with changes; undefined for any
   */
  readonly update: (view: PreviewView, touched: readonly string[] | undefined) => void
  /** Applies a new configuration. Host and port stay the same. */
  readonly reconfigure: (settings: Settings, brand: Brand) => void
  readonly close: () => Promise<void>
}

/** Delay of updates of lists and links, which combines several changes. */
const SITE_DELAY_MS = 150

/** Maximum number of changed articles that are named. If there are more, each open page checks for itself. */
const NAMED_CHANGES = 200

/** @throws KbError PORT_UNAVAILABLE */
export async function startPreview(options: PreviewOptions): Promise<Preview> {
  const { now, onFailure, host } = options
  const state = new PreviewState(options.settings)
  const stream = createLiveStream()
  const search = createPreviewSearch({
    index: () => state.index(),
    languageOf: ({ language }) => language ?? state.settings().defaultLanguage,
    onFailure,
  })
  let shown = { addresses: previewAddresses(options.settings), brand: options.brand }
  // The only setting that URLs depend on is the default language.
  const urls = (): PageUrls => createPageUrls(shown.addresses, [state.settings().defaultLanguage])
  const status = createPreviewStatus(state, urls, now)
  const source = createPreviewSource(state, search, status)
  const token = randomUUID()
  const createApp = () => createPreviewApp({ state, source, ...shown, stream, host, token, onFailure })
  let app = createApp()
  const answer = getRequestListener((request, env) => app.fetch(request, env), {
    overrideGlobalObjects: false,
    hostname: host,
  })
  const server = createServer((request, response) => void answer(request, response))
  const bound = await bindPreview(server, options)

  let siteTimer: NodeJS.Timeout | undefined
  function tellSite(): void {
    siteTimer ??= setTimeout(() => {
      siteTimer = undefined
      stream.tell({ kind: 'site' })
    }, SITE_DELAY_MS)
  }

  return {
    ...bound,
    update: (view, touched) => {
      const before = state.view()
      const changes = state.update(view, touched)
      search.note(changes)
      const isSome = before?.content !== undefined && changes.length <= NAMED_CHANGES
      const changed = isSome ? changedUrls(changes, before, state, urls()) : []
      if (changed.length > 0) stream.tell({ kind: 'articles', urls: changed })
      tellSite()
    },
    reconfigure: (settings, brand) => {
      state.reconfigure(settings)
      search.forget()
      shown = { addresses: previewAddresses(settings), brand }
      app = createApp()
      tellSite()
    },
    close: async () => {
      clearTimeout(siteTimer)
      search.close()
      stream.close()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

/** Returns the patterns of URLs without a base path, because no proxy is in front of a preview. */
function previewAddresses(settings: Settings): PageAddresses {
  return { ...pageAddressesOf(settings), base: '' }
}

type Shown = Pick<PreviewView, 'diagnostics' | 'heldBack'>

/** Returns the URLs of the article pages that certainly changed, including the old URLs of moved articles. */
function changedUrls(
  changes: readonly ArticleChange[],
  before: Shown | undefined,
  state: PreviewState,
  urls: PageUrls,
): string[] {
  const places = new Set<string>()
  const { defaultLanguage } = state.settings()
  const add = ({ slug, language }: Pick<LocalArticle, 'slug' | 'language'>) =>
    places.add(urls.article({ slug, language: language ?? defaultLanguage }))
  for (const change of changes) {
    if (change.before !== undefined) add(change.before)
    if (change.after !== undefined) add(change.after)
  }
  for (const source of sourcesWithOtherProblems(before, state)) {
    const article = state.index()?.bySource(source)
    const slug = state.slugOfUnshown(source)
    if (article !== undefined) add(article)
    else if (slug !== undefined) add({ slug, language: null })
  }
  return [...places]
}

function sourcesWithOtherProblems(before: Shown | undefined, state: PreviewState): Set<string> {
  const now = state.view()
  const sources = new Set<string>()
  if (now === undefined || before === undefined) return sources
  const prefix = state.fileOf('')
  for (const file of filesThatDiffer(before.diagnostics, now.diagnostics)) {
    const source = file.slice(prefix.length)
    sources.add(source)
    for (const [article, included] of now.content?.includes ?? []) {
      if (included.has(source)) sources.add(article)
    }
  }
  for (const source of before.heldBack) if (!now.heldBack.has(source)) sources.add(source)
  for (const source of now.heldBack) if (!before.heldBack.has(source)) sources.add(source)
  return sources
}

function filesThatDiffer(before: readonly Diagnostic[], now: readonly Diagnostic[]): string[] {
  const other = withoutSameEnds(before, now)
  const [old, current] = [other.before, other.now].map((all) => groupBy(all, ({ file }) => file))
  const files = new Set([...(old?.keys() ?? []), ...(current?.keys() ?? [])])
  return [...files].filter((file) => JSON.stringify(old?.get(file)) !== JSON.stringify(current?.get(file)))
}

interface BindOptions {
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
  /** True if no other port may be used. */
  readonly isPortRequired: boolean
}

interface Bound {
  /** With a slash at its end. */
  readonly url: string
  /** The requested port, if another program uses it. */
  readonly portTaken: number | undefined
}

/** Number of following ports to try before any free one is used. */
const NEXT_PORTS = 20

/** @throws KbError PORT_UNAVAILABLE */
async function bindPreview(server: Server, { host, port, isPortRequired }: BindOptions): Promise<Bound> {
  let failure: unknown
  for (const each of isPortRequired ? [port] : candidates(port)) {
    try {
      const url = await bind(server, { host, port: each })
      return { url: `${url}/`, portTaken: each === port ? undefined : port }
    } catch (error) {
      if (!(error instanceof KbError) || errorCodeOf(error.cause) !== 'EADDRINUSE') throw error
      failure = error
    }
  }
  throw failure
}

function candidates(port: number): number[] {
  if (port === 0) return [0]
  const next = Array.from({ length: NEXT_PORTS + 1 }, (_, index) => port + index)
  return [...next.filter((each) => each <= 65_535), 0]
}
