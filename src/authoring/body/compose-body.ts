import type { Element, ElementContent, Parents } from 'hast'
import { NOTE_TAG } from '../../content/from-html/stand-ins.ts'
import { type ListContext, startOf } from './file-style.ts'
import { mergeList } from './merge-list.ts'
import { type RenderedGroup, type SourceBlock, topNodes, isSpace } from './source-blocks.ts'
import { type BlockMatch, pairKeys, blockKey } from './match-blocks.ts'

export interface ComposeContext {
  readonly body: string
  readonly blocks: readonly SourceBlock[]
  readonly groups: readonly RenderedGroup[]
  readonly eol: string
  readonly write: ListContext['write']
  /** Returns the text to write instead of `written` for a block of the target. */
  readonly keep?: ((piece: Piece & { readonly kind: 'new' }, written: string) => string) | undefined
}

interface Written {
  readonly text: string
  readonly isNew: boolean
  /** Indexes of the first and last source block that it is or replaces. */
  readonly first: number | undefined
  readonly last: number | undefined
  /** What could absorb the next block: the marker of a list, any list marker, or a footnote. */
  readonly opens: string | undefined
  /** What it could be absorbed by: the marker of its list, or indented code. */
  readonly joins: string | undefined
}

const ANY = 'any list'
const NOTE = 'note'
const CODE = 'code'

/** Writes the pieces one after the other: the author's text byte-identical, new text with the file's line endings. */
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

/** Writes a list that replaces a list; undefined if the two are too different. */
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

/** Returns true if the blocks would join: two adjacent lists with the same marker, or indented code after a list. */
function wouldJoin({ opens }: Written, { joins }: Written): boolean {
  if (opens === undefined || joins === undefined) return false
  return joins === CODE || opens === joins || opens === ANY
}

/** Returns the marker that separates adjacent lists: `-`, `*`, `+`, `.` or `)`. */
function signOf(list: string): string {
  return /^\s*\d*([-*+.)])/.exec(list)?.[1] ?? ANY
}

function isBelowHeading({ isNew, last }: Written, blocks: readonly SourceBlock[]): boolean {
  return !isNew && last !== undefined && blocks[last]?.node.type === 'heading'
}

/** A part of the new body: a group of the author's blocks, or blocks of the target. */
export type Piece =
  | { readonly kind: 'source'; readonly group: number }
  | {
      readonly kind: 'new'
      readonly nodes: readonly Element[]
      /** The group that they replace. */
      readonly instead?: number
    }

type SilentGroups = ReadonlyMap<number, Piece | 'drop'>

/**
 * Orders kept and new blocks as on the target. New blocks replace removed ones; silent groups keep their neighbours.
 */
export function arrangePieces(
  groups: readonly RenderedGroup[],
  target: readonly Element[],
  { kept, groupOf }: BlockMatch,
  silent: SilentGroups,
): Piece[] {
  const pieces: Piece[] = []
  let run: Element[] = []
  let next = 0
  const passTo = (end: number): void => {
    pieces.push(...fillBetween({ first: next, end }, run, silent, groups))
    run = []
    next = end
  }
  target.forEach((block, index) => {
    const group = groupOf[index]
    if (group === undefined) run.push(block)
    else if (group >= next && kept.has(group)) {
      passTo(group)
      pieces.push({ kind: 'source', group })
      next = group + 1
    }
  })
  passTo(groups.length)
  return pieces
}

/** Returns the pieces between two kept groups: silent ones, and `run` instead of the others. */
function fillBetween(
  { first, end }: { readonly first: number; readonly end: number },
  run: readonly Element[],
  silent: SilentGroups,
  rendered: readonly RenderedGroup[],
): Piece[] {
  const groups = Array.from({ length: end - first }, (_none, offset) => first + offset)
  const gone = groups.filter((group) => !silent.has(group))
  const shares = shareOut(
    run,
    gone.map((group) => topNodes(rendered[group]?.nodes ?? [])[0]?.tagName ?? ''),
  )
  const pieces = groups.flatMap((group): Piece[] => {
    const piece = silent.get(group)
    if (piece !== undefined) return piece === 'drop' ? [] : [piece]
    const nodes = shares[gone.indexOf(group)] ?? []
    return nodes.length === 0 ? [] : [{ kind: 'new', nodes, instead: group }]
  })
  if (gone.length > 0 || run.length === 0) return pieces
  // After the previous block, but never before the text that starts the file.
  return pieces.toSpliced(first === 0 ? 1 : 0, 0, { kind: 'new', nodes: run })
}

/** Assigns the blocks of `run` to places: one to one, or by kind if their numbers differ. */
function shareOut(run: readonly Element[], kinds: readonly string[]): Element[][] {
  const shares = kinds.map((): Element[] => [])
  const tags = run.map(({ tagName }) => tagName)
  const places = run.length === kinds.length ? undefined : pairKeys(kinds, tags)
  let place = 0
  run.forEach((block, index) => {
    // A block without a counterpart follows the previous one.
    place = places === undefined ? index : (places.get(index) ?? place)
    shares[place]?.push(block)
  })
  return shares
}

type Notes = ReadonlyMap<string, Element>

/** Removes the footnotes from a prepared tree and returns them by label. */
export function takeNotes(parent: Parents, found = new Map<string, Element>()): Map<string, Element> {
  parent.children = (parent.children as ElementContent[]).filter((child) => {
    if (child.type !== 'element') return true
    if (child.tagName !== NOTE_TAG) return !isEmptied(child, found)
    found.set(String(child.properties['title']).toLowerCase(), child)
    return false
  })
  return found
}

/** Removes footnotes from an element. True if it contained nothing else, as services may remove such elements. */
function isEmptied(element: Element, found: Map<string, Element>): boolean {
  const count = element.children.length
  takeNotes(element, found)
  return element.children.length < count && element.children.every((child) => isSpace(child))
}

/** Handles groups that render to nothing: all stay, except footnotes that were changed or removed. */
export function sortSilent(
  groups: readonly RenderedGroup[],
  blocks: readonly SourceBlock[],
  notes: { readonly before: Notes; readonly after: Notes },
) {
  const silent = new Map<number, Piece | 'drop'>()
  const written = new Set<string>()
  groups.forEach(({ first, last, nodes }, group) => {
    if (topNodes(nodes).length > 0) return
    const node = first === last ? blocks[first]?.node : undefined
    const isNote = node?.type === 'footnoteDefinition' && !written.has(node.identifier.toLowerCase())
    const label = isNote ? node.identifier.toLowerCase() : undefined
    if (label !== undefined) written.add(label)
    silent.set(group, label === undefined ? { kind: 'source', group } : pieceOf(label, group, notes))
  })
  const added = [...notes.after].flatMap(([label, note]): Piece[] =>
    written.has(label) || isSame(label, notes) ? [] : [{ kind: 'new', nodes: [note] }],
  )
  return {
    silent,
    /** New footnotes. */
    added,
  }
}

function pieceOf(label: string, group: number, notes: { before: Notes; after: Notes }): Piece | 'drop' {
  const note = notes.after.get(label)
  // A note without a reference was never shown, but the author may need it later.
  if (note === undefined) return notes.before.has(label) ? 'drop' : { kind: 'source', group }
  return isSame(label, notes) ? { kind: 'source', group } : { kind: 'new', nodes: [note], instead: group }
}

function isSame(label: string, { before, after }: { before: Notes; after: Notes }): boolean {
  const [old, now] = [before.get(label), after.get(label)]
  return old !== undefined && now !== undefined && keyOf(old) === keyOf(now)
}

function keyOf(note: Element): string {
  return topNodes(note.children).map(blockKey).join('\u0003')
}
