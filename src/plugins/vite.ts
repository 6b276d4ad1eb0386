import type { Plugin } from 'vite'
import { assertPluginOptions, type PluginOptions } from './adapter/plugin-options.ts'
import { buildPlugin } from './vite/build-plugin.ts'
import type { SharedSource } from './vite/content-source.ts'
import { devPlugin } from './vite/dev-plugin.ts'
import { virtualPlugin } from './vite/virtual-plugin.ts'

export type { PluginOptions as KbPluginOptions } from './adapter/plugin-options.ts'

/**
 * The Vite plugin, for Vite 5.4 to 8 and the tools that are made with it. It gives a site the articles as
 * `virtual:kb`, checks them in a build and while the development server runs, and sends them where `sync` says so.
 *
 * @throws KbError CONFIG_INVALID
 */
export function kb(options: PluginOptions = {}): Plugin[] {
  assertPluginOptions('The Vite plugin', options)
  const shared: SharedSource = {}
  return [virtualPlugin(shared), ...buildPlugin(options, shared), devPlugin(options, shared)]
}
