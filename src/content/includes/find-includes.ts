import type { Html, Nodes, Parents, Root } from 'mdast'
import { type IncludeComment, readIncludeComment, type SnippetPart } from './include-comment.ts'

interface ToolInclude {
  readonly form:
    | { readonly kind: 'markdown' }
    /** `meta` is the text after the language, in which the tool puts titles. */
    | { readonly kind: 'code'; readonly language: string; readonly meta: string }
    /** Lines within a code block. */
    | { readonly kind: 'lines' }
  /** Its end: 0-based line, and offset in that line. */
  readonly end: { readonly line: number; readonly at: number }
  /** `block`: a separate block. `inline`: between other text. `line`: replaces a line, whatever surrounds it. */
  readonly place: 'block' | 'inline' | 'line'
}

/** Finds a tool's includes in a text, in order. Its lines end with line feeds. */
export type FindToolIncludes = (text: string, from: IncludingFile) => ToolIncludes

interface IncludingFile {
  readonly source: string
  /** False for a file that is itself included. */
  readonly isArticle: boolean
}

export interface ToolIncludes {
  readonly includes: readonly FoundInclude[]
  /** 0-based lines that are left out. */
  readonly droppedLines: ReadonlySet<number>
  /** Files that would be included if they existed. */
  readonly absent?: readonly string[]
}

export const NO_TOOL_INCLUDES: ToolIncludes = { includes: [], droppedLines: new Set() }

/** Matches every text with `{% include "file" %}` or `[a](file ':include')`. */
export const QUOTED_SIGN = /\{%-?[ \t]*include[ \t]+"|[ \t]["']:include\b/

/** An include comment in place of a block, or the tool's syntax for one. */
export interface FoundInclude {
  readonly path: string
  /** 0-based line of the text. */
  readonly line: number
  /** Offset of the comment in its line. */
  readonly at: number
  /** Text that must stay before it on its line; in lists and quotes, their markers. */
  readonly before: string
  /** Prefix of each further line, so that it belongs to the same list or quote. */
  readonly indent: string
  /** Length of the comment. */
  readonly length: number
  /** Undefined: the whole file. */
  readonly part: SnippetPart | undefined
  /** Undefined: a comment on its own line. */
  readonly tool?: ToolInclude
}

export interface TextShape {
  readonly includes: readonly FoundInclude[]
  /** 0-based lines in fenced code, where tabs are text. */
  readonly codeLines: ReadonlySet<number>
}

export type ReadInclude = (html: string) => IncludeComment | undefined

/** Returns the include comments of a text with the given tree. Ignores code, other HTML, and comments within a line. */
export function findIncludes(
  tree: Root,
  lines: readonly string[],
  read: ReadInclude = readIncludeComment,
): TextShape {
  const includes: FoundInclude[] = []
  const codeLines = new Set<number>()
  const visit = (node: Nodes, parent: Parents | undefined): void => {
    if (node.type === 'html') includes.push(...includeOf(node, parent, { lines, read }))
    if (node.type === 'code') for (const line of linesOfFence(node, lines)) codeLines.add(line)
    if ('children' in node) for (const child of node.children) visit(child, node)
  }
  visit(tree, undefined)
  return { includes, codeLines }
}

const HOLDS_BLOCKS = new Set<Nodes['type']>(['root', 'blockquote', 'listItem', 'footnoteDefinition'])

function includeOf(
  node: Html,
  parent: Parents | undefined,
  { lines, read }: { readonly lines: readonly string[]; readonly read: ReadInclude },
): FoundInclude[] {
  const comment = read(node.value)
  if (comment === undefined || parent === undefined || !HOLDS_BLOCKS.has(parent.type)) return []
  const line = (node.position?.start.line ?? 0) - 1
  const text = lines[line]
  const at = text?.lastIndexOf('<!--') ?? -1
  if (text === undefined || at === -1) return []
  const isAtRoot = parent.type === 'root'
  const written = isAtRoot ? '' : text.slice(0, at)
  const indent = isAtRoot ? '' : indentOf(written, parent)
  const before = written.startsWith(indent) && written.trimEnd() === indent.trimEnd() ? indent : written
  return [
    {
      path: comment.path,
      line,
      at,
      before,
      indent,
      length: text.slice(at).trimEnd().length,
      part: comment.part,
    },
  ]
}

/** Replaces list markers and footnote labels with spaces, and keeps the `>` of quotes. */
function indentOf(before: string, parent: Parents): string {
  const indent = before
    .replace(/\[\^[^\]]*\]:[ \t]*/g, '    ')
    .replace(/(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)/g, (marker) => ' '.repeat(marker.length))
  const width = contentWidth(parent)
  // More indentation than necessary is allowed, but code would get the additional spaces.
  return width !== undefined && indent.slice(width).trim() === '' && !before.includes('\t')
    ? indent.slice(0, width)
    : indent
}

/** Returns the number of characters before the text of a list item, if its text starts on its first line. */
function contentWidth(parent: Parents): number | undefined {
  const [first] = parent.children
  if (parent.type !== 'listItem' || first?.position === undefined) return undefined
  if (first.type !== 'paragraph' || typeof parent.checked === 'boolean') return undefined
  return first.position.start.line === parent.position?.start.line
    ? first.position.start.column - 1
    : undefined
}

function linesOfFence({ position }: Nodes, lines: readonly string[]): number[] {
  if (position === undefined) return []
  const [from, to] = [position.start.line - 1, position.end.line]
  if (!/`{3}|~{3}/.test(lines[from] ?? '')) return []
  return Array.from({ length: to - from }, (_, index) => from + index)
}
