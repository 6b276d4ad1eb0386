import type { Logger, ResolvedConfig } from 'vite'

/** The relevant part of VitePress' configuration, which is in that of Vite. */
interface VitePressSite {
  readonly logger?: Logger
  buildEnd?: ((site: never) => unknown) | undefined
}

/** Undefined outside of VitePress. */
export function vitePressOf(config: ResolvedConfig): VitePressSite | undefined {
  return (config as { readonly vitepress?: VitePressSite }).vitepress
}

/** Calls `then` once all pages are rendered: then a VitePress build has succeeded. */
export function afterVitePress(site: VitePressSite, then: () => Promise<void>): void {
  const own = site.buildEnd
  site.buildEnd = async (...given) => {
    await own?.apply(site, given)
    await then()
  }
}
