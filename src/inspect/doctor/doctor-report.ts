import type { RequestCounts } from '../../api/client/request-counter.ts'
import { ERRORS } from '../../core/errors/catalogue.ts'
import { EXIT, type ExitCode } from '../../core/errors/exit-codes.ts'
import type { Finding, FindingStatus } from './finding.ts'

export interface DoctorReport {
  /** Name of the target; undefined where none could be chosen. */
  readonly target: string | undefined
  readonly findings: readonly Finding[]
  readonly requests: RequestCounts
}

interface DoctorSummary {
  readonly ok: number
  readonly warnings: number
  readonly errors: number
  readonly unknown: number
  readonly skipped: number
}

export function summariseFindings(findings: readonly Finding[]): DoctorSummary {
  const count = (wanted: FindingStatus) => findings.filter(({ status }) => status === wanted).length
  return {
    ok: count('ok'),
    warnings: count('warning'),
    errors: count('error'),
    unknown: count('unknown'),
    skipped: count('skipped'),
  }
}

const WORST_FIRST: readonly ExitCode[] = [EXIT.usage, EXIT.target, EXIT.failed]

/**
 * The finding that decides the exit code: a broken configuration before a target that cannot be had, and any other
 * error last; undefined where there is no error.
 */
export function worstFinding(findings: readonly Finding[]): Finding | undefined {
  const errors = findings.filter(({ status }) => status === 'error')
  return errors.toSorted((a, b) => WORST_FIRST.indexOf(exitOf(a)) - WORST_FIRST.indexOf(exitOf(b)))[0]
}

/** Warnings alone are no failure. */
export function exitCodeOfFindings(findings: readonly Finding[]): ExitCode {
  const worst = worstFinding(findings)
  return worst === undefined ? EXIT.done : exitOf(worst)
}

function exitOf({ code }: Finding): ExitCode {
  return code === undefined ? EXIT.failed : ERRORS[code].exit
}

/** What looking at a target has shown. */
export interface TargetFindings {
  readonly findings: readonly Finding[]
  readonly requests: RequestCounts
  /** Why it cannot be probed; undefined where it can. */
  readonly obstacle: string | undefined
}
