import type { Element, ElementContent, Parents } from 'hast'
import type { Piece } from './arrange-pieces.ts'
import { blockKey } from './block-key.ts'
import { NOTE_TAG } from '../../content/from-html/stand-ins.ts'
import type { RenderedGroup, SourceBlock } from './source-blocks.ts'
import { topNodes } from './top-nodes.ts'

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
  const isSpace = (child: ElementContent): boolean => child.type === 'text' && child.value.trim() === ''
  return element.children.length < count && element.children.every(isSpace)
}

interface SortedSilent {
  readonly silent: Map<number, Piece | 'drop'>
  /** New footnotes. */
  readonly added: Piece[]
}

/** Decides about groups that render to nothing: all stay, except footnotes that were changed or removed. */
export function sortSilent(
  groups: readonly RenderedGroup[],
  blocks: readonly SourceBlock[],
  notes: { readonly before: Notes; readonly after: Notes },
): SortedSilent {
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
  return { silent, added }
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
