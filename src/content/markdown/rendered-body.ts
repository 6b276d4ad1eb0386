import type { SourceRange, Problem } from '../../core/model/diagnostic.ts'
import type { OwnElements } from '../../core/model/element-mapping.ts'
import type { FrontmatterData, FrontmatterMapping } from '../../core/dialects/frontmatter-mapping.ts'
import type { PresetName } from '../../core/dialects/dialects.ts'
import type { SiteFile } from '../../core/dialects/dialect.ts'
import type { LineMap } from '../includes/line-map.ts'
import type { ParserOptions } from '../parser/resolve-parser.ts'
import type { Root } from 'hast'
import type { Root as Mdast } from 'mdast'
import type { IgnoredLines } from './ignore-comments.ts'
import type { SourceRanges } from './source-ranges.ts'
import type { FieldPositions, Frontmatter, NamedTaxonomy } from '../../core/model/document.ts'

/** What the user's configuration says about Markdown. */
export interface MarkdownOptions extends ParserOptions {
  /** Tag names, and attribute names by tag name (`*` for every tag), in addition to what is allowed anyway. */
  readonly allow: {
    readonly tags?: readonly string[]
    readonly attributes?: Readonly<Record<string, readonly string[]>>
  }
  /** Whether code with a language is marked up for colours. Default false. */
  readonly highlight?: boolean
  /** Whose Markdown the texts are in; undefined: plain. */
  readonly dialect?: PresetName | undefined
  /** What becomes of the project's own components and shortcodes. */
  readonly elements?: OwnElements | undefined
  /** The configuration of the tool's site, as far as texts may show what it says. */
  readonly siteFiles?: readonly SiteFile[] | undefined
  /** How frontmatter is read that is not kb-sync's own; undefined: it is. */
  readonly frontmatter?: FrontmatterMapping | undefined
}

export interface MarkdownInput {
  /** The text below the frontmatter, without byte order mark. */
  readonly body: string
  /** The article's title: a leading heading that says the same is not sent twice. Undefined: the text has it. */
  readonly title: string | undefined
  /** Its frontmatter as it is written: a text may show what that says. */
  readonly data?: FrontmatterData | undefined
  /** The file, for plugins and their failures. */
  readonly source?: string
  /** Lines of the file before the body. */
  readonly lineOffset: number
  /** Lower-case letters and digits that no author can foresee: a digest of the file. */
  readonly nonce: string
  /** Where `body` was put together from several files. */
  readonly lines?: LineMap | undefined
}

/**
 * A place in the HTML where the address of another file or an image stands, to be filled in by `joinTemplate`. The address
 * is relative to `source`, where that is named.
 */
export interface Slot extends SourceRange {
  readonly kind: 'link' | 'image' | 'media'
  /** As it stands in the attribute: percent-encoded where Markdown wrote it, as written in raw HTML. */
  readonly url: string
}

/** A link, or an image, on another site. */
export interface ExternalLink extends SourceRange {
  /** With `http:` or `https:`, or from the host on (`//example.com`). */
  readonly url: string
}

export interface Heading extends SourceRange {
  /** '' where the text has no letter or digit to make an id of. */
  readonly id: string
  readonly depth: number
  readonly text: string
}

/** The template of one article's HTML: what can be known from its own text. Plain data, so that it can be cached. */
export interface RenderedBody {
  /** Between segments i and i + 1 stands the address of slot i. */
  readonly html: readonly string[]
  /** In the order of their appearance in the HTML. */
  readonly slots: readonly Slot[]
  readonly externals: readonly ExternalLink[]
  readonly headings: readonly Heading[]
  /** Every id that a link may point at, see `findAnchor`. */
  readonly anchors: readonly string[]
  /** The first heading of level 1, where the text was to say its title and has one. */
  readonly leadingTitle?: string | undefined
  /** Plain text of the first paragraph, '' where there is none. */
  readonly firstParagraph: string
  /** See `projectHast`. */
  readonly textHash: string
  /** Link and image targets in order; a number stands for the address of that slot. See `hashProjection`. */
  readonly targets: readonly (string | number)[]
  /** In the order of the text, positions in the file. */
  readonly problems: readonly Problem[]
  /** Lines in which comments turn rules off; undefined where there are none. */
  readonly ignored?: readonly IgnoredLines[]
}

/** One article's text in the forms that rules check. */
export interface BodyView {
  /** As the author wrote it, after the user's plugins. */
  readonly mdast: Mdast
  /** As it is sent: cleaned, and without the title. */
  readonly tree: Root
  /** Whether raw HTML stands in the text; without it, `tree` holds nothing that `mdast` does not say. */
  readonly hasRaw: boolean
  /** Whether the first heading says what the title says, and is not sent. */
  readonly isTitleDropped: boolean
  readonly body: string
  readonly source: string | undefined
  /** Whether `body` was written in another Markdown, so that the ends of its lines are no one's. */
  readonly isRewritten: boolean
  readonly ranges: SourceRanges
}

// What one file compiles to: everything that depends on its text and the settings alone, so that it can be kept by
// hash. Links between files are resolved later, when all files are known, as a linker does.

/** Raised with every change of what is kept, or of how a text is compiled, between two versions of the program. */
export const COMPILED_FORMAT = '5'

export interface CompiledMeta {
  /** Undefined where the frontmatter is not valid; then `problems` says why. */
  readonly frontmatter: Frontmatter | undefined
  readonly positions: FieldPositions
  /** What frontmatter that is not valid names all the same. */
  readonly named?: NamedTaxonomy | undefined
  readonly problems: readonly Problem[]
  /** See `RenderedBody`. */
  readonly ignored?: readonly IgnoredLines[] | undefined
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

/** One file after compilation; links and HTML stay in the cache under `inputKey`. */
export interface CompiledArticle {
  readonly source: string
  readonly sourceHash: string | undefined
  readonly inputKey: string
  readonly meta: CompiledMeta
}

/** Where compiled files are kept, by `inputKey`. */
export interface CompiledTexts {
  /** @throws when the key is not there: only keys whose meta was read or stored may be asked for */
  readonly readLinks: (key: string) => CompiledLinks
  readonly readHtml: (key: string) => CompiledHtml
}
