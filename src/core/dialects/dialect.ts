import type { RuleSeverities } from '../model/diagnostic-codes.ts'
import type { Frontmatter } from '../model/document.ts'
import type { SyntaxSign } from './syntax-signs.ts'
import type { FencedLine } from './text-lines.ts'

/**
 * A tool whose folder of documents is understood as it is. All that is particular to one tool is said here, as data and
 * small pure functions; the code that reads, links and writes files asks its dialect and names no tool.
 */
export interface Dialect {
  /** What people call the tool. */
  readonly label: string
  /** What holds where the configuration says nothing. */
  readonly defaults: PresetDefaults
  readonly frontmatter: {
    /** Formats beside YAML. */
    readonly formats: readonly ('toml' | 'json')[]
    /** Whether upper and lower case of keys are one to the tool. */
    readonly foldsKeys: boolean
    /** Both ways. Of the rules of one field, the first whose key has a value decides; our own keys count as well. */
    readonly fields: readonly FieldRule[]
    /** Whether a file with this frontmatter is a page of the site, but no article. */
    readonly isPage: (data: Readonly<Record<string, unknown>>) => boolean
    /** Key of what joins an article with its translations. */
    readonly translationKey?: string
    /** Key of the values that a section hands down to its pages. */
    readonly cascadeKey?: string
  }
  readonly paths: {
    /** The endings of articles. */
    readonly endings: readonly string[]
    /** The language that a path names, and the path without it; undefined: it names none. */
    readonly splitLanguage: (source: string, languages: readonly string[]) => LanguageSplit
    /** Whether a file of this name, without ending, stands for its folder. */
    readonly isIndex: (name: string, folder: string | undefined) => boolean
    /** What a folder or a file is called in an address. */
    readonly routePart: (name: string) => string
    /** From where an address in the frontmatter goes on that begins with no slash. */
    readonly addressesFrom: 'root' | 'folder'
    /** Whether all that lies beside an `index.md` is part of that page. */
    readonly hasBundles: boolean
  }
  readonly folders: {
    /** Files that describe their folder. */
    readonly file?: RegExp
    /** Files that describe the tags. */
    readonly tagsFile?: RegExp
    /** Whether files that describe folders are Markdown, whose text is shown on the page of the folder. */
    readonly hasText: boolean
    /** Where such a file says what: the first key that has a value. `a.b` is the key b within a. */
    readonly keys: Readonly<Record<'name' | 'order' | 'description' | 'address', readonly string[]>>
    /** Folders that have a page which lists what is in them; undefined: none. */
    readonly pages?: 'every' | { readonly key: string; readonly value: string; readonly below: string }
    /** Whether the tool has categories beside its folders: then a name that fits several folders is none of them. */
    readonly hasCategories: boolean
  }
  readonly links: {
    /** The pages of a folder, likely ones first. */
    readonly indexFiles: readonly string[]
    /** From where relative addresses go on. */
    readonly begin: 'page' | 'folder' | 'folder-or-page'
    /** Where else the path of a file may begin than beside the file that links to it. */
    readonly alternatives: (path: string, folderName: string) => readonly PathStart[]
    /** Whether a path from the root means the page in the language of the file. */
    readonly areTranslated: boolean
    /** Whether addresses from the root are found in any case. */
    readonly ignoreCase: boolean
    /** Whether a bare name means the only page, or folder, of that name. */
    readonly areFoundByName: boolean
    /** Whether files are looked for below the address of the page, and in folders of the site, as well. */
    readonly reachPageFiles: boolean
    /** Whether other versions of the documents have addresses of their own. */
    readonly reachVersions: boolean
    /** Whether the tool refuses to build a page that shows an image which is not there. */
    readonly needImages: boolean
    /** Whether links of an included file may begin at the page that includes it. */
    readonly beginAtIncluder: boolean
    /** What stands before an address from the root that leads to a file and no page. */
    readonly filePrefix?: string
  }
  readonly text: {
    /** What texts hold beside GitHub's Markdown. */
    readonly syntax: readonly DialectSyntax[]
    /** `line` opens a container: see `containerLine`. `plain` ones say nothing of their content. */
    readonly containers?: { readonly line: RegExp; readonly plain: readonly string[] }
    /** Makes Markdown of lines that are none; where files are MDX, makes that. */
    readonly rewrite?: (text: string, lines: readonly FencedLine[]) => readonly TextEdit[]
    /** The components that come with the tool, by name. */
    readonly components?: Readonly<Record<string, ComponentKind>>
    /** The shortcodes that come with the tool or with most themes, by name. */
    readonly shortcodes?: Readonly<Record<string, ShortcodeKind>>
    /** The names of files, without ending, that hold the whole configuration, which shortcodes may show. */
    readonly configStems?: readonly string[]
    /** The title in what stands behind a fence; undefined: `title="…"`. */
    readonly codeTitle?: (info: string) => string | undefined
    /** Code without the comments that mark its lines. */
    readonly withoutMarks?: (code: string) => string
    /** The id of a heading; undefined: GitHub's. */
    readonly headingId?: (words: string) => string
    /** The path of a file that a line puts in, at the end of the match. */
    readonly includePath?: RegExp
    /** What only the tool knows, as it is written: it must outlast an edit on the target. */
    readonly ownSyntax: RegExp
  }
  /** What shows that a text is in this dialect, for where no preset is set. */
  readonly signs: readonly SyntaxSign[]
  /** Loads what reads the tool's own configuration. */
  readonly loadSite: () => Promise<SiteReader>
}

export interface PresetDefaults {
  readonly content: string
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly status: 'draft' | 'published'
  readonly rules: RuleSeverities
}

/** Where a field of ours comes from in a tool's frontmatter. */
export interface FieldRule {
  readonly field: keyof Frontmatter
  readonly key: string
  readonly reading: ValueReading
  /** Whether the field is written here where the file says it nowhere yet. Default: at our own key. */
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
  /** `false` is hidden. */
  | 'shown'
  /** The first address of an image that begins with http:// or https://. */
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

/** `length` characters at offset `at` become `text`. */
export interface TextEdit {
  readonly at: number
  readonly length: number
  readonly text: string
}

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
