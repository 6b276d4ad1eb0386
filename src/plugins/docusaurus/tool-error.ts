import { KbError } from '../../core/errors/kb-error.ts'

/** An error about a text, not a program, so that its stack is useless. */
export function withoutStack(message: string, cause?: unknown): Error {
  const error = cause === undefined ? new Error(message) : new Error(message, { cause })
  error.stack = message
  return error
}

/** The error for Docusaurus: message and hint of a failure. A bug keeps its stack. */
export function asToolError(error: unknown): unknown {
  if (!(error instanceof KbError)) return error
  const hint = error.hint === undefined ? '' : `\n${error.hint}`
  return withoutStack(`kb-sync: ${error.message}${hint}`, error.cause)
}
