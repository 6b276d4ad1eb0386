import type { ApiClient } from '../../api/client/create-client.ts'
import type { RemoteTargetSettings, Settings } from '../../core/config/settings.ts'
import type { TargetState } from '../../core/model/target-state.ts'
import type { RemoteLists } from '../../sync/remote/list-articles.ts'
import type { CheckedFiles } from './checks/check-files.ts'

/** What the checks of a target's capabilities are made from. */
export interface TargetFacts {
  readonly client: ApiClient
  readonly target: RemoteTargetSettings
  readonly settings: Settings
  readonly lists: RemoteLists
  /** Names of the extensions; undefined where the target gave no answer. */
  readonly extensions: readonly string[] | undefined
  readonly state: TargetState
  /** Undefined where the files could not be read. */
  readonly content: CheckedFiles['content']
}
