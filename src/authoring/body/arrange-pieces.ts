import type { Element } from 'hast'
import type { BlockMatch } from './match-blocks.ts'
import { pairKeys } from './block-key.ts'
import type { RenderedGroup } from './source-blocks.ts'
import { topNodes } from './top-nodes.ts'

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

interface Span {
  readonly first: number
  readonly end: number
}

/** The pieces between two kept groups: silent ones, and `run` instead of the others. */
function fillBetween(
  { first, end }: Span,
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
