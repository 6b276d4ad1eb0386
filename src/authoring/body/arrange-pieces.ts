import type { Element, ElementContent, Parents } from 'hast'
import { type BlockMatch, pairKeys, blockKey } from './match-blocks.ts'
import { isSpace, type RenderedGroup, type SourceBlock, topNodes } from './source-blocks.ts'
import { NOTE_TAG } from '../../content/from-html/stand-ins.ts'

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
 * Arranges kept and new blocks in the order of the target. New blocks replace removed ones; silent groups keep their
 * neighbours.
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

/** The pieces between two kept groups: silent ones, and `run` instead of the others. */
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
    // A block without counterpart follows the one before it.
    place = places === undefined ? index : (places.get(index) ?? place)
    shares[place]?.push(block)
  })
  return shares
}

type Notes = ReadonlyMap<string, Element>

/** Removes the footnotes from a prepared tree; returns them by label. */
export function takeNotes(parent: Parents, found = new Map<string, Element>()): Map<string, Element> {
  parent.children = (parent.children as ElementContent[]).filter((child) => {
    if (child.type !== 'element') return true
    if (child.tagName !== NOTE_TAG) return !isEmptied(child, found)
    found.set(String(child.properties['title']).toLowerCase(), child)
    return false
  })
  return found
}

/** Removes the footnotes from an element. True if it contained nothing else, as services may remove such elements. */
function isEmptied(element: Element, found: Map<string, Element>): boolean {
  const count = element.children.length
  takeNotes(element, found)
  return element.children.length < count && element.children.every((child) => isSpace(child))
}

/** Decides about groups that render to nothing: all stay, except footnotes that were changed or removed. */
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
  // A note without a reference was never shown; the author may need it later.
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
