/** The paths of the pages, with `{slug}` and an optional `{language}`: the targets of links to articles. */
export interface PageAddresses {
  /** Default `/articles/{slug}`. */
  readonly article: string
  /** Default `/categories/{slug}`. */
  readonly category: string
  /** Default `/tags/{slug}`. */
  readonly tag: string
  /** Origins of absolute links to these paths; such links stay on the pages. */
  readonly origins: readonly string[]
}
