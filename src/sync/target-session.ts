import type { ApiClient } from '../api/client/create-client.ts'
import type { LocalTaxonomy } from '../core/model/taxonomy.ts'

/** What a target that creates missing categories and tags has made of the taxonomy files. */
export interface CreatedTaxonomy {
  readonly categories: readonly string[]
  readonly tags: readonly string[]
  /** By slug. */
  readonly categoryIds: Readonly<Record<string, string>>
  /** By name and by slug. */
  readonly tagIds: Readonly<Record<string, string>>
}

/** An open connection to a target. The built-in server and a remote one differ in these few points only. */
export interface TargetSession {
  readonly name: string
  readonly client: ApiClient
  /** Creates what the files list and the target lacks; undefined where the interface is all there is. */
  readonly createTaxonomy: ((taxonomy: LocalTaxonomy) => Promise<CreatedTaxonomy>) | undefined
  /** Whether it takes two articles with one slug, where that is known without trying. */
  readonly duplicateSlugs?: 'allowed' | 'refused'
  /** Whether it stores what is sent letter for letter, comments too, where that is known without trying. */
  readonly storesAsSent?: boolean
  /**
   * Whether it still leads to what it was opened for, as far as that can be told without asking; where left out, it
   * always does.
   */
  readonly isCurrent?: () => boolean
  /** Tells how often this session has raised the built-in database's revision counter. */
  readonly close: () => Promise<{ readonly ownRevisions: number }>
}

/** Opens the session when it is needed. */
export interface Connect {
  /** @param options `readOnly` promises that nothing will be written */
  (options: { readonly readOnly: boolean; readonly signal?: AbortSignal | undefined }): Promise<TargetSession>
  /**
   * Begins what takes long and changes nothing, for a session that will probably be asked for. What it returns ends
   * that again where no session was.
   */
  readonly prepare?: () => () => Promise<void>
}
