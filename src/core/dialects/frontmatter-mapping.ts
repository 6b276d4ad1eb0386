import type { Frontmatter } from '../model/document.ts'
import type { SiteFile } from './dialect.ts'
import type { PresetName } from './dialects.ts'

/** The keys of a file's frontmatter as they are written. */
export type FrontmatterData = Readonly<Record<string, unknown>>

/** What a user's function is told beside the frontmatter itself. */
export interface FrontmatterFile {
  /** Path under the content folder, with `/`. */
  readonly source: string
  /** What the preset makes of the frontmatter; without a preset, the frontmatter as it is written. */
  readonly mapped: FrontmatterData
}

/** Makes kb-sync's frontmatter of what a file has; must not wait for anything. */
export type ReadFrontmatter = (data: FrontmatterData, file: FrontmatterFile) => FrontmatterData

/** What a user's function is told when frontmatter is written. */
export interface WrittenFrontmatterFile {
  /** Path under the content folder, with `/`. */
  readonly source: string
  /** What the file has now; empty where it is new. */
  readonly data: FrontmatterData
}

/** Fields to be written; null for one that is to go. */
export type FrontmatterFields = { readonly [Key in keyof Frontmatter]?: Frontmatter[Key] | null }

/** Names the keys that are to be written for some fields; null takes a key out. */
export type WriteFrontmatter = (fields: FrontmatterFields, file: WrittenFrontmatterFile) => FrontmatterData

/** How frontmatter is read that is not kb-sync's own. */
export interface FrontmatterMapping {
  readonly preset: PresetName | undefined
  /** Languages that a folder or the name of a file may say, the default one first. */
  readonly languages: readonly string[]
  /** Frontmatter of the pages of sections that hand values down to others, by source. */
  readonly sections?: readonly SiteFile[] | undefined
  /** The content folder's own name. */
  readonly folderName: string
  readonly read: ReadFrontmatter | undefined
  readonly write: WriteFrontmatter | undefined
}
