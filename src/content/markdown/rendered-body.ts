import type { RenderSettings } from '../../core/config/settings.ts'
import type { SourceRange, Problem, Span } from '../../core/model/diagnostic.ts'
import type { FrontmatterData } from '../../core/dialects/frontmatter-mapping.ts'
import type { AssetUse } from '../assets/asset-types.ts'
import type { LineMap } from '../includes/line-map.ts'
import type { ParserOptions } from '../parser/resolve-parser.ts'
import type { Root } from 'hast'
import type { Root as Mdast } from 'mdast'
import type { IgnoredLines } from './ignore-comments.ts'
import type { SourceRanges } from './source-ranges.ts'
import type { FieldPositions, Frontmatter, NamedTaxonomy } from '../../core/model/document.ts'

export interface MarkdownOptions
  extends ParserOptions, Omit<RenderSettings, keyof ParserOptions | 'allow' | 'highlight'> {
  /** Tag names, and attribute names by tag name (`*` for every tag), that are allowed in addition to the defaults. */
  readonly allow: {
    readonly tags?: readonly string[]
    readonly attributes?: Readonly<Record<string, readonly string[]>>
  }
  /** Highlights code with a language. Default: false. */
  readonly highlight?: boolean
}

export interface MarkdownInput {
  /** The text after the frontmatter, without byte order mark. */
  readonly body: string
  /** The article's title; an equal first heading is not sent. Undefined: the text contains the title. */
  readonly title: string | undefined
  /** True if only a heading at the start of the text is the title. */
  readonly titleStartsText?: boolean | undefined
  /** Its frontmatter as written, because the text may show its values. */
  readonly data?: FrontmatterData | undefined
  /** The file, for plugins and their error messages. */
  readonly source?: string
  /** Number of lines before the body. */
  readonly lineOffset: number
  /** Lower-case letters and digits that no author can predict: a digest of the file. */
  readonly nonce: string
  /** Set if `body` consists of several files. */
  readonly lines?: LineMap | undefined
}

/** A link or an image, with the range of its URL. */
export interface LocatedUrl extends SourceRange {
  readonly url: string
  /** Range of the URL in the definition of a reference, in the same file. Undefined: the link's own range. */
  readonly definition?: Span
}

/**
 * A position in the HTML for the URL of another file or an image, which `joinTemplate` inserts. The URL is relative to
 * `source`, if that is set. It is as in the attribute: percent-encoded if it comes from Markdown, as written if it comes
 * from raw HTML.
 */
export interface Slot extends LocatedUrl {
  readonly kind: AssetUse
}

/** A link of an article, wherever it is. `external`: it has no slot. */
export interface WrittenLink extends Pick<Slot, 'url' | 'source'> {
  readonly kind: AssetUse | 'external'
}

export interface Heading extends SourceRange {
  /** '' if the text has no letter or digit for an id. */
  readonly id: string
  readonly depth: number
  readonly text: string
}

/** The template of an article's HTML: everything that depends only on its own text. Plain data, so it can be cached. */
export interface RenderedBody {
  /** The URL of slot i is between segments i and i + 1. */
  readonly html: readonly string[]
  /** In the order of the HTML. */
  readonly slots: readonly Slot[]
  /** Links to other sites, and those with another scheme such as `mailto:`. */
  readonly externals: readonly LocatedUrl[]
  readonly headings: readonly Heading[]
  /** Every id that a link can use, see `createAnchorIndex`. */
  readonly anchors: readonly string[]
  /** The first heading of level 1, if the text contains the title and has such a heading. */
  readonly leadingTitle?: string | undefined
  /** Plain text of the first paragraph; '' if there is none. */
  readonly firstParagraph: string
  /** See `projectHast`. */
  readonly textHash: string
  /** Link and image targets in order; a number is the index of a slot. See `hashProjection`. */
  readonly targets: readonly (string | number)[]
  /** In text order, with positions in the file. */
  readonly problems: readonly Problem[]
  /** Lines in which comments disable rules; undefined if there are none. */
  readonly ignored?: readonly IgnoredLines[]
}

/** An article's text in the forms that rules check. */
export interface BodyView {
  /** As the author wrote it, after the user's plugins. */
  readonly mdast: Mdast
  /** As sent: cleaned, and without the title. */
  readonly tree: Root
  /** True if the text contains raw HTML. Otherwise, `tree` contains nothing that `mdast` lacks. */
  readonly hasRaw: boolean
  /** True if the first heading equals the title and is not sent. */
  readonly isTitleDropped: boolean
  readonly body: string
  readonly source: string | undefined
  /** True if `body` was converted from a dialect, so that its line endings are not the author's. */
  readonly isRewritten: boolean
  readonly ranges: SourceRanges
}

// A compiled file: everything that depends only on its text and the settings, so it can be cached by hash. Links
// between files are resolved later, when all files are known.

/** Increased whenever the cached data or the compilation of a text changes between two versions of the program. */
export const COMPILED_FORMAT = '14'

export interface CompiledMeta {
  /** Undefined if the frontmatter is invalid; `problems` contains the reason. */
  readonly frontmatter: Frontmatter | undefined
  readonly positions: FieldPositions
  /** The names in invalid frontmatter. */
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
  /** False for a page of the site that is not an article. Default: true. */
  readonly isArticle?: false
  /** True for the page of a section. Default: false. */
  readonly isSection?: true
  /** The key that it shares with its translations, if the file sets one. */
  readonly translationKey?: string | undefined
  readonly navigationName?: string | undefined
  /** The path that the file sets for its page in the site of a tool; see `routeOf`. */
  readonly route?: string | undefined
  /** The included files with the digests of their bytes ('' for an unreadable one); undefined if there are none. */
  readonly includes?: readonly IncludedFile[]
}

export type IncludedFile = readonly [source: string, hash: string]

export type CompiledLinks = Pick<RenderedBody, 'slots' | 'externals' | 'targets' | 'anchors'>

/** HTML segments, with the URL of a slot between each two of them. */
export type CompiledHtml = readonly string[]

export interface CompiledSource {
  readonly meta: CompiledMeta
  readonly links: CompiledLinks
  readonly html: CompiledHtml
  /** `html` as JSON, which is hashed, sent between threads and stored. */
  readonly htmlJson: string
}

/** A compiled file. Its links and HTML stay in the cache under `inputKey`. */
export interface CompiledArticle {
  readonly source: string
  readonly sourceHash: string | undefined
  readonly inputKey: string
  readonly meta: CompiledMeta
}

/** The stored compiled files, by `inputKey`. */
export interface CompiledTexts {
  /**
   * Returns all links, or if asked, at least those that are wanted.
   *
   * @throws if the key is missing: it must be that of a meta that was read or stored
   */
  readonly readLinks: (key: string, isWanted?: (link: WrittenLink) => boolean) => CompiledLinks
  readonly readHtml: (key: string) => CompiledHtml
}
