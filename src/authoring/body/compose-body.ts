import type { Element } from 'hast'
import type { Piece } from './arrange-pieces.ts'
import { NOTE_TAG } from '../../content/from-html/stand-ins.ts'
import { type ListContext, startOf } from './file-style.ts'
import { mergeList } from './merge-list.ts'
import { type RenderedGroup, type SourceBlock, topNodes } from './source-blocks.ts'

export interface ComposeContext {
  readonly body: string
  readonly blocks: readonly SourceBlock[]
  readonly groups: readonly RenderedGroup[]
  readonly eol: string
  readonly write: ListContext['write']
  /** The text to write instead of `written` for a block of the target. */
  readonly keep?: ((piece: Piece & { readonly kind: 'new' }, written: string) => string) | undefined
}

interface Written {
  readonly text: string
  readonly isNew: boolean
  /** Indices of the first and last source block that it is or replaces. */
  readonly first: number | undefined
  readonly last: number | undefined
  /** What could absorb the next block: the marker of a list, of any list, or a footnote. */
  readonly opens: string | undefined
  /** What it could be absorbed by: the marker of its list, or indented code. */
  readonly joins: string | undefined
}

const ANY = 'any list'
const NOTE = 'note'
const CODE = 'code'

/** Writes the pieces one after the other: the author's text byte for byte, new text with the file's line ends. */
export function composeBody(pieces: readonly Piece[], context: ComposeContext): string {
  const { body, blocks, eol } = context
  let text = body.slice(0, blocks[0]?.from ?? body.length)
  let before: Written | undefined
  for (const piece of pieces) {
    const written = writePiece(piece, context)
    if (written.text === '') continue
    if (before !== undefined) text += gapBetween(before, written, context)
    text += written.text
    before = written
  }
  const tail = body.slice(blocks.at(-1)?.to ?? body.length)
  return before === undefined || blocks.length > 0 ? text + tail : text + eol
}

function writePiece(piece: Piece, context: ComposeContext): Written {
  const { body, blocks, groups, eol, write, keep = asWritten } = context
  if (piece.kind === 'new') {
    const merged = writeMerged(piece, context)
    if (merged !== undefined) return merged
    const text = keep(piece, write(piece.nodes).trimEnd().replaceAll('\n', eol))
    const isList = (node: Element | undefined): boolean => node?.tagName === 'ul' || node?.tagName === 'ol'
    const last = piece.nodes.at(-1)
    const sign = piece.nodes.length === 1 ? signOf(text) : ANY
    const place = piece.instead === undefined ? undefined : groups[piece.instead]
    return {
      text,
      isNew: true,
      first: place?.first,
      last: place?.last,
      opens: isList(last) ? sign : last?.tagName === NOTE_TAG ? NOTE : undefined,
      joins: isList(piece.nodes[0]) ? signOf(text) : undefined,
    }
  }
  const { first, last } = groups[piece.group] as RenderedGroup
  const [start, end] = [blocks[first] as SourceBlock, blocks[last] as SourceBlock]
  const text = body.slice(start.from, end.to)
  return {
    text,
    isNew: false,
    first,
    last,
    opens:
      end.node.type === 'list'
        ? signOf(body.slice(end.from))
        : end.node.type === 'footnoteDefinition'
          ? NOTE
          : undefined,
    joins: start.node.type === 'list' ? signOf(text) : /^(?: {4}|\t)/.test(text) ? CODE : undefined,
  }
}

function asWritten(_piece: Piece, written: string): string {
  return written
}

/** A list that replaces a list; undefined if the two are too different. */
function writeMerged(piece: Piece & { readonly kind: 'new' }, context: ComposeContext): Written | undefined {
  const { body, blocks, groups, keep = asWritten } = context
  const group = piece.instead === undefined ? undefined : groups[piece.instead]
  const block = group?.first === group?.last ? blocks[group?.first ?? -1] : undefined
  const [after, ...others] = piece.nodes
  const [before] = topNodes(group?.nodes ?? [])
  const isList = block?.node.type === 'list' && others.length === 0
  if (!isList || group === undefined || before === undefined || after === undefined) return undefined
  const merged = mergeList(block.node, before, after, context)
  if (merged === undefined) return undefined
  const indent = body.slice(block.from, startOf(block.node))
  return {
    text: keep(piece, indent + merged),
    isNew: false,
    first: group.first,
    last: group.last,
    opens: signOf(merged),
    joins: signOf(merged),
  }
}

function gapBetween(before: Written, next: Written, { body, blocks, eol }: ComposeContext): string {
  const isNextTo = before.last !== undefined && next.first === before.last + 1
  const gap = isNextTo ? body.slice(blocks[before.last]?.to, blocks[next.first]?.from) : ''
  if (isNextTo && !before.isNew && !next.isNew) return gap
  if (wouldJoin(before, next)) return `${eol}${eol}<!-- -->${eol}${eol}`
  return /\n[ \t]*\r?\n/.test(gap) || isBelowHeading(before, blocks) ? gap || eol + eol : eol + eol
}

/** Two adjacent lists with the same marker would join, and indented code would join the list before it. */
function wouldJoin({ opens }: Written, { joins }: Written): boolean {
  if (opens === undefined || joins === undefined) return false
  return joins === CODE || opens === joins || opens === ANY
}

/** The marker that separates adjacent lists: `-`, `*`, `+`, `.` or `)`. */
function signOf(list: string): string {
  return /^\s*\d*([-*+.)])/.exec(list)?.[1] ?? ANY
}

function isBelowHeading({ isNew, last }: Written, blocks: readonly SourceBlock[]): boolean {
  return !isNew && last !== undefined && blocks[last]?.node.type === 'heading'
}
