import type { Position } from '../model/diagnostic.ts'
import type { RuleSeverities } from '../model/diagnostic-codes.ts'
import type { Frontmatter } from '../model/document.ts'
import type { SyntaxSign } from './syntax-signs.ts'
import type { FencedLine, LineEdit } from './text-lines.ts'

/**
 * Everything specific to one tool, as data and small pure functions. The code that reads, links and writes files uses
 * the dialect and names no tool. Optional members are features that most tools lack.
 */
export interface Dialect {
  /** Name of the tool or its format, for messages. */
  readonly label: string
  /** Matches any folder of Markdown. `kb init` does not choose it if a tool's configuration exists. */
  readonly isGeneric?: boolean
  readonly defaults: PresetDefaults
  readonly frontmatter: {
    /** Formats besides YAML. */
    readonly formats?: readonly ('toml' | 'json')[]
    /** True if keys are case-insensitive. */
    readonly foldsKeys?: boolean
    /**
     * Maps keys to fields, for reading and writing. The first rule of a field whose key has a value applies. kb-sync's
     * own keys also work.
     */
    readonly fields: readonly FieldRule[]
    /** kb-sync keys that mean something else in the tool and are not read. */
    readonly foreignKeys?: readonly (keyof Frontmatter)[]
    /** True if the frontmatter belongs to a page of the site that is not an article. */
    readonly isPage?: (data: Readonly<Record<string, unknown>>) => boolean
    /** Key that has the same value in an article and its translations. */
    readonly translationKey?: string
    /** Key of a name that replaces the file name in the navigation. */
    readonly navigationKey?: string
    /** Key of the values that a section page passes down to its pages. */
    readonly cascadeKey?: string
  }
  readonly paths: {
    /** Extensions of articles, with the dot. */
    readonly endings: readonly string[]
    /** Splits a path into its language, if any, and the rest. */
    readonly splitLanguage: (source: string, languages: readonly string[]) => LanguageSplit
    /** True if a file is the index of its folder. The name has no extension. */
    readonly isIndex: (name: string, folder: string | undefined, extension?: string) => boolean
    /** Returns the URL segment of a folder or a file. */
    readonly routePart: (name: string) => string
    /** Returns the position among its neighbours that the name of a file or its folder contains. */
    readonly orderOf?: (name: string, folder: string | undefined) => number | undefined
    /** Base of frontmatter URLs that do not start with a slash. */
    readonly addressesFrom: 'root' | 'folder'
    /** True if all files beside an `index.md` are part of that page. */
    readonly hasBundles?: boolean
  }
  readonly folders: {
    /** Matches the names of files that describe their folder. */
    readonly file?: RegExp
    /** Matches the names of files that describe the tags. */
    readonly tagsFile?: RegExp
    /** True if the files that describe folders are Markdown, whose text appears on the page of the folder. */
    readonly hasText?: boolean
    /** Keys of such a file, in order of preference. `a.b` is the key b within a. */
    readonly keys?: Readonly<Record<'name' | 'order' | 'description' | 'address', readonly string[]>>
    /**
     * Folders with a page that lists their content: all, or those whose file has `value` at `key`; the lists are
     * `below` that URL.
     */
    readonly pages?: 'every' | { readonly key: string; readonly value: string; readonly below: string }
    /** True if the tool has categories besides folders. A name that matches several folders then means none of them. */
    readonly hasCategories?: boolean
  }
  readonly links: {
    /** Names of index files of a folder, the usual ones first. */
    readonly indexFiles: readonly string[]
    /** Base of relative URLs. */
    readonly begin: 'page' | 'folder' | 'folder-or-page'
    /** Other bases of a path, besides the folder of the linking file. */
    readonly alternatives?: (path: string, folderName: string) => readonly PathStart[]
    /** True if a root-relative path refers to the page in the language of the file. */
    readonly areTranslated?: boolean
    /** True if a page without a translation has a URL in the other language, which shows the original. */
    readonly reachOriginals?: boolean
    /** True if root-relative URLs are case-insensitive. */
    readonly ignoreCase?: boolean
    /** Which page or folder a bare name refers to: the only one with that name, or the first in the topmost folder. */
    readonly areFoundByName?: 'unique' | 'first'
    /** True if files are also searched below the page's URL, beside an original, and in folders of the site. */
    readonly reachPageFiles?: boolean
    /** True if other versions of the documents have their own URLs. */
    readonly reachVersions?: boolean
    /** True if the tool's build fails because of a missing image. */
    readonly needImages?: boolean
    /** True if links in an included file may be relative to the including page. */
    readonly beginAtIncluder?: boolean
    /** Prefix of root-relative URLs that lead to files, not to pages. */
    readonly filePrefix?: string
  }
  readonly text: {
    /** Syntax beyond GitHub Flavored Markdown. */
    readonly syntax: readonly DialectSyntax[]
    /**
     * `line` matches the opening line of a container (see `containerLine`). Containers in `plain` are removed, but
     * their content stays.
     */
    readonly containers?: { readonly line: RegExp; readonly plain: readonly string[] }
    /** Rewrites lines in the tool's own syntax as Markdown, or as MDX in MDX files. */
    readonly rewrite?: (
      text: string,
      lines: readonly FencedLine[],
      siteFiles?: readonly SiteFile[],
    ) => readonly LineEdit[]
    /** Matches every text that `rewrite` changes: splitting the others into lines would take longer. */
    readonly rewriteSign?: RegExp
    /** Returns a text of the same length in which blocks of Markdown that are fenced like code are no code. */
    readonly withoutTextFences?: (text: string) => string
    /** Line ranges, by line number, that belong together although Markdown parsers do not know them. */
    readonly lineRanges?: (
      lines: readonly FencedLine[],
    ) => readonly { readonly first: number; readonly last: number }[]
    /** Built-in components, by name. */
    readonly components?: Readonly<Record<string, ComponentKind>>
    /** Built-in shortcodes, also of most themes, by name. */
    readonly shortcodes?: Readonly<Record<string, ShortcodeKind>>
    /** Names, without extension, of configuration files whose values shortcodes may show. */
    readonly configStems?: readonly string[]
    /** Path of the site's setting that gives the terms of definition lists ids. */
    readonly termIds?: readonly string[]
    /** True if a heading is the page title only at the start of the text. */
    readonly titleStartsText?: boolean
    /** True if a page with a heading at its start does not show the title that the frontmatter or navigation sets. */
    readonly showsHeadingOnly?: boolean
    /** Returns the title of a code block from its info string. Default: `title="…"`. */
    readonly codeTitle?: (info: string) => string | undefined
    /** Removes the comments that mark lines of code. */
    readonly withoutMarks?: (code: string) => string
    /**
     * Reads attributes such as `{ #id .class }` at the end of a heading or cell, or in the last line of a paragraph;
     * undefined if there are none. Default: as in Goldmark, which reads them in any line.
     */
    readonly readAttributes?: (text: string) => { readonly id: string | undefined } | undefined
    /** Creates the id of a heading. Default: as on GitHub. */
    readonly headingId?: (words: string) => string
    /** Matches a line that includes a file, up to the end of its path, which is the first group. */
    readonly includePath?: RegExp
    /**
     * Matches the tool's own link syntax, anywhere in a line, up to the end of the path, which is the first group. With
     * a leading `!`, the link embeds the file.
     */
    readonly linkPath?: RegExp
    /** Matches the names of files of which the content folder has one if that is link syntax. Undefined: it always is. */
    readonly linkPathFile?: RegExp
    /** Formats an alert of the kind note, tip, important, warning or caution. Default: as on GitHub. */
    readonly writeAlert?: WriteAlert
    /** Matches syntax without an equivalent in Markdown. If an edit on the target loses it, the author is told. */
    readonly ownSyntax: RegExp
  }
  /** Matches the start of documents only this tool has. Several of them identify the tool even without its site. */
  readonly documentSign?: RegExp
  /** Signs of this dialect, reported in projects without a preset. */
  readonly signs: readonly SyntaxSign[]
  /** Loads the reader of the tool's configuration. */
  readonly loadSite: () => Promise<SiteReader>
}

/** @param title empty if it is the name of the kind */
export type WriteAlert = (kind: string, title: string, content: readonly string[]) => string[]

export interface PresetDefaults {
  readonly content: string
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly status: 'draft' | 'published'
  readonly rules: RuleSeverities
}

/** Maps a tool's frontmatter key to a field of kb-sync. */
export interface FieldRule {
  readonly field: keyof Frontmatter
  readonly key: string
  readonly reading: ValueReading
  /** True if the field is written to this key in a file that lacks it. Default: to kb-sync's own key. */
  readonly isWritten?: boolean
}

/** How a frontmatter value of a tool is interpreted. */
export type ValueReading =
  /** As in kb-sync's own frontmatter. */
  | 'own'
  | 'text'
  | 'list'
  | 'number'
  | 'flag'
  /** `true`: a draft. */
  | 'draft'
  /** `draft` or `published`. Other values have another meaning. */
  | 'status'
  /** `false`: hidden. */
  | 'shown'
  /** `false`: a draft. */
  | 'published'
  /** The URL paths in a list. If the tool has no such key, the other items mean something else. */
  | 'paths'
  /** A list of URL paths. Relative ones start at the folder of the page in the site. */
  | 'addresses'
  /** The first image URL that starts with http:// or https://. */
  | 'image'
  /** A URL within the site. `relative` ones start at the folder of the file. */
  | 'address'
  /** Replaces the file name in the URL. */
  | 'name'
  /** The `order` in a nested mapping. Not written. */
  | 'nested-order'

export interface LanguageSplit {
  readonly language: string | undefined
  readonly path: string
}

/** A path relative to the URL of the page, or to the content folder. */
interface PathStart {
  readonly from: 'page' | 'root'
  readonly path: string
}

export type DialectSyntax =
  /** `:::name Title` */
  | 'containers'
  /** Files are MDX; a .md file that is not valid MDX is Markdown. */
  | 'mdx'
  /** .mdx files are MDX, others plain Markdown. */
  | 'mdx-files'
  /** Texts are Vue templates. */
  | 'vue'
  /** `<<< file` and `<!--@include: file-->` */
  | 'snippets'
  /** `--8<-- "file"`, also in code. */
  | 'marked-snippets'
  /** `![[note]]` on a line of its own. */
  | 'embeds'
  /** `{{< name >}}` and `{{% name %}}` */
  | 'shortcodes'
  /** `{#id .class}` at the end of a block. */
  | 'attributes'
  /** A term, followed by lines that start with a colon. */
  | 'definitions'
  /** `> [!WORD] Title` */
  | 'titled-quotes'

/** How a component is converted: to its content, to inline text, or to an element with attributes. */
export type ComponentKind =
  | 'content'
  | 'words'
  | 'nothing'
  /** Tabs, which `items` may label. */
  | 'tabs'
  | 'tab'
  /** Code blocks as tabs. */
  | 'codes'
  /** The content, with the title above it, a link if there is a URL. */
  | 'card'
  /** An item of a numbered list. */
  | 'step'
  /** A file or folder in a list. */
  | 'entry'
  /** The content, with a name, a type and a default above it. */
  | 'field'
  /** The content, with the caption below it. */
  | 'figure'
  | 'image'
  | 'alert'
  | 'details'
  | 'code'
  | 'link'
  /** A link with a description below it. */
  | 'link-card'
  | 'badge'

/** How a shortcode is converted; `box` is an alert whose kind is a parameter. */
export type ShortcodeKind =
  | 'nothing'
  | 'value'
  | 'address'
  | 'figure'
  | 'code'
  | 'tabs'
  | 'tab'
  | 'box'
  | 'details'
  | EmbedShortcode

/** A video or post of another site, shown as a link. */
export interface EmbedShortcode {
  /** Shown if there is no `title` argument. */
  readonly label: string
  /** Names for the positional arguments. */
  readonly names: readonly string[]
  /** Returns undefined if an argument is missing. Arguments are URL-encoded. */
  readonly urlOf: (values: Readonly<Record<string, string>>) => string | undefined
}

export interface ProjectFolders {
  readonly root: string
  readonly contentRoot: string
}

/** Reads the tool's own files as plain text. Never runs the code of a site. */
export interface SiteReader {
  /** The site around the content folder; `configFiles` are absolute. */
  readonly readSite: (folders: ProjectFolders) => {
    readonly site: ToolSite
    readonly configFiles: readonly string[]
  }
  /** Returns the files that affect other files. */
  readonly readFiles?: (folders: ProjectFolders) => SiteFiles
  /** Recognises the site in a folder; undefined if there is none or it is unreadable. `content`: the usual folder. */
  readonly recognise: (root: string, content: string) => SiteContent | undefined
  /** Returns folders with translations outside the content folder, which are not read; absolute. */
  readonly findTranslations?: (folders: ProjectFolders) => readonly string[]
  /** Returns the configuration file of a site whose documents may be anywhere, relative to `root`. */
  readonly findConfig?: (root: string) => string | undefined
}

export interface SiteFiles {
  /** Configuration files of the site, or the pages of a wiki. */
  readonly files: readonly SiteFile[]
  /** Frontmatter of section pages that pass values down. */
  readonly sections: readonly SiteFile[]
  /** Absolute. */
  readonly paths: readonly string[]
}

/** The documents of a site. Paths are relative to its folder, with `/`. */
export interface SiteContent {
  /** Folder of the documents; `.` for the folder of the site. It exists, but may be outside the site. */
  readonly content: string
  /** The name of the site in the configuration. */
  readonly name?: string | undefined
  /** The language in the configuration. */
  readonly language: string | undefined
  /** Languages whose documents are in the same folder; may include the default language. */
  readonly languages: readonly string[]
}

/** The tool's site around the content folder. Paths are relative to the content folder. */
export interface ToolSite {
  /** Folders whose files have root-relative URLs, such as `public` or `../static`, the usual ones first. */
  readonly rootFolders: readonly string[]
  readonly isComplete: boolean
  /** Other folders beside the content with images: `../images/a.png`, or with the name of the folder `/images/a.png`. */
  readonly imageFolders?: readonly string[]
  /** Base path of the site, such as `/docs`; '' at the root of its host. */
  readonly basePath: string
  /** Path of the documents below the base path, such as `/docs`. */
  readonly docsPath: string
  /** Patterns of files that the tool excludes; with the prefix `regexp:`, a regular expression. */
  readonly exclude: readonly string[]
  /** Other versions of the documents, as named in URLs. */
  readonly versions: readonly string[]
  readonly navigation?: SiteNavigation | undefined
  /** Base folders of include paths, in search order; '' is the folder of the text. Undefined: the content folder. */
  readonly includeFolders?: readonly string[]
  /** Files whose text is appended to every article; their names are relative to the content folder. */
  readonly appended?: readonly SiteFile[]
  /** The site's template that determines link targets; undefined if there is none. */
  readonly linkHook: string | undefined
}

/** Order of the pages in the navigation of a site. */
export interface SiteNavigation {
  /** The file that defines it, relative to the content folder. */
  readonly source: string
  readonly entries: readonly NavigationEntry[]
}

export interface NavigationEntry {
  readonly kind: 'page' | 'folder'
  /** Relative to the content folder, possibly without extension. */
  readonly path: string
  /** The title of a page that has none. */
  readonly title: string | undefined
  /** Outermost first. */
  readonly sections: readonly NavigationSection[]
  /** Position among its siblings. */
  readonly order: number
  /** Undefined if a missing page is not reported. */
  readonly position: Position | undefined
}

export interface NavigationSection {
  readonly name: string
  readonly order: number
}

/** A file of a tool's site that affects other files. */
export interface SiteFile {
  /** Relative to the root of the site, with `/`; for a section page or an appended file, its source. */
  readonly name: string
  readonly text: string
}
