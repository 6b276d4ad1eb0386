import type { Frontmatter } from '../model/document.ts'
import type { NavigationEntry, SiteFile } from './dialect.ts'
import type { PresetName } from './dialects.ts'

/** The frontmatter of a file as written. */
export type FrontmatterData = Readonly<Record<string, unknown>>

/** The context of a user function that reads frontmatter. */
export interface FrontmatterFile {
  /** Path under the content folder, with `/`. */
  readonly source: string
  /** The frontmatter as mapped by the preset; without a preset, as written. */
  readonly mapped: FrontmatterData
}

/** Converts a file's frontmatter to that of kb-sync. Must be synchronous. */
export type ReadFrontmatter = (data: FrontmatterData, file: FrontmatterFile) => FrontmatterData

/** The context of a user function that writes frontmatter. */
export interface WrittenFrontmatterFile {
  /** Path under the content folder, with `/`. */
  readonly source: string
  /** The current frontmatter of the file; empty if it is new. */
  readonly data: FrontmatterData
}

/** Fields to write; null removes a field. */
export type FrontmatterFields = { readonly [Key in keyof Frontmatter]?: Frontmatter[Key] | null }

/** Returns the keys to write for some fields; null removes a key. */
export type WriteFrontmatter = (fields: FrontmatterFields, file: WrittenFrontmatterFile) => FrontmatterData

/** How to read frontmatter that is not kb-sync's own. */
export interface FrontmatterMapping {
  readonly preset: PresetName | undefined
  /** Languages that folder or file names can contain, the default language first. */
  readonly languages: readonly string[]
  /** Frontmatter of section pages that pass values down, by source. */
  readonly sections?: readonly SiteFile[] | undefined
  /** Navigation of the site, which sets titles and order. */
  readonly navigation?: readonly NavigationEntry[] | undefined
  readonly folderName: string
  /** The path of the content folder in URLs, if it is not its name. */
  readonly urlFolder?: string | undefined
  readonly read: ReadFrontmatter | undefined
  readonly write: WriteFrontmatter | undefined
}
