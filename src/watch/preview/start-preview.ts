import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Settings } from '../../core/config/settings.ts'
import { createPageUrls, type PageUrls } from '../../web/pages/page-urls.ts'
import { type BindOptions, bindPreview, type Bound } from './bind-preview.ts'
import { changedUrls } from './changed-urls.ts'
import { createLiveStream } from './live-stream.ts'
import { pageAddressesOf } from '../../web/pages/page-addresses-of.ts'
import { createPreviewApp } from './preview-app.ts'
import { createPreviewSearch } from './preview-search.ts'
import { createPreviewSource } from './preview-source.ts'
import { createPreviewState } from './preview-state.ts'
import { createPreviewStatus } from './preview-status.ts'
import type { PreviewView } from './preview-view.ts'

export interface PreviewOptions extends BindOptions {
  readonly settings: Settings
  readonly now: () => Date
  /** Told of what keeps a page from being made; who asked for it sees a page that says so. */
  readonly onFailure: (error: unknown) => void
}

/** Pages of the content that is being written, on a server of their own. */
export interface Preview extends Bound {
  /**
   * Shows what there is now; open pages follow. Cheap: what pages need is made when they are asked for.
   *
   * @param touched sources in which something changed; undefined for anything
   */
  readonly update: (view: PreviewView, touched: readonly string[] | undefined) => void
  /** The configuration is another one; host and port stay. */
  readonly reconfigure: (settings: Settings) => void
  /** Cuts every connection. */
  readonly close: () => Promise<void>
}

/** Lists and links may wait for more of the same to come. */
const SITE_DELAY_MS = 150

/** Where more has changed at once, every open page looks for itself. */
const NAMED_CHANGES = 200

/** @throws KbError PORT_UNAVAILABLE */
export async function startPreview(options: PreviewOptions): Promise<Preview> {
  const { now, onFailure, host } = options
  const state = createPreviewState(options.settings)
  const stream = createLiveStream()
  const search = createPreviewSearch({
    index: state.index,
    languageOf: ({ language }) => language ?? state.settings().defaultLanguage,
    onFailure,
  })
  let addresses = pageAddressesOf(options.settings)
  // Only which language is the default one shows in an address.
  const urls = (): PageUrls => createPageUrls(addresses, [state.settings().defaultLanguage])
  const status = createPreviewStatus({ state, urls, now })
  const source = createPreviewSource({ state, search, status })
  const token = randomUUID()
  const createApp = () => createPreviewApp({ state, source, addresses, stream, host, token, onFailure })
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
    reconfigure: (settings) => {
      state.reconfigure(settings)
      search.forget()
      addresses = pageAddressesOf(settings)
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
