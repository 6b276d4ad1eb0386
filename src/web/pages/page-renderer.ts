import { type Frame, layout } from './layout.ts'
import type { LivePages } from './live-pages.ts'
import { type Assets, assetsPath } from './load-assets.ts'
import { navigation } from './navigation.ts'
import type { PageAddresses } from './page-addresses.ts'
import type { PageBody } from './page-body.ts'
import { createPageUrls } from './page-urls.ts'
import { failedPage } from './problem-pages.ts'
import type { Visit } from './visit.ts'
import { wordsFor } from './words.ts'

interface PageRendererOptions {
  readonly addresses: PageAddresses
  readonly live: LivePages | undefined
  readonly assets: () => Assets
}

/** Puts pages into the layout. */
export function createPageRenderer({ addresses, live, assets }: PageRendererOptions) {
  return {
    async render(visit: Visit, body: PageBody, page: Pick<Frame, 'url' | 'account'>): Promise<string> {
      const { site, language, words, urls } = visit
      const frame: Frame = {
        ...page,
        siteName: site.name,
        language,
        defaultLanguage: site.languages[0] ?? language,
        words,
        urls,
        assetsPath: assetsPath(assets()),
        navigation: body.isWide === true ? undefined : await navigation(visit, body.place),
        live,
      }
      return String(await layout(frame, body))
    },

    /** Without asking the source: it may be what failed. */
    async renderFailure(url: string): Promise<{ readonly page: string; readonly body: PageBody }> {
      const language = 'en'
      const words = wordsFor(language)
      const urls = createPageUrls(addresses, [language])
      const body = { ...failedPage({ words, urls, language }), headers: { 'Cache-Control': 'no-store' } }
      const frame: Frame = {
        siteName: '',
        language,
        defaultLanguage: language,
        words,
        urls,
        url,
        assetsPath: assetsPath(assets()),
        navigation: undefined,
        account: undefined,
        live,
      }
      return { page: String(await layout(frame, body)), body }
    },
  }
}
