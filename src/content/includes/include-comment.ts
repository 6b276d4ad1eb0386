import { posix } from 'node:path'

/** A part of a file. */
export type SnippetPart =
  | { readonly kind: 'region'; readonly name: string }
  /** 1-based lines of the file, both within; undefined: its first or last one. */
  | { readonly kind: 'lines'; readonly from: number | undefined; readonly to: number | undefined }

export interface IncludeComment {
  /** As written: a file name, not an address. */
  readonly path: string
  /** Offset of the path in the comment. */
  readonly at: number
  /** Undefined: the whole file. */
  readonly part?: SnippetPart
}

const WHOLE = /^(\s*<!--[ \t]*include:[ \t]*)(\S(?:.*\S)?)[ \t]*-->\s*$/

const BEGINNING = /<!--[ \t]*include:/

/** Whether `text` has anything that could be an include comment; cheap. */
export function mayInclude(text: string): boolean {
  return text.includes('include:') && BEGINNING.test(text)
}

/** Reads `<!-- include: path -->`, on one line, with nothing beside it. */
export function readIncludeComment(html: string): IncludeComment | undefined {
  const [, before, path] = WHOLE.exec(html) ?? []
  if (before === undefined || path === undefined || path.includes('-->')) return undefined
  return { path, at: before.length }
}

/** Whether a comment with this text (without `<!--`) was meant to include something. */
export function isIncludeLike(comment: string): boolean {
  return /^[ \t]*include:/.test(comment)
}

/** Whether a comment that includes nothing looks as if it should: another spelling of the word, no colon, no path. */
export function isAlmostInclude(html: string): boolean {
  return /^\s*<!--\s*(?:includes?\s*:?\s*\S+\.\w+|includes?\s*:)\s*-->\s*$/i.test(html)
}

/** The file that `path`, written in the file `from`, means; undefined where it leaves the content root. */
export function resolveInclude(path: string, from: string): string | undefined {
  const joined = path.startsWith('/') ? posix.normalize(path.slice(1)) : posix.join(posix.dirname(from), path)
  return joined === '..' || joined.startsWith('../') || joined.startsWith('/') ? undefined : joined
}

/** `source` as somebody would write it in the file `from`, from the content root where `path` was. */
export function spellInclude(source: string, path: string, from: string): string {
  return path.startsWith('/') ? `/${source}` : posix.relative(posix.dirname(from), source)
}
