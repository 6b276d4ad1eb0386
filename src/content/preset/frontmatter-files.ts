import type { FrontmatterFields } from '../../core/model/frontmatter-mapping.ts'
import type { Frontmatter } from '../../core/model/document.ts'
import type { SplitFile } from '../frontmatter/split-frontmatter.ts'
import type { PositionedYaml } from '../frontmatter/yaml-positions.ts'
import type { InheritValues } from './inherited-values.ts'
import type { MappedFrontmatter } from './map-frontmatter.ts'

/** A file's text after its frontmatter was written. */
export interface WrittenFile {
  readonly text: string
  /** Fields that would not be read back as they are wanted, so that nothing was written for them. */
  readonly unwritten: readonly (keyof Frontmatter)[]
}

/** Files whose frontmatter is that of a tool, or the user's own. */
export interface FrontmatterFiles {
  /** @param text without byte order mark */
  readonly split: (text: string) => SplitFile
  readonly map: (yaml: PositionedYaml, source: string) => MappedFrontmatter
  readonly inherit: InheritValues
  /** Whether a file is the page of a section: its text may belong to the category that the folder becomes. */
  readonly isSection: (source: string) => boolean
  /** The slug of a file that says nothing of it. */
  readonly slugOf: (source: string) => string
  /** Changes fields of a file, given as its whole text. @param former where it was until now */
  readonly edit: (text: string, fields: FrontmatterFields, source: string, former?: string) => WrittenFile
  /** A new file. */
  readonly create: (fields: Frontmatter, body: string, source: string) => WrittenFile
}
