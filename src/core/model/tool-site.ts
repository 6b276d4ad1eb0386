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
