/** Something that a page which is open may have to follow. */
export type LiveUpdate =
  /** Articles that are other than before, new or gone, by the address of their page. */
  | { readonly kind: 'articles'; readonly urls: readonly string[] }
  /** Everything else may be other than before: lists, navigation, links, the status. */
  | { readonly kind: 'site' }
