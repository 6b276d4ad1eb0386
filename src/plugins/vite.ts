import type { Plugin } from 'vite'
import { assertPluginOptions, type PluginOptions } from './adapter/plugin-options.ts'
import { buildPlugin } from './vite/build-plugin.ts'
import type { SharedSource } from './vite/content-source.ts'
import { devPlugin } from './vite/dev-plugin.ts'
import { virtualPlugin } from './vite/virtual-plugin.ts'

export type { PluginOptions as KbPluginOptions } from './adapter/plugin-options.ts'

/**
 * The Vite plugin, for Vite 5.4 to 8 and the tools based on it. It provides the articles to a site as `virtual:kb`, checks
 * them in builds and in development, and sends them if `sync` is set.
 *
 * @throws KbError CONFIG_INVALID
 *
 * @example
 * ```js
 * import { kb } from 'kb-sync/vite'
 *
 * export default { plugins: [kb({ sync: 'build', links: { article: '/help/{id}' } })] }
 * ```
 */
export function kb(options: PluginOptions = {}): Plugin[] {
  assertPluginOptions('The Vite plugin', options)
  const shared: SharedSource = {}
  return [virtualPlugin(shared), ...buildPlugin(options, shared), devPlugin(options, shared)]
}
