// The possible results of resolving a link.
import type { Problem, TextChange } from '../../core/model/diagnostic.ts'
import type { Document } from '../../core/model/document.ts'
import type { LocalFile } from '../../core/model/local-file.ts'
import type { Slot } from '../markdown/rendered-body.ts'

/** Creates a URL from a slug and a language. */
export type UrlOf = (link: { readonly slug: string; readonly language: string }) => string

type LinkTarget =
  | { readonly kind: 'article'; readonly document: Document }
  /** An article that has errors itself and whose URL is unknown. */
  | { readonly kind: 'rejected'; readonly source: string }
  /** `stored`: set if the target stores the file. */
  | { readonly kind: 'asset'; readonly source: string; readonly stored?: LocalFile }
  | { readonly kind: 'category' | 'tag'; readonly name: string }
  /** Another part of the site, by its absolute URL. */
  | { readonly kind: 'site' }

/** `problem`: only if it is reported. */
export type ResolvedLink = { readonly to?: LinkTarget; readonly problem?: Problem | undefined } & (
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'problem' }
)

/** A link of an article, and its target. */
export interface LinkedSlot {
  readonly slot: Slot
  readonly link: ResolvedLink
  /** The URL to send; undefined for a broken link that is sent as text. */
  readonly url: string | undefined
}

/** A problem of a URL, wherever it is written. Each link with the URL has a `Problem` made from it, with its position. */
export interface AddressProblem extends Pick<Problem, 'code' | 'message'> {
  /** A function if it needs a search, which runs only if the problem is reported. */
  readonly hint?: string | (() => string | undefined) | undefined
  readonly findFix?: ((slot: Slot) => TextChange | undefined) | undefined
}

/** The same for all links in a folder with this URL. */
export type ResolvedAddress =
  | { readonly kind: 'url'; readonly url: string; readonly to?: LinkTarget; readonly problem?: undefined }
  | { readonly kind: 'url'; readonly url: string; readonly to?: LinkTarget; readonly problem: AddressProblem }
  | { readonly kind: 'problem'; readonly problem: AddressProblem; readonly to?: LinkTarget }

export function failed(problem: AddressProblem, to?: LinkTarget): ResolvedAddress {
  return { kind: 'problem', problem, ...(to && { to }) }
}
