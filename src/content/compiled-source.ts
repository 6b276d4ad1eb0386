// What one file compiles to: everything that depends on its text and the settings alone, so that it can be kept by
// hash. Links between files are resolved later, when all files are known, as a linker does.
import type { Problem } from '../model/diagnostic.ts'
import type { FieldPositions, Frontmatter } from '../model/document.ts'
import type { Slot } from './markdown/rendered-body.ts'

export interface CompiledMeta {
  /** Undefined where the frontmatter is not valid; then `problems` says why. */
  readonly frontmatter: Frontmatter | undefined
  readonly positions: FieldPositions
  readonly problems: readonly Problem[]
  /** Plain text, for the default excerpt. */
  readonly firstParagraph: string
  /** Digest of the HTML template. */
  readonly templateHash: string
  /** Digest of the text part of the projection. */
  readonly textHash: string
}

export interface CompiledLinks {
  readonly slots: readonly Slot[]
  /** Link and image targets in order; a number is a slot. */
  readonly targets: readonly (string | number)[]
  /** Ids that a link into this file may name. */
  readonly anchors: readonly string[]
}

/** HTML segments; between two of them stands the target of a slot. */
export type CompiledHtml = readonly string[]

export interface CompiledSource {
  readonly meta: CompiledMeta
  readonly links: CompiledLinks
  readonly html: CompiledHtml
}
