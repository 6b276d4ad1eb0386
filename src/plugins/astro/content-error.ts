import { KbError } from '../../index.ts'
import { escapeControl } from '../../core/escape-control.ts'
import type { ContentFailure } from '../adapter/content-failure.ts'
import type { AstroLikeError } from './astro-types.ts'
import { importFromAstro } from './import-from-astro.ts'

const NAME = 'kb-sync'

/**
 * Converts errors in the content to one Astro error: message, location, hint and frame are those of the first, the
 * cause contains all. Astro renders message and hint, but not the cause, as Markdown, in which a frame would lose its
 * brackets.
 */
export async function contentError(
  failure: ContentFailure,
  shownIn: 'terminal' | 'page',
): Promise<AstroLikeError> {
  const { first, title, report, diagnostics } = failure
  const message = escapeControl(`${first.message} [${first.code}]`)
  const error = await astroError(shownIn === 'page' ? message : `${title}: ${message}`, first.hint)
  const { file, line, column, frame } = first
  const isAll = diagnostics.length === 1 && shownIn === 'page'
  return Object.assign(error, {
    title,
    loc: { file, line, column },
    stack: `${error.name}: ${message}\n    at ${file}:${line}:${column}`,
    ...(frame === '' ? {} : { frame }),
    ...(isAll ? {} : { cause: shownIn === 'page' ? report : withoutStack(report) }),
  })
}

/** Converts an external failure for Astro: message and hint, no stack. Other errors are not changed. */
export async function toAstroError(error: unknown): Promise<AstroLikeError> {
  if (error instanceof KbError)
    return Object.assign(await astroError(error.message, error.hint), { title: 'The content cannot be read' })
  return error instanceof Error
    ? Object.assign(error, { stack: error.stack ?? '' })
    : astroError(String(error))
}

export async function astroError(message: string, hint?: string): Promise<AstroLikeError> {
  const { AstroError } = await importFromAstro('astro/errors')
  const error = new AstroError(escapeControl(message), hint === undefined ? undefined : escapeControl(hint))
  return Object.assign(error, { name: NAME, stack: '' })
}

function withoutStack(message: string): Error {
  return Object.assign(new Error(message), { stack: '' })
}
