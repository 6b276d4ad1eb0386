// What one file compiles to: everything that depends on its text and the settings alone, so that it can be kept by
// hash. Links between files are resolved later, when all files are known, as a linker does.
import type { Problem } from '../../core/model/diagnostic.ts'
import type { FieldPositions, Frontmatter, NamedTaxonomy } from '../../core/model/document.ts'
import type { ExternalLink, Slot } from './rendered-body.ts'

/** Raised with every change of what is kept, or of how a text is compiled, between two versions of the program. */
export const COMPILED_FORMAT = '3'

export interface CompiledMeta {
  /** Undefined where the frontmatter is not valid; then `problems` says why. */
  readonly frontmatter: Frontmatter | undefined
  readonly positions: FieldPositions
  /** What frontmatter that is not valid names all the same. */
  readonly named?: NamedTaxonomy | undefined
  readonly problems: readonly Problem[]
  /** Plain text, for the default excerpt. */
  readonly firstParagraph: string
  /** Digest of the HTML template. */
  readonly templateHash: string
  /** Digest of the text part of the projection. */
  readonly textHash: string
  /** False: a page of the site that is no article. Default: true. */
  readonly isArticle?: false
  /** True: the page of a section. Default: false. */
  readonly isSection?: true
  /** What joins it with its translations, where the file says it. */
  readonly translationKey?: string | undefined
  /** The address that the file gives itself in the site of a tool, where it does; see `routeOf`. */
  readonly route?: string | undefined
  /** The included files with the digests of their bytes ('' where one could not be read); undefined where none is. */
  readonly includes?: readonly IncludedFile[]
}

/** Source and digest. */
export type IncludedFile = readonly [source: string, hash: string]

export interface CompiledLinks {
  readonly slots: readonly Slot[]
  readonly externals: readonly ExternalLink[]
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
