import { readdress, type LinkOccurrence } from '../../content/link-occurrences/link-occurrence.ts'
import { listLinkOccurrences } from '../../content/link-occurrences/list-link-occurrences.ts'
import type { Dialect } from '../../core/dialects/dialect.ts'
import { rewriteLinks, type Relocation, type RewrittenLinks } from './rewrite-links.ts'
import type { TextFile } from './text-file.ts'

/** A URL in a file, before and after, with its position before the change. */
export interface LinkChange {
  readonly line: number
  readonly column: number
  readonly before: string
  readonly after: string
}

export interface RewrittenFile {
  readonly text: string
  readonly links: readonly LinkChange[]
  /** Changes that were necessary but not possible, each a sentence without a full stop. */
  readonly left: readonly string[]
  /** The keys of a tool that now set the slug, with their values. */
  readonly slugKeys?: Readonly<Record<string, unknown>> | undefined
}

/** Selects the links of a file to change. */
export type RewriteOccurrences = (occurrences: readonly LinkOccurrence[]) => RewrittenLinks

/** Changes the frontmatter of a file's whole text. `left` as in `RewrittenFile`. */
export type FrontmatterWriter = (text: string) => Pick<RewrittenFile, 'text' | 'left' | 'slugKeys'>

/** Rewrites the links, and on request the frontmatter, of a Markdown file as the move requires. Pure. */
export function rewriteMarkdownFile(
  file: TextFile,
  rewrite: RewriteOccurrences,
  write: FrontmatterWriter | undefined,
  dialect?: Dialect,
): RewrittenFile {
  const { text, bodyStart } = file
  if (bodyStart === undefined)
    return { text, links: [], left: ['its frontmatter is not closed, so its links could not be read'] }
  const head = text.slice(0, bodyStart)
  const body = rewriteText(text.slice(bodyStart), rewrite, (each) => listLinkOccurrences(each, dialect))
  const links = body.links.map((link) => ({ ...link, line: link.line + head.split('\n').length - 1 }))
  const whole = head + body.text
  const { text: edited, left, slugKeys } = write?.(whole) ?? { text: whole, left: [] }
  return { text: edited, links, left: [...body.left, ...left], slugKeys }
}

export interface RewrittenText extends RewrittenFile {
  readonly changes: RewrittenLinks['changes']
}

/** Does the same for the links that `list` finds in a text. */
export function rewriteText(
  body: string,
  rewrite: RewriteOccurrences,
  list: (text: string) => readonly LinkOccurrence[],
): RewrittenText {
  const occurrences = list(body)
  const { changes, lost } = rewrite(occurrences)
  const left = lost.map(
    ({ written }) => `"${written}" points to a file that was moved, and cannot be rewritten`,
  )
  if (changes.length === 0) return { text: body, links: [], left, changes }
  const text = readdress(body, changes)
  if (list(text).length !== occurrences.length) {
    const all = changes.map(
      ({ occurrence }) => `"${occurrence.written}" is in a position where it cannot be changed`,
    )
    return { text: body, links: [], left: [...left, ...all], changes: [] }
  }
  const links = changes.map(({ occurrence, written }) => ({
    ...positionAt(body, occurrence.start),
    before: occurrence.written,
    after: written,
  }))
  return { text, links, left, changes }
}

/** 1-based, as in editors. */
export function positionAt(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}

/** The default: rewrites every URL of the file that was `from`. */
export function rewriteAll(from: string, relocation: Relocation): RewriteOccurrences {
  return (occurrences) => rewriteLinks(occurrences, from, relocation)
}
