import type { RequestCounts } from '../../api/client/request-counter.ts'
import { ERRORS } from '../../core/errors/catalogue.ts'
import { EXIT, type ExitCode } from '../../core/errors/exit-codes.ts'
import type { Finding, FindingStatus } from './finding.ts'

export interface DoctorReport {
  /** Name of the target; undefined if none could be selected. */
  readonly target: string | undefined
  readonly findings: readonly Finding[]
  readonly requests: RequestCounts
}

export function summariseFindings(findings: readonly Finding[]) {
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
 * Returns the error that determines the exit code: an invalid configuration, then an unusable target, then any other
 * one; undefined if there is none.
 */
export function worstFinding(findings: readonly Finding[]): Finding | undefined {
  const errors = findings.filter(({ status }) => status === 'error')
  return errors.toSorted((a, b) => WORST_FIRST.indexOf(exitOf(a)) - WORST_FIRST.indexOf(exitOf(b)))[0]
}

/** Returns the exit code. Warnings do not count as a failure. */
export function exitCodeOfFindings(findings: readonly Finding[]): ExitCode {
  const worst = worstFinding(findings)
  return worst === undefined ? EXIT.done : exitOf(worst)
}

function exitOf({ code }: Finding): ExitCode {
  return code === undefined ? EXIT.failed : ERRORS[code].exit
}

/** The results of the checks of a target. */
export interface TargetFindings {
  readonly findings: readonly Finding[]
  readonly requests: RequestCounts
  /** The reason why the target cannot be probed; undefined if it can. */
  readonly obstacle: string | undefined
}
