import type { Plugin, ResolvedConfig } from 'vite'

/**
 * Puts a plugin behind all others, those with `enforce: 'post'` included. Its hooks with `order: 'post'` are then the
 * last, and where they are `sequential`, too, none of them is asked once that of another plugin has failed. To be called
 * by its `configResolved`, before anything is built.
 */
export function placeLast(config: ResolvedConfig, plugin: Plugin): void {
  const plugins = config.plugins as Plugin[]
  const place = plugins.indexOf(plugin)
  if (place === -1) return
  plugins.splice(place, 1)
  plugins.push(plugin)
}
