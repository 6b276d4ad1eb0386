import type { Nodes, Element } from 'hast'
import type { SourceRange, Position, Span } from '../../core/model/diagnostic.ts'
import type { LineMap } from '../includes/line-map.ts'
import { lineStarts, positionIn } from '../source/line-starts.ts'
import { decodeAddress } from '../source/link-address.ts'
import type { Definitions } from './mdast-to-hast.ts'

const LINES_OF_ONE_TAG = 20

type PositionedNode = Pick<Nodes, 'position'>

/** Finds the positions of nodes in the files of `body`. */
export interface SourceRanges {
  /** Returns the range of `node`; for generated nodes, the start of the body. */
  of(node: PositionedNode): SourceRange
  /** Returns the range of the start of `tag`, or of the name of its attribute. */
  ofTag(node: PositionedNode, tag: string, attribute?: string): SourceRange
  /** Returns the text of the node; '' for generated nodes. */
  textOf(node: PositionedNode): string
  /** Returns the range of a part of `textOf(node)`, between two offsets. */
  within(node: PositionedNode, from: number, to: number): SourceRange
}

/** Within a longer part, a search for a line break may take more time than to find all once. */
const MOST_SEARCHED = 1000

/** @param map set if `body` consists of several files */
export function createSourceRanges(body: string, lineOffset: number, map?: LineMap): SourceRanges {
  let lines: readonly string[] | undefined
  let starts: readonly number[] | undefined
  const toRange = map?.toRange ?? ((span: Span) => shift(span, lineOffset))
  const inBody = ({ position }: PositionedNode): Span => spanOf(position, 0)
  // The HTML parser ignores the indentation and `>` of lines in quotes and lists, so its columns may be too low.
  const startOf = ({ position }: PositionedNode) => position?.start.offset ?? 0
  const textOf = (node: PositionedNode) =>
    body.slice(startOf(node), node.position?.end.offset ?? startOf(node))
  return {
    // Generated nodes do not belong to an included file.
    of: (node) => {
      if (node.position === undefined) return { line: 1 + lineOffset, column: 1 }
      return map === undefined ? spanOf(node.position, lineOffset) : toRange(inBody(node))
    },
    textOf,
    within(node, from, to) {
      const start = inBody(node)
      if (to < MOST_SEARCHED && !/[\r\n]/.test(body.slice(startOf(node), startOf(node) + to))) {
        const { line, column } = start
        return toRange({ line, column: column + from, end: { line, column: column + to } })
      }
      starts ??= lineStarts(body, /\r\n|\n|\r/g)
      const first = positionIn(starts, startOf(node))
      const at = (offset: number): Position => {
        const { line, column } = positionIn(starts ?? [], startOf(node) + offset)
        const isOnFirst = line === first.line
        return { line: start.line + line - first.line, column: isOnFirst ? start.column + offset : column }
      }
      return toRange({ ...at(from), end: at(to) })
    },
    ofTag(node, tag, attribute) {
      lines ??= body.split(/\r\n|\n|\r/)
      const start = inBody(node)
      const open = seek(lines, start, new RegExp(`<${escape(tag)}`, 'i'), 1)
      if (open === undefined) return toRange(start)
      const name =
        attribute === undefined ? undefined : new RegExp(`(?<=[\\s"'/])${escape(attribute)}(?![\\w-])`, 'i')
      const named = name === undefined ? undefined : seek(lines, open, name, LINES_OF_ONE_TAG)
      const { line, column } = named ?? open
      const length = named === undefined ? tag.length + 1 : (attribute ?? '').length
      return toRange({ line, column, end: { line, column: column + length } })
    },
  }
}

/** The HTML parser does not set the end of every unclosed element. */
function spanOf(
  position: { readonly start?: Position | undefined; readonly end?: Position | undefined } = {},
  lines: number,
): Span {
  const { start = { line: 1, column: 1 }, end } = position
  const line = start.line + lines
  const { column } = start
  return end === undefined
    ? { line, column }
    : { line, column, end: { line: end.line + lines, column: end.column } }
}

function shift({ line, column, end }: Span, lines: number): Span {
  return { line: line + lines, column, ...(end && { end: { line: end.line + lines, column: end.column } }) }
}

/** Returns the first match at or after `from` within `count` lines. */
function seek(lines: readonly string[], from: Position, wanted: RegExp, count: number): Position | undefined {
  for (let line = from.line; line < from.line + count && line <= lines.length; line++) {
    const skipped = line === from.line ? from.column - 1 : 0
    const at = (lines[line - 1] ?? '').slice(skipped).search(wanted)
    if (at !== -1) return { line, column: skipped + at + 1 }
  }
  return undefined
}

function escape(text: string): string {
  return text.replace(/[^\w-]/g, String.raw`\$&`)
}

/** Returns the range of a URL, and for a reference also that of the URL in its definition. */
export function locateAddress(
  element: Element,
  url: string,
  ranges: SourceRanges,
  definitions: Definitions,
): SourceRange & { readonly definition?: Span } {
  const range = rangeOfAddress(element, url, ranges)
  const defined = definitions.get(element.position?.start.offset ?? -1)
  if (defined === undefined) return range
  const { line, column, end } = rangeOfAddress(defined, url, ranges)
  return { ...range, definition: { line, column, ...(end && { end }) } }
}

/**
 * Returns the range of the URL in a link, an image or a definition, without brackets and quotes; the range of the whole
 * node if the URL is elsewhere (a reference) or cannot be found in the text (escapes).
 */
export function rangeOfAddress(node: PositionedNode, url: string, ranges: SourceRanges): SourceRange {
  const text = ranges.textOf(node)
  const find = text.startsWith('<') ? inTag : inMarkdown
  for (const spelling of url.includes('%') ? [url, decodeAddress(url)] : [url]) {
    const at = find(text, spelling)
    if (at !== undefined) return ranges.within(node, at, at + spelling.length)
  }
  return ranges.of(node)
}

const LABEL = /^\[(?:[^\]\\]|\\[^])*\]:[\s>]*<?/

/** In a link around an image, the link's own URL is the last one. A bare URL is the whole text. */
function inMarkdown(text: string, url: string): number | undefined {
  if (text === url) return 0
  const label = LABEL.exec(text)?.[0].length
  if (label !== undefined) return text.startsWith(url, label) ? label : undefined
  for (const open of ['](', '](<']) {
    const at = text.lastIndexOf(`${open}${url}`)
    if (at !== -1) return at + open.length
  }
  return undefined
}

/** Finds a URL after the `=` of an attribute, or in an autolink `<https://…>`, but not in the tag's content. */
function inTag(text: string, url: string): number | undefined {
  if (text.startsWith(url, 1)) return 1
  const at = text.indexOf(url, text.search(/=\s*["']?/))
  return at === -1 ? undefined : at
}
