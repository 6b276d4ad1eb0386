import type { Settings } from '../../core/config/settings.ts'
import type { LinkChange } from './rewrite-file.ts'

export interface MoveFilesOptions {
  readonly settings: Settings
  /** Folder for relative `from` and `to`. A path that does not exist there is relative to the content folder. */
  readonly cwd: string
  readonly from: string
  /** New path. If it is an existing folder, or ends with `/`, the file or folder moves into it. */
  readonly to: string
  /** Decides everything but writes nothing. */
  readonly dryRun?: boolean | undefined
  /** True to allow new slugs, and so new URLs, derived from the new names. Default: false. */
  readonly newSlug?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

export interface ChangedFile {
  /** Relative to the project, with `/`; the new path of a moved file. */
  readonly file: string
  readonly links: readonly LinkChange[]
  /** Slug that was written into its frontmatter: the old one, which keeps the URL, or with `newSlug` the new one. */
  readonly slug?: string
  /** The keys for the slug and their values, in frontmatter of a tool or in the user's own format. */
  readonly slugKeys?: Readonly<Record<string, unknown>>
  /** With `newSlug`: the new value of `aliases`, which contains the old slug. */
  readonly aliases?: readonly string[]
  /** The new value of `translationOf`. */
  readonly translationOf?: string
  /** The new value of `seoBannerUrl`. */
  readonly seoBannerUrl?: string
}

/** A necessary change that only a person can make. */
export interface LeftOver {
  /** Relative to the project, with `/`. */
  readonly file: string
  /** The change and its reason, a sentence without a full stop. */
  readonly reason: string
}

export interface MoveResult {
  /** Both relative to the project, with `/`. */
  readonly from: string
  readonly to: string
  readonly moved: number
  /** True if they were already at their new path, so that only links were updated. */
  readonly wasMoved: boolean
  readonly dryRun: boolean
  readonly files: readonly ChangedFile[]
  readonly left: readonly LeftOver[]
}
