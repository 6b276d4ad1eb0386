import type { ErrorCode } from '../../core/errors/catalogue.ts'
import { isOutOfSpace } from '../../core/error-code.ts'
import { KbError, reasonOf } from '../../core/errors/kb-error.ts'
import type { FileSettings } from '../../server/open-knowledge-base.ts'
import type { Seed, SeededIds } from '../../server/store/seed-store.ts'

/** The options of the built-in server. */
export interface BuiltinOptions {
  readonly db: string
  readonly languages: readonly string[]
  readonly articleLimit: number
  readonly articlePath: string
  readonly bodyLimitBytes: number
  readonly files: FileSettings
  readonly apiKey: string
}

export type ToServer =
  | { readonly kind: 'open'; readonly options: BuiltinOptions }
  | { readonly kind: 'seed'; readonly seed: Seed }
  | { readonly kind: 'close' }

export type FromServer =
  | { readonly kind: 'listening'; readonly url: string }
  | { readonly kind: 'seeded'; readonly seeded: SeededIds }
  | { readonly kind: 'closed'; readonly ownRevisions: number }
  | { readonly kind: 'failed'; readonly failure: PlainFailure }

/** An error in a form that can be sent between threads, where classes are lost. */
interface PlainFailure {
  readonly code: ErrorCode | undefined
  readonly message: string
  readonly hint: string | undefined
}

export function toPlainFailure(error: unknown): PlainFailure {
  if (error instanceof KbError) return { code: error.code, message: error.message, hint: error.hint }
  const message = reasonOf(error)
  if (!isOutOfSpace(error)) return { code: undefined, message, hint: undefined }
  return {
    code: 'DATABASE_UNUSABLE',
    message: `The database could not be written: ${message}.`,
    hint: 'Free some disk space, and run the command again.',
  }
}

export function fromPlainFailure({ code, message, hint }: PlainFailure): Error {
  return code === undefined
    ? new Error(message)
    : new KbError(code, message, hint === undefined ? {} : { hint })
}
