import type { ErrorCode } from '../../core/errors/catalogue.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import type { CheckName } from './checks.ts'
import { pluralize } from '../../core/pluralize.ts'

/** `unknown`: only a write could show it; `skipped`: an earlier check failed. */
export type FindingStatus = 'ok' | 'warning' | 'error' | 'unknown' | 'skipped'

export interface Finding {
  readonly check: CheckName
  readonly status: FindingStatus
  readonly message: string
  readonly hint?: string
  /** Set if the cause is an error of the catalogue. */
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

/** Returns the finding for a KbError or a file system error. Any other error is a bug and is thrown again. */
export function failureOf(check: CheckName, error: unknown): Finding {
  if (error instanceof KbError) return { ...failure(check, error.message, error.hint), code: error.code }
  if (error instanceof Error && 'syscall' in error) return failure(check, error.message)
  throw error
}

/** Returns the result of a check, or a finding if the check throws. */
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

/** Returns the finding for a target that keeps HTML comments, or removes them. */
export function judgeComments(check: CheckName, isKept: boolean): Finding {
  return isKept
    ? ok(check, 'the target keeps comments, so every checkout recognises the articles by their marker')
    : warning(
        check,
        'The target removes comments from the HTML, including markers. Without .kb/state, an article that was edited there counts as foreign, and an article of another project that equals your file counts as yours.',
        'In CI, keep .kb/state between runs: nothing else shows which articles are yours.',
      )
}

/** Maximum number of names in a message. */
const NAMED = 10

/** Lists names, as in `Guides, Accounts and 3 more`. */
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

/** Formats a duration in the largest unit that fits: `3 hours`, `900 ms`. */
export function spelledDuration(ms: number): string {
  const unit = UNITS.find(([, size]) => ms >= size)
  return unit === undefined ? `${Math.round(ms)} ms` : pluralize(Math.round(ms / unit[1]), unit[0])
}

/** The finding for a target that gives the slug of a deleted article to no other one, and cannot update articles. */
export function slugsStayTaken(check: CheckName): Finding {
  return warning(
    check,
    'The target keeps the slug of a deleted article, so an article cannot be replaced at its URL.',
    'Change such articles on the target. If it frees slugs, for example when its trash is emptied, delete .kb/state after that, unless it removes comments.',
  )
}
