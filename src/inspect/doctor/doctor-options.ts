import type { RemoteTargetSettings, Settings, TargetSettings } from '../../core/config/settings.ts'
import type { Connect } from '../../sync/target-session.ts'
import type { ApiClient } from '../../api/client/create-client.ts'
import type { TargetState } from '../../core/model/target-state.ts'
import type { RemoteLists } from '../../sync/remote/list-articles.ts'
import type { CheckedFiles } from './checks/check-files.ts'

/** The contents of the built-in server's database. */
export interface DatabaseReport {
  readonly articles: number
  /** Undefined if the configured limit applies. */
  readonly articleLimit: number | undefined
  readonly languages: readonly string[]
}

export interface RunDoctorOptions {
  /** The project's folder. */
  readonly cwd: string
  readonly configFile?: string | undefined
  /** Name of a target of the configuration. */
  readonly targetName?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** Tests the target with a hidden draft, which is removed afterwards. */
  readonly probe: boolean
  readonly connect: (target: TargetSettings, settings: Settings) => Connect
  /**
   * Checks the built-in server's database without changing it; undefined if it has no tables yet.
   *
   * @throws KbError DATABASE_UNUSABLE, DATABASE_NEWER
   */
  readonly inspectDatabase: (db: string) => Promise<DatabaseReport | undefined>
  readonly now: () => Date
  readonly sleep: (ms: number) => Promise<void>
  /** 32 random hex characters. */
  readonly randomToken: () => string
  readonly onPhase?: ((phase: DoctorPhase) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** The slow phases, for progress messages. */
export type DoctorPhase = 'files' | 'target' | 'probe'

/** The input of the checks of a target's capabilities. */
export interface TargetFacts {
  readonly client: ApiClient
  readonly target: RemoteTargetSettings
  readonly settings: Settings
  readonly lists: RemoteLists
  /** Names of the extensions; undefined if the target did not respond. */
  readonly extensions: readonly string[] | undefined
  readonly state: TargetState
  /** Undefined if the files could not be read. */
  readonly content: CheckedFiles['content']
}
