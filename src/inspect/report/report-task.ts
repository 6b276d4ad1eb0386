import type { BaselineUse } from '../check/baseline/baseline-file.ts'
import type { ExternalOptions } from '../check/external/check-external-links.ts'
import type { TargetRun } from '../../sync/target-session.ts'
import type { ThresholdName } from '../../core/model/threshold.ts'
import type { OwnerSource, OwnersShown } from '../../web/report/report.ts'

/** The options of a report, with its clock and connections. */
export interface ReportTask extends TargetRun {
  /** Articles and folders, by their path under the content folder, that it is about; undefined: all on the target. */
  readonly sources: readonly string[] | undefined
  readonly dueWithinDays: number
  readonly thresholds: { readonly failOn: readonly ThresholdName[]; readonly maxOverdue: number | undefined }
  /** Patterns of addresses that are left out. */
  readonly ignoredLinks: readonly string[]
  readonly baseline: BaselineUse | undefined
  /** Undefined: no one is named. */
  readonly owners: { readonly shown: OwnersShown; readonly from: OwnerSource } | undefined
  /** Asks other sites now; undefined: what was seen earlier is all there is. */
  readonly external: ExternalOptions | undefined
  readonly keepsHistory: boolean
  readonly env: Readonly<Record<string, string | undefined>>
}
