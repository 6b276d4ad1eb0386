import { KbError } from '../../core/errors/kb-error.ts'

/** An error whose place is in a text, not in a program: where it was made tells no one anything. */
export function withoutStack(message: string, cause?: unknown): Error {
  const error = cause === undefined ? new Error(message) : new Error(message, { cause })
  error.stack = message
  return error
}

/** What Docusaurus ends with: message and hint of a failure. A bug stays as it is, with its stack. */
export function asToolError(error: unknown): unknown {
  if (!(error instanceof KbError)) return error
  const hint = error.hint === undefined ? '' : `\n${error.hint}`
  return withoutStack(`kb-sync: ${error.message}${hint}`, error.cause)
}
