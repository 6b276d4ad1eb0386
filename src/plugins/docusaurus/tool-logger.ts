import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AdapterHost } from '../adapter/adapter.ts'

export type ToolLogger = Pick<AdapterHost, 'info' | 'warn'> & { readonly error: (text: string) => void }

/** The logger of the site's Docusaurus; prefixes every message with kb-sync. */
export function loadToolLogger(siteDir: string): ToolLogger {
  // The logger is a dependency of Docusaurus' core, not necessarily of the site.
  const core = createRequire(join(siteDir, 'package.json')).resolve('@docusaurus/core/package.json')
  const { default: logger } = createRequire(core)('@docusaurus/logger') as { readonly default: ToolLogger }
  const named = (text: string) => `kb-sync: ${text}`
  return {
    info: (text) => logger.info(named(text)),
    warn: (text) => logger.warn(named(text)),
    error: (text) => logger.error(named(text)),
  }
}
