import type { ApiClient } from '../api/client/create-client.ts'
import type { Settings, TargetSettings } from '../core/config/settings.ts'
import type { LocalTaxonomy } from '../core/model/taxonomy.ts'

/** The categories and tags that a target has created from the taxonomy files. */
export interface CreatedTaxonomy {
  readonly categories: readonly string[]
  readonly tags: readonly string[]
  /** By slug. */
  readonly categoryIds: Readonly<Record<string, string>>
  /** By name and by slug. */
  readonly tagIds: Readonly<Record<string, string>>
}

/** An open connection to a target. Only these few properties differ between the built-in server and others. */
export interface TargetSession {
  readonly name: string
  readonly client: ApiClient
  /** Creates the entries of the files that the target lacks; undefined if the target offers only the API. */
  readonly createTaxonomy: ((taxonomy: LocalTaxonomy) => Promise<CreatedTaxonomy>) | undefined
  /** Set if it is known in advance whether two articles may have the same slug. */
  readonly duplicateSlugs?: 'allowed' | 'refused'
  /** Set if it is known in advance that the target stores exactly what is sent, including comments. */
  readonly storesAsSent?: boolean
  /** Checks, without a request, whether the session still belongs to its target. If undefined, it always does. */
  readonly isCurrent?: () => boolean
  /** Returns how often this session has raised the built-in database's revision counter. */
  readonly close: () => Promise<{ readonly ownRevisions: number }>
}

export interface Connect {
  /** @param options `readOnly`: nothing will be written */
  (options: { readonly readOnly: boolean; readonly signal?: AbortSignal | undefined }): Promise<TargetSession>
  /**
   * Starts slow preparations without side effects, for a session that will probably be opened. The returned function
   * cleans up if no session was opened.
   */
  readonly prepare?: () => () => Promise<void>
}

export type Progress = (phase: 'render' | 'links' | 'copy' | 'send', done: number, total: number) => void

/** The settings, the target and the clock of a run, and its connection. */
export interface TargetRun {
  readonly settings: Settings
  readonly target: TargetSettings
  readonly connect: Connect
  readonly now: () => Date
  readonly sleep: (ms: number) => Promise<void>
  readonly onProgress?: Progress | undefined
  readonly signal?: AbortSignal | undefined
}
