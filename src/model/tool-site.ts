/** What lies around the content folder in the site of a tool. Paths begin at the content folder. */
export interface ToolSite {
  /** Folders whose files have an address from the site's root on, such as `public` or `../static`, likely ones first. */
  readonly rootFolders: readonly string[]
  /** Whether there are no others. */
  readonly isComplete: boolean
  /** The path below which the site lies, such as `/docs`; '' where that is the root of its host. */
  readonly basePath: string
}
