// What a link can turn out to be.
import type { Problem, SourceRange, TextChange } from '../../core/model/diagnostic.ts'
import type { Document } from '../../core/model/document.ts'
import { rangeOf } from '../source/source-problem.ts'

/** Makes a URL from a slug and a language. */
export type AddressOf = (link: { readonly slug: string; readonly language: string }) => string

type LinkTarget =
  | { readonly kind: 'article'; readonly document: Document }
  /** An article with errors of its own, whose URL is unknown. */
  | { readonly kind: 'rejected'; readonly source: string }
  | { readonly kind: 'asset'; readonly source: string }
  | { readonly kind: 'category' | 'tag'; readonly name: string }
  /** Another part of the site, by its absolute URL. */
  | { readonly kind: 'site' }

export type ResolvedLink =
  | { readonly kind: 'url'; readonly url: string; readonly to?: LinkTarget; readonly problem?: Problem }
  | { readonly kind: 'problem'; readonly problem: Problem; readonly to?: LinkTarget }

type Complaint = Pick<Problem, 'code' | 'message' | 'hint'> & { readonly fix?: TextChange | undefined }

export function problemAt(range: SourceRange, { code, message, hint, fix }: Complaint): Problem {
  return { code, message, ...(hint !== undefined && { hint }), ...rangeOf(range), ...(fix && { fix: [fix] }) }
}

export function failedLink(range: SourceRange, complaint: Complaint, to?: LinkTarget): ResolvedLink {
  return { kind: 'problem', problem: problemAt(range, complaint), ...(to && { to }) }
}
