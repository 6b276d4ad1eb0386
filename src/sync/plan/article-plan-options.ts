import type { TargetCapabilities } from './target-capabilities.ts'

export interface ArticlePlanOptions {
  /** `overwrite` covers edited articles of ours; a foreign article needs its slug in `adopt`. */
  readonly overwriteDrift: boolean
  /** Slugs of foreign articles that may become ours. */
  readonly adopt: ReadonlySet<string>
  readonly prune: boolean
  /** Ids that state knew and the target no longer has. */
  readonly goneIds: ReadonlySet<string>
  /** Keys of all documents, also of those that this run is not about. */
  readonly documentKeys: readonly string[]
  /** See `versionOf`: what was sent without learning an id. */
  readonly sentVersions: ReadonlySet<string>
  /** Whether the target keeps comments, and our markers with them; undefined until that was seen. */
  readonly keepsComments?: boolean | undefined
  readonly offers: TargetCapabilities
}
