import type { Element } from 'hast'
import type { Piece } from './arrange-pieces.ts'
import { NOTE_TAG } from '../html/stand-ins.ts'
import { type ListContext, startOf } from './list-context.ts'
import { mergeList } from './merge-list.ts'
import type { RenderedGroup, SourceBlock } from './source-blocks.ts'
import { topNodes } from './top-nodes.ts'

export interface ComposeContext {
  readonly body: string
  readonly blocks: readonly SourceBlock[]
  readonly groups: readonly RenderedGroup[]
  readonly eol: string
  readonly write: ListContext['write']
  /** Whether lists take what differs item by item. */
  readonly mergesLists: boolean
}

interface Written {
  readonly text: string
  readonly isNew: boolean
  /** Numbers of the first and last source block that it is or stands in the place of. */
  readonly first: number | undefined
  readonly last: number | undefined
  /** Whether the next block could be read as part of it, and whether it could be of the one before. */
  readonly opens: boolean
  readonly joins: boolean
}

/** Writes the pieces one below the other: the author's text to the byte, new text with the file's line ends. */
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
  const { body, blocks, groups, eol, write } = context
  if (piece.kind === 'new') {
    const merged = writeMerged(piece, context)
    if (merged !== undefined) return merged
    const text = write(piece.nodes).trimEnd().replaceAll('\n', eol)
    const isList = (node: Element | undefined): boolean => node?.tagName === 'ul' || node?.tagName === 'ol'
    const isNote = piece.nodes.at(-1)?.tagName === NOTE_TAG
    const place = piece.instead === undefined ? undefined : groups[piece.instead]
    return {
      text,
      isNew: true,
      first: place?.first,
      last: place?.last,
      opens: isNote || isList(piece.nodes.at(-1)),
      joins: isList(piece.nodes[0]),
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
    opens: end.node.type === 'list' || end.node.type === 'footnoteDefinition',
    joins: start.node.type === 'list' || /^(?: {4}|\t)/.test(text),
  }
}

/** A list in the place of a list; undefined where the two have to be taken for different ones. */
function writeMerged(piece: Piece & { readonly kind: 'new' }, context: ComposeContext): Written | undefined {
  const { body, blocks, groups, mergesLists } = context
  const group = piece.instead === undefined ? undefined : groups[piece.instead]
  const block = group?.first === group?.last ? blocks[group?.first ?? -1] : undefined
  const [after, ...others] = piece.nodes
  const [before] = topNodes(group?.nodes ?? [])
  const isList = mergesLists && block?.node.type === 'list' && others.length === 0
  if (!isList || group === undefined || before === undefined || after === undefined) return undefined
  const merged = mergeList(block.node, before, after, context)
  if (merged === undefined) return undefined
  const indent = body.slice(block.from, startOf(block.node))
  return {
    text: indent + merged,
    isNew: false,
    first: group.first,
    last: group.last,
    opens: true,
    joins: true,
  }
}

function gapBetween(before: Written, next: Written, { body, blocks, eol }: ComposeContext): string {
  const isNextTo = before.last !== undefined && next.first === before.last + 1
  const gap = isNextTo ? body.slice(blocks[before.last]?.to, blocks[next.first]?.from) : ''
  if (isNextTo && !before.isNew && !next.isNew) return gap
  // Two lists that now meet would become one, and indented code a part of the list before it.
  if (before.opens && next.joins) return `${eol}${eol}<!-- -->${eol}${eol}`
  return /\n[ \t]*\r?\n/.test(gap) || isBelowHeading(before, blocks) ? gap || eol + eol : eol + eol
}

function isBelowHeading({ isNew, last }: Written, blocks: readonly SourceBlock[]): boolean {
  return !isNew && last !== undefined && blocks[last]?.node.type === 'heading'
}
