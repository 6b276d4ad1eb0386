import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AdapterHost } from '../adapter/adapter.ts'
import { KbError } from '../../core/errors/kb-error.ts'

export type ToolLogger = Pick<AdapterHost, 'info' | 'warn'> & { readonly error: (text: string) => void }

/** Loads the logger of the site's Docusaurus. Prefixes every message with kb-sync. */
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

/** Creates an error about a text, not a program, so that its stack is useless. */
export function withoutStack(message: string, cause?: unknown): Error {
  const error = cause === undefined ? new Error(message) : new Error(message, { cause })
  error.stack = message
  return error
}

/** Converts an error for Docusaurus: message and hint of a failure. A bug keeps its stack. */
export function asToolError(error: unknown): unknown {
  if (!(error instanceof KbError)) return error
  const hint = error.hint === undefined ? '' : `\n${error.hint}`
  return withoutStack(`kb-sync: ${error.message}${hint}`, error.cause)
}
