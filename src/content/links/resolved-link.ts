// What a link can turn out to be: the words in which the files around resolve-link.ts speak.
import type { Problem } from '../../core/model/diagnostic.ts'
import type { Document } from '../../core/model/document.ts'

/** Makes an address from a slug and a language. */
export type AddressOf = (link: { readonly slug: string; readonly language: string }) => string

/** The file that holds a link. */
export interface LinkOrigin {
  readonly source: string
  /** Language of the article; decides which translation of a category is meant. */
  readonly language: string
}

/** What an address leads to, as far as it is ours. */
type LinkTarget =
  | { readonly kind: 'article'; readonly document: Document }
  | { readonly kind: 'asset'; readonly source: string }
  | { readonly kind: 'category' | 'tag'; readonly name: string }
  /** Another part of the site, by its full address. */
  | { readonly kind: 'site' }

export type ResolvedLink =
  | { readonly kind: 'url'; readonly url: string; readonly to?: LinkTarget; readonly problem?: Problem }
  | { readonly kind: 'problem'; readonly problem: Problem; readonly to?: LinkTarget }

/** A problem before its place is added. */
export type Complaint = Pick<Problem, 'code' | 'message' | 'hint'>

/**
 * A resolved link before its place is added; `unknown`: nothing can be said, and the address stays; `site`: another part
 * of the site, at a path from its root on.
 */
export type LinkResolution =
  | { readonly kind: 'url'; readonly url: string; readonly to?: LinkTarget; readonly complaint?: Complaint }
  | { readonly kind: 'unknown' }
  // `isMissing`: no folder of the site has the file.
  | { readonly kind: 'site'; readonly path: string; readonly isMissing?: boolean }
  | ({ readonly kind: 'problem'; readonly to?: LinkTarget } & Complaint)
