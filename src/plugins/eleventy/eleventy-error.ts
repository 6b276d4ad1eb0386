import { KbError } from '../../index.ts'
import { escapeControl } from '../../core/escape-control.ts'

/** An error that Eleventy prints without a stack, as it does with those that are its user's to mend. */
export function eleventyError(text: string, cause?: unknown): Error {
  const error = new Error(`kb-sync: ${text}`, cause === undefined ? {} : { cause })
  return Object.assign(error, { skipOriginalStack: true })
}

/** The same for a failure of the world; bugs are thrown on as they are. */
export function toEleventyError(error: unknown): unknown {
  if (!(error instanceof KbError)) return error
  const { message, hint } = error
  return eleventyError(escapeControl(hint === undefined ? message : `${message}\n${hint}`), error)
}
