import type { Position } from '../model/diagnostic.ts'
import type { RuleSeverities } from '../model/diagnostic-codes.ts'
import type { Frontmatter } from '../model/document.ts'
import type { SyntaxSign } from './syntax-signs.ts'
import type { FencedLine, LineEdit } from './text-lines.ts'

/**
 * Everything specific to one tool: data and small pure functions. The code that reads, links and writes files uses the
 * dialect and names no tool. Optional members are features that most tools do not have.
 */
export interface Dialect {
  /** Name of the tool or its format, for messages. */
  readonly label: string
  /** Matches any folder of Markdown; `kb init` does not choose it if there is the configuration of a tool. */
  readonly isGeneric?: boolean
  /** Defaults of the configuration. */
  readonly defaults: PresetDefaults
  readonly frontmatter: {
    /** Formats besides YAML. */
    readonly formats?: readonly ('toml' | 'json')[]
    /** Keys are case-insensitive. */
    readonly foldsKeys?: boolean
    /**
     * Maps keys to fields, for reading and writing. The first rule of a field whose key has a value applies; kb-sync's
     * own keys work as well.
     */
    readonly fields: readonly FieldRule[]
    /** Own keys that mean something else in the tool, and are not read. */
    readonly foreignKeys?: readonly (keyof Frontmatter)[]
    /** Whether the frontmatter belongs to a page of the site that is not an article. */
    readonly isPage?: (data: Readonly<Record<string, unknown>>) => boolean
    /** Key with the same value in an article and its translations. */
    readonly translationKey?: string
    /** Key of a name that stands for that of the file in the navigation. */
    readonly navigationKey?: string
    /** Key of the values that a section passes to its pages. */
    readonly cascadeKey?: string
  }
  readonly paths: {
    /** Extensions of articles, with the dot. */
    readonly endings: readonly string[]
    /** Splits a path into its language, if any, and the rest. */
    readonly splitLanguage: (source: string, languages: readonly string[]) => LanguageSplit
    /** Whether a file, by its name without extension, is the index of its folder. */
    readonly isIndex: (name: string, folder: string | undefined) => boolean
    /** The URL segment of a folder or a file. */
    readonly routePart: (name: string) => string
    /** Base of a URL in the frontmatter that does not start with a slash. */
    readonly addressesFrom: 'root' | 'folder'
    /** All files beside an `index.md` are part of that page. */
    readonly hasBundles?: boolean
  }
  readonly folders: {
    /** Files that describe their folder. */
    readonly file?: RegExp
    /** Files that describe the tags. */
    readonly tagsFile?: RegExp
    /** The files that describe folders are Markdown; their text is shown on the page of the folder. */
    readonly hasText?: boolean
    /** Keys of such a file, in order of preference; `a.b` is the key b within a. */
    readonly keys?: Readonly<Record<'name' | 'order' | 'description' | 'address', readonly string[]>>
    /**
     * Folders with a page that lists their contents: all, or those whose file has `value` as its `key`, with lists
     * `below` that URL.
     */
    readonly pages?: 'every' | { readonly key: string; readonly value: string; readonly below: string }
    /** The tool has categories besides folders: a name that matches several folders means none of them. */
    readonly hasCategories?: boolean
  }
  readonly links: {
    /** Possible index files of a folder, the usual ones first. */
    readonly indexFiles: readonly string[]
    /** Base of relative URLs. */
    readonly begin: 'page' | 'folder' | 'folder-or-page'
    /** Other bases of a file's path besides the folder of the linking file. */
    readonly alternatives?: (path: string, folderName: string) => readonly PathStart[]
    /** A root-relative path means the page in the language of the file. */
    readonly areTranslated?: boolean
    /** A page without a translation has a URL in that language, too, which shows the original. */
    readonly reachOriginals?: boolean
    /** Root-relative URLs are case-insensitive. */
    readonly ignoreCase?: boolean
    /** A bare name means the page or folder with that name: the only one, or the first of the highest folder. */
    readonly areFoundByName?: 'unique' | 'first'
    /** Files are also searched below the URL of the page, beside the original of a translation, and in the folders of the site. */
    readonly reachPageFiles?: boolean
    /** Other versions of the documents have URLs of their own. */
    readonly reachVersions?: boolean
    /** The tool fails to build a page with a missing image. */
    readonly needImages?: boolean
    /** Links in an included file may be relative to the page that includes it. */
    readonly beginAtIncluder?: boolean
    /** Prefix of a root-relative URL that leads to a file, not to a page. */
    readonly filePrefix?: string
  }
  readonly text: {
    /** Syntax beyond GitHub's Markdown. */
    readonly syntax: readonly DialectSyntax[]
    /**
     * `line` matches the opening line of a container (see `containerLine`); `plain` ones are removed, their content
     * stays.
     */
    readonly containers?: { readonly line: RegExp; readonly plain: readonly string[] }
    /** Rewrites lines in the tool's own syntax as Markdown, or as MDX in MDX files. */
    readonly rewrite?: (text: string, lines: readonly FencedLine[]) => readonly LineEdit[]
    /** Ranges of lines, by number, that belong together although no Markdown parser knows it. */
    readonly lineRanges?: (
      lines: readonly FencedLine[],
    ) => readonly { readonly first: number; readonly last: number }[]
    /** Built-in components, by name. */
    readonly components?: Readonly<Record<string, ComponentKind>>
    /** Built-in shortcodes, also of most themes, by name. */
    readonly shortcodes?: Readonly<Record<string, ShortcodeKind>>
    /** Names, without extension, of the files of the whole configuration, whose values shortcodes may show. */
    readonly configStems?: readonly string[]
    /** The setting of the site, by its keys, that gives the terms of definition lists ids. */
    readonly termIds?: readonly string[]
    /** A heading is the title of the page only if the text starts with it. */
    readonly titleStartsText?: boolean
    /** Finds the title of a code block in its info string. Default: `title="…"`. */
    readonly codeTitle?: (info: string) => string | undefined
    /** Removes the comments that mark lines of code. */
    readonly withoutMarks?: (code: string) => string
    /**
     * Reads the attributes in a text like `{ #id .class }`, at the end of a heading or cell, or on the last line of a
     * paragraph; undefined if it is none. Default: as Goldmark, which reads them on any line.
     */
    readonly readAttributes?: (text: string) => { readonly id: string | undefined } | undefined
    /** Creates the id of a heading. Default: as on GitHub. */
    readonly headingId?: (words: string) => string
    /** Matches a line that includes a file, up to the end of its path, the first group. */
    readonly includePath?: RegExp
    /**
     * Matches the tool's own link, anywhere in a line, up to the end of its path, the first group; with a leading `!`,
     * the link embeds the file.
     */
    readonly linkPath?: RegExp
    /** Writes an alert of the kind note, tip, important, warning or caution. Default: as on GitHub. */
    readonly writeAlert?: WriteAlert
    /** Matches syntax without an equivalent in Markdown: if an edit on the target loses it, the author is told. */
    readonly ownSyntax: RegExp
  }
  /** Matches at the start of documents of this tool alone; several of them are its documents even without their site. */
  readonly documentSign?: RegExp
  /** Signs of this dialect, searched in projects without a preset. */
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

/** A frontmatter key of a tool, and its field in kb-sync. */
export interface FieldRule {
  readonly field: keyof Frontmatter
  readonly key: string
  readonly reading: ValueReading
  /** The field is written here if the file does not have it yet. Default: at kb-sync's own key. */
  readonly isWritten?: boolean
}

/** How to interpret a value of a tool's frontmatter. */
export type ValueReading =
  /** As in kb-sync's own frontmatter. */
  | 'own'
  | 'text'
  | 'list'
  | 'number'
  | 'flag'
  /** `true` is a draft. */
  | 'draft'
  /** `draft` or `published`; other values have another meaning. */
  | 'status'
  /** `false` is hidden. */
  | 'shown'
  /** `false` is a draft. */
  | 'published'
  /** The URL paths in a list; in a tool without the key, everything else in it means something else. */
  | 'paths'
  /** A list of URL paths, relative ones to the folder of the page in the site. */
  | 'addresses'
  /** The first image URL that starts with http:// or https://. */
  | 'image'
  /** A URL within the site; `relative` ones start at the folder of the file. */
  | 'address'
  /** Replaces the file name in the URL. */
  | 'name'
  /** The `order` in a mapping. Not written. */
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
  | 'tab'
  /** Its content below its title. */
  | 'card'
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

/** A video or a post of another site, shown as a link. */
export interface EmbedShortcode {
  /** Shown if there is no argument `title`. */
  readonly label: string
  /** The names of arguments that are written without one. */
  readonly names: readonly string[]
  /** Undefined if an argument is missing. Arguments are encoded. */
  readonly urlOf: (values: Readonly<Record<string, string>>) => string | undefined
}

export interface ProjectFolders {
  readonly root: string
  readonly contentRoot: string
}

/** Reads the tool's own files as plain text; does not run a site's code. */
export interface SiteReader {
  /** The site around the content folder; `configFiles` are absolute. */
  readonly readSite: (folders: ProjectFolders) => {
    readonly site: ToolSite
    readonly configFiles: readonly string[]
  }
  /** The files that affect others. */
  readonly readFiles?: (folders: ProjectFolders) => SiteFiles
  /** The site in a folder; undefined if it is none or unreadable. `content`: the usual folder of documents. */
  readonly recognise: (root: string, content: string) => SiteContent | undefined
  /** The configuration of a site, relative to the folder, whose documents may be anywhere. */
  readonly findConfig?: (root: string) => string | undefined
}

export interface SiteFiles {
  /** The configuration of the site. */
  readonly files: readonly SiteFile[]
  /** Frontmatter of section pages that pass values down. */
  readonly sections: readonly SiteFile[]
  /** Absolute. */
  readonly paths: readonly string[]
}

/** The documents of a site. Paths are relative to its folder, with `/`. */
export interface SiteContent {
  /** The folder of the documents; `.` for that of the site. It exists, perhaps beside the site. */
  readonly content: string
  /** The name of the site in the configuration. */
  readonly name?: string | undefined
  /** The language in the configuration. */
  readonly language: string | undefined
  /** Languages whose documents are among the others; may include the default one. */
  readonly languages: readonly string[]
}

/** The tool's site around the content folder. Paths are relative to the content folder. */
export interface ToolSite {
  /** Folders whose files have a root-relative URL, such as `public` or `../static`, the usual ones first. */
  readonly rootFolders: readonly string[]
  /** Whether the list is complete. */
  readonly isComplete: boolean
  /** Other folders beside the content whose images have no URL, so that documents name them by relative paths. */
  readonly imageFolders?: readonly string[]
  /** The base path of the site, such as `/docs`; '' at the root of its host. */
  readonly basePath: string
  /** The path of the documents below the base path, such as `/docs`. */
  readonly docsPath: string
  /** Patterns of files that the tool excludes; those with `regexp:` are regular expressions. */
  readonly exclude: readonly string[]
  /** Other versions of the documents, as in URLs. */
  readonly versions: readonly string[]
  readonly navigation?: SiteNavigation | undefined
  /** Folders where paths of includes start, in this order; '' is that of the text. Undefined: the content folder. */
  readonly includeFolders?: readonly string[]
  /** Files whose text follows that of every article; named relative to the content folder. */
  readonly appended?: readonly SiteFile[]
  /** The site's template that determines the targets of links; undefined if there is none. */
  readonly linkHook: string | undefined
}

/** The order of pages in the menu of a site. */
export interface SiteNavigation {
  /** The file that defines it, relative to the content folder. */
  readonly source: string
  readonly entries: readonly NavigationEntry[]
}

export interface NavigationEntry {
  readonly kind: 'page' | 'folder'
  /** Relative to the content folder; a page may have no extension. */
  readonly path: string
  /** Takes precedence over the title in the file. */
  readonly title: string | undefined
  /** From the top down. */
  readonly sections: readonly NavigationSection[]
  /** Its position among its siblings. */
  readonly order: number
  /** Undefined if a missing page needs no report. */
  readonly position: Position | undefined
}

export interface NavigationSection {
  readonly name: string
  readonly order: number
}

/** A file of a tool's site that affects other files. */
export interface SiteFile {
  /** Relative to the root of the site, with `/`; for a section or an appended file, its source. */
  readonly name: string
  readonly text: string
}
