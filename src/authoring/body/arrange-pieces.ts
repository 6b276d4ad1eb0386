import type { Element } from 'hast'
import type { BlockMatch } from './match-blocks.ts'
import { pairKeys } from './block-key.ts'
import type { RenderedGroup } from './source-blocks.ts'
import { topNodes } from './top-nodes.ts'

/** A part of the new body: a group of blocks as its author wrote it, or blocks of the target. */
export type Piece =
  | { readonly kind: 'source'; readonly group: number }
  | {
      readonly kind: 'new'
      readonly nodes: readonly Element[]
      /** The group in whose place they stand. */
      readonly instead?: number
    }

type SilentGroups = ReadonlyMap<number, Piece | 'drop'>

/**
 * Puts what stays and what is new in the order of the target. New blocks take the place of those that went; silent
 * groups stay where they are among their neighbours.
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

/** The pieces for the groups between two that stay: silent ones, and `run` in the place of the others. */
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
  // Behind the block before, but never above what opens the file.
  return pieces.toSpliced(first === 0 ? 1 : 0, 0, { kind: 'new', nodes: run })
}

/** The blocks of `run` by the place they take: one for one, or where their numbers differ, those of one kind. */
function shareOut(run: readonly Element[], kinds: readonly string[]): Element[][] {
  const shares = kinds.map((): Element[] => [])
  const tags = run.map(({ tagName }) => tagName)
  const places = run.length === kinds.length ? undefined : pairKeys(kinds, tags)
  let place = 0
  run.forEach((block, index) => {
    // What has no counterpart stands with what is before it.
    place = places === undefined ? index : (places.get(index) ?? place)
    shares[place]?.push(block)
  })
  return shares
}
