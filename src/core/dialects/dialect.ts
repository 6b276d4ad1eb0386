import type { RuleSeverities } from '../model/diagnostic-codes.ts'
import type { Frontmatter } from '../model/document.ts'
import type { SyntaxSign } from './syntax-signs.ts'
import type { FencedLine, LineEdit } from './text-lines.ts'

/**
 * All that is particular to one tool: data and small pure functions. The code that reads, links and writes files asks the
 * dialect and names no tool. An optional member stands for something that most tools do not have.
 */
export interface Dialect {
  /** Name of the tool, or of what it reads, for messages. */
  readonly label: string
  /** It fits any folder of Markdown; where the configuration of a tool is, `kb init` does not take the folder for this. */
  readonly isGeneric?: boolean
  /** Defaults of the configuration. */
  readonly defaults: PresetDefaults
  readonly frontmatter: {
    /** Formats besides YAML. */
    readonly formats?: readonly ('toml' | 'json')[]
    /** Keys are case-insensitive. */
    readonly foldsKeys?: boolean
    /** Which key is which field, for reading and writing. The first rule of a field whose key has a value decides; our own keys work as well. */
    readonly fields: readonly FieldRule[]
    /** Tells a page of the site that is no article by its frontmatter. */
    readonly isPage?: (data: Readonly<Record<string, unknown>>) => boolean
    /** Key that an article shares with its translations. */
    readonly translationKey?: string
    /** Key of the values that a section passes on to its pages. */
    readonly cascadeKey?: string
  }
  readonly paths: {
    /** Extensions of articles, with the dot. */
    readonly endings: readonly string[]
    /** Splits a path into the language that it names, if any, and the rest. */
    readonly splitLanguage: (source: string, languages: readonly string[]) => LanguageSplit
    /** Tells a file that stands for its folder by its name without extension. */
    readonly isIndex: (name: string, folder: string | undefined) => boolean
    /** The URL segment of a folder or a file. */
    readonly routePart: (name: string) => string
    /** Base of an address in the frontmatter that does not begin with a slash. */
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
    /** Folders with a page that lists their contents: all, or those whose file has `value` under `key`, with lists `below` that address. */
    readonly pages?: 'every' | { readonly key: string; readonly value: string; readonly below: string }
    /** The tool has categories besides folders: a name that fits several folders is none of them. */
    readonly hasCategories?: boolean
  }
  readonly links: {
    /** The pages of a folder, likely ones first. */
    readonly indexFiles: readonly string[]
    /** Base of relative addresses. */
    readonly begin: 'page' | 'folder' | 'folder-or-page'
    /** Other bases of the path of a file than the folder of the file that links to it. */
    readonly alternatives?: (path: string, folderName: string) => readonly PathStart[]
    /** A path from the root means the page in the language of the file. */
    readonly areTranslated?: boolean
    /** Addresses from the root are case-insensitive. */
    readonly ignoreCase?: boolean
    /** A bare name means the only page, or folder, of that name. */
    readonly areFoundByName?: boolean
    /** Files are also looked for below the address of the page, and in the folders of the site. */
    readonly reachPageFiles?: boolean
    /** Other versions of the documents have addresses of their own. */
    readonly reachVersions?: boolean
    /** The tool does not build a page that shows a missing image. */
    readonly needImages?: boolean
    /** Links of an included file may begin at the page that includes it. */
    readonly beginAtIncluder?: boolean
    /** Prefix of an address from the root that leads to a file and not to a page. */
    readonly filePrefix?: string
  }
  readonly text: {
    /** Syntax beyond GitHub's Markdown. */
    readonly syntax: readonly DialectSyntax[]
    /** `line` matches the line that opens a container (see `containerLine`); `plain` ones are dropped, their content stays. */
    readonly containers?: { readonly line: RegExp; readonly plain: readonly string[] }
    /** Rewrites lines of the tool's own as Markdown, or as MDX where files are MDX. */
    readonly rewrite?: (text: string, lines: readonly FencedLine[]) => readonly LineEdit[]
    /** The lines that only make sense together where no parser of Markdown sees it, by number. */
    readonly lineRanges?: (
      lines: readonly FencedLine[],
    ) => readonly { readonly first: number; readonly last: number }[]
    /** Components that come with the tool, by name. */
    readonly components?: Readonly<Record<string, ComponentKind>>
    /** Shortcodes that come with the tool or with most themes, by name. */
    readonly shortcodes?: Readonly<Record<string, ShortcodeKind>>
    /** Names, without extension, of files with the whole configuration, whose values shortcodes may show. */
    readonly configStems?: readonly string[]
    /** Finds the title of a code block behind its fence. Default: `title="…"`. */
    readonly codeTitle?: (info: string) => string | undefined
    /** Removes the comments that mark lines of code. */
    readonly withoutMarks?: (code: string) => string
    /** Makes the id of a heading. Default: as GitHub does. */
    readonly headingId?: (words: string) => string
    /** Matches a line that includes a file, up to the end of its path, which is the first group. */
    readonly includePath?: RegExp
    /** Matches, anywhere in a line, a link of the tool's own up to the end of its path, which is the first group; one that begins with `!` shows the file. */
    readonly linkPath?: RegExp
    /** Writes an alert of the kind note, tip, important, warning or caution. Default: as GitHub has it. */
    readonly writeAlert?: WriteAlert
    /** Matches what no Markdown can say: where an edit on the target loses it, the author is told. */
    readonly ownSyntax: RegExp
  }
  /** Signs of this dialect in a text, for projects without a preset. */
  readonly signs: readonly SyntaxSign[]
  /** Loads the reader of the tool's own configuration. */
  readonly loadSite: () => Promise<SiteReader>
}

/** @param title empty where it is the name of the kind */
export type WriteAlert = (kind: string, title: string, content: readonly string[]) => string[]

export interface PresetDefaults {
  readonly content: string
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly status: 'draft' | 'published'
  readonly rules: RuleSeverities
}

/** A key of a tool's frontmatter, and the field of kb-sync that it is. */
export interface FieldRule {
  readonly field: keyof Frontmatter
  readonly key: string
  readonly reading: ValueReading
  /** The field is written here where the file does not have it yet. Default: at our own key. */
  readonly isWritten?: boolean
}

/** How a value of a tool's frontmatter is understood. */
export type ValueReading =
  /** Of kb-sync's own frontmatter. */
  | 'own'
  | 'text'
  | 'list'
  | 'number'
  | 'flag'
  /** `true` is a draft. */
  | 'draft'
  /** `draft` or `published`; another word is about something else. */
  | 'status'
  /** `false` is hidden. */
  | 'shown'
  /** `false` is a draft. */
  | 'published'
  /** The first URL of an image that begins with http:// or https://. */
  | 'image'
  /** An address within the site; `relative` ones begin in the folder of the file. */
  | 'address'
  /** Stands in for the file name in the address. */
  | 'name'

export interface LanguageSplit {
  readonly language: string | undefined
  readonly path: string
}

/** A path that begins at the address of the page, or at the content folder. */
interface PathStart {
  readonly from: 'page' | 'root'
  readonly path: string
}

export type DialectSyntax =
  /** `:::name Title` */
  | 'containers'
  /** Files are MDX; one with the ending .md that is none is Markdown. */
  | 'mdx'
  /** Files with the ending .mdx are MDX, others plain Markdown. */
  | 'mdx-files'
  /** Texts are Vue templates. */
  | 'vue'
  /** `<<< file` and `<!--@include: file-->` */
  | 'snippets'
  /** `{{< name >}}` and `{{% name %}}` */
  | 'shortcodes'
  /** `{#id .class}` at the end of a block. */
  | 'attributes'
  /** A term, and below it lines that begin with a colon. */
  | 'definitions'
  /** `> [!WORD] Title` */
  | 'titled-quotes'

/** What becomes of a component: what is in it, words in a line, or something with attributes of its own. */
export type ComponentKind =
  | 'content'
  | 'words'
  | 'nothing'
  | 'tab'
  | 'alert'
  | 'details'
  | 'code'
  | 'link'
  /** A link with a description below it. */
  | 'link-card'
  | 'badge'

/** What becomes of a shortcode; `box` is an alert whose kind a parameter says. */
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

/** The folders of a project. Absolute. */
export interface ProjectFolders {
  readonly root: string
  readonly contentRoot: string
}

/** Reads the tool's own files as plain text; no code of a site is run. */
export interface SiteReader {
  /** What lies around the content folder; `configFile`: absolute, undefined where there is none. */
  readonly readSite: (folders: ProjectFolders) => {
    readonly site: ToolSite
    readonly configFile: string | undefined
  }
  /** The files that say something of others. */
  readonly readFiles?: (folders: ProjectFolders) => SiteFiles
  /** The site that a folder is; undefined where it is none that can be read. `content`: where documents are as a rule. */
  readonly recognise: (root: string, content: string) => SiteContent | undefined
  /** The configuration of a site, relative to the folder, whose documents may lie anywhere. */
  readonly findConfig?: (root: string) => string | undefined
}

export interface SiteFiles {
  /** The configuration of the site. */
  readonly files: readonly SiteFile[]
  /** Frontmatter of the pages of sections that hand values down. */
  readonly sections: readonly SiteFile[]
  /** Absolute. */
  readonly paths: readonly string[]
}

/** The documents of a site. Paths are relative to its folder, with `/`. */
export interface SiteContent {
  /** The folder that holds them; `.` for that of the site. It exists. */
  readonly content: string
  /** The language that the configuration names. */
  readonly language: string | undefined
  /** Languages whose documents lie among the others; its own may be one of them. */
  readonly languages: readonly string[]
}

/** What lies around the content folder in the site of a tool. Paths begin at the content folder. */
export interface ToolSite {
  /** Folders whose files have an address from the site's root on, such as `public` or `../static`, likely ones first. */
  readonly rootFolders: readonly string[]
  /** Whether there are no others. */
  readonly isComplete: boolean
  /** The path below which the site lies, such as `/docs`; '' where that is the root of its host. */
  readonly basePath: string
  /** The path of the documents below that, such as `/docs`. */
  readonly docsPath: string
  /** Patterns of files that the tool leaves out; what begins with `regexp:` is a regular expression. */
  readonly exclude: readonly string[]
  /** Names of other versions of the documents, as addresses have them. */
  readonly versions: readonly string[]
  /** The template of the site that decides where links lead; undefined: none does. */
  readonly linkHook: string | undefined
}

/** A file of a tool's site that says something of other files. */
export interface SiteFile {
  /** From the root of the site on, with `/`; of a section, its source. */
  readonly name: string
  readonly text: string
}
