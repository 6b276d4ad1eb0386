import type { ErrorCode } from '../../core/errors/catalogue.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import type { CheckName } from './checks.ts'

/** `unknown`: it could not be learned without writing; `skipped`: something before it stood in the way. */
export type FindingStatus = 'ok' | 'warning' | 'error' | 'unknown' | 'skipped'

/** What one check found. */
export interface Finding {
  readonly check: CheckName
  readonly status: FindingStatus
  readonly message: string
  /** What to do. */
  readonly hint?: string
  /** Where a failure of the catalogue is behind it. */
  readonly code?: ErrorCode
}

type MakeFinding = (check: CheckName, message: string, hint?: string) => Finding

const maker =
  (status: FindingStatus): MakeFinding =>
  (check, message, hint) => ({ check, status, message, ...(hint !== undefined && { hint }) })

export const ok = maker('ok')
export const warning = maker('warning')
export const failure = maker('error')
export const unknown = maker('unknown')
export const skipped = maker('skipped')

/** The finding for something thrown: a failure of the catalogue, or of the file system; a bug is thrown on. */
export function failureOf(check: CheckName, error: unknown): Finding {
  if (error instanceof KbError) {
    return { ...failure(check, error.message, error.hint), code: error.code }
  }
  if (error instanceof Error && 'syscall' in error) return failure(check, error.message)
  throw error
}

/** What a check finds, or that it could not look. */
export function guarded<Result extends Finding | Finding[]>(
  check: CheckName,
  look: () => Result,
): Finding | Result {
  try {
    return look()
  } catch (error) {
    return failureOf(check, error)
  }
}
