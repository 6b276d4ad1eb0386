import { ERRORS, type ErrorCode } from './catalogue.ts'
import type { ExitCode } from './exit-codes.ts'

interface Position {
  readonly line: number
  readonly column: number
}

interface ErrorPlace extends Position {
  /** Absolute. */
  readonly file: string
  readonly end?: Position
}

interface KbErrorOptions {
  /** The next step for the user, in one sentence. */
  readonly hint?: string
  /** Locations in files that the message refers to. */
  readonly places?: readonly ErrorPlace[]
  readonly cause?: unknown
}

/**
 * An external failure, neither a problem in the content nor a bug. `message` says what happened, why, and the state of
 * the data; `hint` says what to do next.
 *
 * @example
 * ```js
 * import { createKb, KbError } from 'kb-sync'
 *
 * const { sync } = createKb({ cwd: '/path/to/project' })
 * try {
 *   await sync({ target: 'nowhere' })
 * } catch (error) {
 *   if (!(error instanceof KbError)) throw error
 *   console.log(error.code, error.exitCode) // prints TARGET_UNKNOWN 2
 * }
 * ```
 */
export class KbError extends Error {
  override readonly name = 'KbError'
  readonly code: ErrorCode
  readonly hint: string | undefined
  readonly places: readonly ErrorPlace[]

  constructor(code: ErrorCode, message: string, options: KbErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.hint = options.hint
    this.places = options.places ?? []
  }

  get exitCode(): ExitCode {
    return ERRORS[this.code].exit
  }
}

/** Handles a rejection: returns `fallback` for an external failure, and throws bugs. */
export function ifKbError<const Fallback>(fallback: Fallback): (error: unknown) => Fallback {
  return (error) => {
    if (error instanceof KbError) return fallback
    throw error
  }
}

/** Like `reasonOf`, without the operating system's code and paths, for messages that name the file themselves. */
export function reasonWithoutPath(error: unknown): string {
  const reason = reasonOf(error)
  const hasPath = error instanceof Error && 'syscall' in error && 'path' in error
  return hasPath
    ? reason
        .replace(/^[A-Z][A-Z\d]+: /, '')
        .replace(`, ${String(error.syscall)} `, '\0')
        .split('\0', 1)
        .join('')
    : reason
}

/** Returns the message of a thrown value, to be used as the reason in another message. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
