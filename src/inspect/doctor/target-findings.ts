import type { RequestCounts } from '../../api/client/request-counter.ts'
import type { Finding } from './finding.ts'

/** What looking at a target has shown. */
export interface TargetFindings {
  readonly findings: readonly Finding[]
  readonly requests: RequestCounts
  /** Why it cannot be probed; undefined where it can. */
  readonly obstacle: string | undefined
}
