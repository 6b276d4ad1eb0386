import { THRESHOLDS, type ThresholdName } from '../../../core/model/threshold.ts'
import type { ExceededThreshold, ReportCounts } from '../../../web/report/report.ts'

export interface ThresholdOptions {
  readonly failOn: readonly ThresholdName[]
  /** Overdue articles that are allowed; naming a number is enough to have it judged. */
  readonly maxOverdue?: number | undefined
}

type JudgedCounts = Pick<ReportCounts, ThresholdName | 'acceptedOverdue' | 'acceptedBroken'>

/** The limits that were passed. What the baseline accepts does not count; where no number is allowed, one is too many. */
export function judgeThresholds(
  counts: JudgedCounts,
  { failOn, maxOverdue }: ThresholdOptions,
): readonly ExceededThreshold[] {
  return THRESHOLDS.flatMap((name) => {
    const isJudged = failOn.includes(name) || (name === 'overdue' && maxOverdue !== undefined)
    const allowed = name === 'overdue' ? (maxOverdue ?? 0) : 0
    const count = countOf(name, counts)
    return isJudged && count > allowed ? [{ name, count, allowed }] : []
  })
}

function countOf(name: ThresholdName, counts: JudgedCounts): number {
  switch (name) {
    case 'overdue':
      return counts.overdue - counts.acceptedOverdue
    case 'broken':
      return counts.broken - counts.acceptedBroken
    case 'due':
      return counts.due
  }
}
