/** A file of the configuration of a tool's site. */
export interface SiteFile {
  /** From the root of the site on, with `/`. */
  readonly name: string
  readonly text: string
}
