import type { KbConfig } from './schema.ts'

/**
 * Returns its argument, and provides completion and type checks in kb.config.ts.
 *
 * @example
 * ```js
 * import { defineConfig } from 'kb-sync'
 *
 * export default defineConfig({ project: 'acme-help', defaults: { status: 'published' } })
 * ```
 */
export function defineConfig(config: KbConfig): KbConfig {
  return config
}
