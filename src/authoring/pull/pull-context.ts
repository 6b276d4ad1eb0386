import type { FileDigests } from '../../content/source/hash-sources.ts'
import type { FoundSources } from '../../content/source/find-sources.ts'
import type { TargetState } from '../../core/model/target-state.ts'
import type { OpenContent } from '../../sync/content-project.ts'
import type { TargetSession } from '../../sync/target-session.ts'

/** The data of one run. */
export interface PullContext {
  readonly open: OpenContent
  readonly found: FoundSources
  /** Digests of the articles' bytes by source. */
  readonly hashes: FileDigests
  readonly state: TargetState
  readonly session: TargetSession
}
