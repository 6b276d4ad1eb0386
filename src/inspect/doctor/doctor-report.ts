import type { RequestCounts } from '../../api/client/request-counter.ts'
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

/** The results of the checks of a target. */
export interface TargetFindings {
  readonly findings: readonly Finding[]
  readonly requests: RequestCounts
  /** The reason why the target cannot be probed; undefined if it can. */
  readonly obstacle: string | undefined
}
