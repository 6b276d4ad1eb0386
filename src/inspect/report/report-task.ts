import type { BaselineUse } from '../check/baseline/baseline-file.ts'
import type { ExternalOptions } from '../check/external/check-external-links.ts'
import type { TargetRun } from '../../sync/target-session.ts'
import type { ThresholdName } from '../../core/model/threshold.ts'
import type { OwnerSource, OwnersShown } from '../../web/report/report.ts'

/** The options of a report, with its clock and connections. */
export interface ReportTask extends TargetRun {
  /** The articles and folders of the report, by their path in the content folder; undefined: all on the target. */
  readonly sources: readonly string[] | undefined
  readonly dueWithinDays: number
  readonly thresholds: { readonly failOn: readonly ThresholdName[]; readonly maxOverdue: number | undefined }
  /** Patterns of URLs that the report omits. */
  readonly ignoredLinks: readonly string[]
  readonly baseline: BaselineUse | undefined
  /** Undefined: owners are not shown. */
  readonly owners: { readonly shown: OwnersShown; readonly from: OwnerSource } | undefined
  /** Requests external links now; undefined: uses only stored results. */
  readonly external: ExternalOptions | undefined
  readonly keepsHistory: boolean
  readonly env: Readonly<Record<string, string | undefined>>
}
