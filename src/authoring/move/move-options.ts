import type { Settings } from '../../core/config/settings.ts'
import type { LinkChange } from './rewrite-file.ts'

export interface MoveFilesOptions {
  readonly settings: Settings
  /** Folder that `from` and `to` are relative to; where there is nothing, the content folder. */
  readonly cwd: string
  readonly from: string
  /** New path; a folder that exists, or ends with `/`, takes the file or folder in. */
  readonly to: string
  /** Decides everything and writes nothing. */
  readonly dryRun?: boolean | undefined
  /** Whether articles may get another slug, and so another address, from their new name. Default: false. */
  readonly newSlug?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

/** A file in which something was changed. */
export interface ChangedFile {
  /** Relative to the project, with `/`; a moved file's new path. */
  readonly file: string
  readonly links: readonly LinkChange[]
  /** Slug that was written into its frontmatter: the old one, so that its address stays, or with `newSlug` the new one. */
  readonly slug?: string
  /** With the frontmatter of a tool, or the user's own: the keys that say it there, with their values. */
  readonly slugKeys?: Readonly<Record<string, unknown>>
  /** What `translationOf` names now. */
  readonly translationOf?: string
}

/** Something that should change and that only a person can. */
export interface LeftOver {
  /** Relative to the project, with `/`. */
  readonly file: string
  /** What and why, a sentence without full stop. */
  readonly reason: string
}

export interface MoveResult {
  /** Both relative to the project, with `/`. */
  readonly from: string
  readonly to: string
  /** Files that were moved. */
  readonly moved: number
  /** Whether they were at their new place before, and only links were left to do. */
  readonly wasMoved: boolean
  readonly dryRun: boolean
  readonly files: readonly ChangedFile[]
  readonly left: readonly LeftOver[]
}
