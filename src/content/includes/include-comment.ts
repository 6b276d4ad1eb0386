import { posix } from 'node:path'

export type SnippetPart =
  | { readonly kind: 'region'; readonly name: string }
  /** 1-based lines of the file, inclusive. Undefined: its first or last line. */
  | { readonly kind: 'lines'; readonly from: number | undefined; readonly to: number | undefined }
  /** Between two marks, see `isSectionMark`. */
  | { readonly kind: 'section'; readonly name: string }
  /** A heading and everything below it. */
  | { readonly kind: 'heading'; readonly name: string }
  /** The paragraph or list item that ends with `^name`. */
  | { readonly kind: 'block'; readonly name: string }

export interface IncludeComment {
  /** As written: a file name, not an encoded URL. */
  readonly path: string
  /** Offset of the path in the comment. */
  readonly at: number
  /** Undefined: the whole file. */
  readonly part?: SnippetPart
}

const WHOLE = /^(\s*<!--[ \t]*include:[ \t]*)(\S(?:.*\S)?)[ \t]*-->\s*$/

const BEGINNING = /<!--[ \t]*include:/

/** Quick test for include comments. */
export function mayInclude(text: string): boolean {
  return text.includes('include:') && BEGINNING.test(text)
}

/** Parses `<!-- include: path -->` on one line without other text. */
export function readIncludeComment(html: string): IncludeComment | undefined {
  const [, before, path] = WHOLE.exec(html) ?? []
  if (before === undefined || path === undefined || path.includes('-->')) return undefined
  return { path, at: before.length }
}

/** Returns paths of included files, as far as they can be found without parsing Markdown. */
export function includedPaths(text: string): string[] {
  if (!mayInclude(text)) return []
  return [...text.matchAll(/<!--[ \t]*include:[ \t]*(\S.*?)[ \t]*-->/g)].map(([, path = '']) => path)
}

/** Returns true if a comment with this text (without `<!--`) was meant as an include. */
export function isIncludeLike(comment: string): boolean {
  return /^[ \t]*include:/.test(comment)
}

/** Returns true if an invalid comment looks like an include: misspelled, without a colon, or without a path. */
export function isAlmostInclude(html: string): boolean {
  return /^\s*<!--\s*(?:includes?\s*:?\s*\S+\.\w+|includes?\s*:)\s*-->\s*$/i.test(html)
}

/** Returns `source` as an author would write it in the file `from`: from the content folder if `path` was. */
export function spellInclude(source: string, path: string, from: string): string {
  return path.startsWith('/') ? `/${source}` : posix.relative(posix.dirname(from), source)
}

// Includes of a site: `<!--@include: ./parts/prices.md-->`, with lines `{3,10}` or a region `#name`.

const SITE_BEGINNING = /<!--[ \t]*@include:/

/** Quick test for such a comment. */
export function mayIncludeInSite(text: string): boolean {
  return text.includes('@include:') && SITE_BEGINNING.test(text)
}

const SITE_WHOLE =
  /^(\s*<!--[ \t]*@include:[ \t]*)([^\s#{](?:[^#{]*[^ \t#{])?)(?:[ \t]*(?:#([\w-]+)|(?=\{)))?(?:\{(\d*)(?:,(\d*))?\})?[ \t]*-->\s*$/

/** Parses an include of a site on one line without other text. */
export function readSiteInclude(html: string): IncludeComment | undefined {
  const [, before, written, region, from, to] = SITE_WHOLE.exec(html) ?? []
  if (before === undefined || written === undefined || written.includes('-->')) return undefined
  const path = written.replace(/^@\//, '/')
  const part = partOf(region, from, to)
  return { path, at: before.length, ...(part && { part }) }
}

function partOf(
  region: string | undefined,
  from: string | undefined,
  to: string | undefined,
): SnippetPart | undefined {
  if (region !== undefined) return { kind: 'region', name: region }
  if (from === undefined) return undefined
  return { kind: 'lines', from: numberOf(from), to: to === undefined ? numberOf(from) : numberOf(to) }
}

function numberOf(digits: string): number | undefined {
  return digits === '' ? undefined : Number(digits)
}
