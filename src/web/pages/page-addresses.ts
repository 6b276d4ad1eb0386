/** The paths of the pages, with `{slug}` and an optional `{language}`: the targets of links to articles. */
export interface PageAddresses {
  /** Default `/articles/{slug}`. */
  readonly article: string
  /** Default `/categories/{slug}`. */
  readonly category: string
  /** Default `/tags/{slug}`. */
  readonly tag: string
  /** Origins of absolute links to these paths. Such links stay on the pages. */
  readonly origins: readonly string[]
  /** The public URL of the pages, without a trailing slash; if undefined, all their links are relative. */
  readonly url?: string | undefined
  /** The path prefix of links of the pages, such as `/help`; default ''. */
  readonly base?: string
}

/** Returns the path of a public URL, such as `/help`; '' if there is none. */
export function publicPath(url: string | undefined): string {
  return url === undefined ? '' : new URL(url).pathname.replace(/\/$/, '')
}
