import type { Logger, ResolvedConfig } from 'vite'

/** What of VitePress' own configuration matters here; it lies in the configuration of Vite. */
interface VitePressSite {
  readonly logger?: Logger
  buildEnd?: ((site: never) => unknown) | undefined
}

/** Undefined where this is no site of VitePress. */
export function vitePressOf(config: ResolvedConfig): VitePressSite | undefined {
  return (config as { readonly vitepress?: VitePressSite }).vitepress
}

/** Does something once all pages are rendered: that is when a build of VitePress has gone well. */
export function afterVitePress(site: VitePressSite, then: () => Promise<void>): void {
  const own = site.buildEnd
  site.buildEnd = async (...given) => {
    await own?.apply(site, given)
    await then()
  }
}
