import { resolve } from 'node:path'
import { KbError } from '../../index.ts'
import { escapeControl, escapeControlInLine } from '../../core/escape-control.ts'
import { type ContentFailure, formatPlainly } from '../adapter/content-failure.ts'
import { explainSyncFailure } from '../adapter/explain-sync.ts'

/** An error for Vite, Rollup and Rolldown, which print file and frame below the message. */
interface ViteError {
  readonly message: string
  readonly id: string
  readonly loc: { readonly file: string; readonly line: number; readonly column: number }
  readonly frame: string
  /** Empty, because a stack in the plugin is useless to an author. */
  readonly stack: string
}

/**
 * Converts all problems of a build. The first one determines the location and comes last, above file and frame.
 *
 * @param root absolute path of the project
 */
export function toViteError(failure: ContentFailure, root: string): ViteError {
  const { title, first, diagnostics } = failure
  const [{ file, line, column } = first, ...others] = diagnostics
  const message =
    others.length === 0
      ? messageOf(first)
      : `${title}\n\n${formatPlainly(others, root)}\n\n${escapeControlInLine(file)}:${line}:${column} ${messageOf(first)}`
  return { ...placed(failure), message, stack: '' }
}

export interface OverlayError extends Partial<Omit<ViteError, 'message' | 'stack'>> {
  readonly plugin: string
  readonly message: string
  /** The overlay links every location in it. */
  readonly stack: string
}

const PLUGIN = 'kb-sync'
const MOST_OTHERS = 20

/** @param root absolute path of the project */
export function toOverlayError(failure: ContentFailure, root: string): OverlayError {
  const others = failure.diagnostics
    .slice(1)
    .map(({ file, line, column, message }) =>
      escapeControlInLine(`${resolve(root, file)}:${line}:${column} ${message}`),
    )
  const left = others.length - MOST_OTHERS
  const lines = [
    ...(others.length > 0 ? [`${failure.title}; the others:`] : []),
    ...others.slice(0, MOST_OTHERS),
    ...(left > 0 ? [`and ${left} more`] : []),
  ]
  const place = placed(failure)
  return {
    plugin: PLUGIN,
    ...place,
    // The overlay removes only the indent of the first line.
    frame: place.frame.replaceAll(/^ {2}/gm, ''),
    message: messageOf(failure.first),
    stack: lines.join('\n'),
  }
}

/** Converts a failure outside of the content, such as an invalid configuration. */
export function thrownOverlay(error: unknown): OverlayError {
  return { plugin: PLUGIN, message: explainThrown(error), stack: '' }
}

function placed({ first }: ContentFailure): Omit<ViteError, 'message' | 'stack'> {
  const { file, line, column, frame } = first
  return { id: file, loc: { file, line, column }, frame: frame === '' ? '' : `${frame}\n` }
}

function messageOf({ message, code, hint }: ContentFailure['first']): string {
  return escapeControl(`${message} [${code}]${hint === undefined ? '' : `\nhint: ${hint}`}`)
}

/** Returns the error that fails a build: an external failure without a stack, a bug unchanged. */
export function toThrownError(error: unknown): Error | { readonly message: string; readonly stack: string } {
  if (error instanceof Error && !(error instanceof KbError)) return error
  return { message: explainThrown(error), stack: '' }
}

/** Returns the message of any thrown value. */
export function explainThrown(error: unknown): string {
  if (error instanceof KbError) return escapeControl(explainSyncFailure(error))
  return escapeControl(error instanceof Error ? error.message : String(error))
}
