import type { ErrorCode } from '../../core/errors/catalogue.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import type { CheckName } from './checks.ts'
import { pluralize } from '../../core/pluralize.ts'

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

/** What it means that a target keeps HTML comments, or does not. */
export function judgeComments(check: CheckName, isKept: boolean): Finding {
  return isKept
    ? ok(check, 'the target keeps comments, so every checkout recognises the articles by their marker')
    : warning(
        check,
        'The target removes comments from the HTML, including markers. Without .kb/state, an article that was edited there counts as foreign, and an article of another project that equals your file counts as yours.',
        'In CI, keep .kb/state between runs: nothing else shows which articles are yours.',
      )
}

/** How many names of a long list are given. */
const NAMED = 10

/** `Guides, Accounts and 3 more`. */
export function listed(names: readonly string[]): string {
  const rest = names.length - NAMED
  return rest <= 1 ? names.join(', ') : `${names.slice(0, NAMED).join(', ')} and ${rest} more`
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** `3 hours`, `900 ms`: the largest unit that fits. */
export function spelledDuration(ms: number): string {
  const unit = UNITS.find(([, size]) => ms >= size)
  return unit === undefined ? `${Math.round(ms)} ms` : pluralize(Math.round(ms / unit[1]), unit[0])
}
