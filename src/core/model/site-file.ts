/** A file of a tool's site that says something of other files. */
export interface SiteFile {
  /** From the root of the site on, with `/`; of a section, its source. */
  readonly name: string
  readonly text: string
}
