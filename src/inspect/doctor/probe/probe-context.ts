import type { ApiClient } from '../../../api/client/create-client.ts'

export interface ProbeContext {
  /** Not ended by a signal: what was made must be removed even then. */
  readonly client: ApiClient
  readonly defaultLanguage: string
  /** How long the target's lists may lag behind, as configured. */
  readonly settleMs: number
  /** Ids of articles that state knows: none of them is a probe's. */
  readonly knownIds: ReadonlySet<string>
  readonly now: () => Date
  readonly sleep: (ms: number) => Promise<void>
  readonly randomToken: () => string
  readonly signal?: AbortSignal | undefined
}
