/** Where pages lie, as paths with `{slug}` and perhaps `{language}` in them: what links of articles lead to. */
export interface PageAddresses {
  /** `/articles/{slug}` by default. */
  readonly article: string
  /** `/categories/{slug}` by default. */
  readonly category: string
  /** `/tags/{slug}` by default. */
  readonly tag: string
  /** Origins under which links of articles may name these paths in full; such links stay on the pages. */
  readonly origins: readonly string[]
}
