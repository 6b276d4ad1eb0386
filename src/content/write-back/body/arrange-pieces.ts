import type { Element } from 'hast'
import type { BlockMatch } from './match-blocks.ts'

/** A part of the new body: a group of blocks as its author wrote it, or blocks of the target. */
export type Piece =
  | { readonly kind: 'source'; readonly group: number }
  | {
      readonly kind: 'new'
      readonly nodes: readonly Element[]
      /** The group in whose place they stand. */
      readonly instead?: number
    }

/** What becomes of a group that renders to nothing in its place (definitions, comments, the title). */
export type SilentGroups = ReadonlyMap<number, Piece | 'drop'>

/**
 * Puts what stays and what is new in the order of the target. New blocks take the place of those that went; silent
 * groups stay where they are among their neighbours.
 */
export function arrangePieces(
  count: number,
  target: readonly Element[],
  { kept, groupOf }: BlockMatch,
  silent: SilentGroups,
): Piece[] {
  const pieces: Piece[] = []
  let run: Element[] = []
  let next = 0
  const passTo = (end: number): void => {
    pieces.push(...fillBetween({ first: next, end }, run, silent))
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
  passTo(count)
  return pieces
}

interface Span {
  readonly first: number
  readonly end: number
}

/** The pieces for the groups between two that stay: silent ones, and `run` in the place of the others. */
function fillBetween({ first, end }: Span, run: readonly Element[], silent: SilentGroups): Piece[] {
  const groups = Array.from({ length: end - first }, (_none, offset) => first + offset)
  const gone = groups.filter((group) => !silent.has(group))
  const pieces = groups.flatMap((group): Piece[] => {
    const piece = silent.get(group)
    if (piece !== undefined) return piece === 'drop' ? [] : [piece]
    const place = gone.indexOf(group)
    // One for one, and what is left over in the last place.
    const nodes = run.slice(place, place === gone.length - 1 ? run.length : place + 1)
    return nodes.length === 0 ? [] : [{ kind: 'new', nodes, instead: group }]
  })
  if (gone.length > 0 || run.length === 0) return pieces
  // Behind the block before, but never above what opens the file.
  return pieces.toSpliced(first === 0 ? 1 : 0, 0, { kind: 'new', nodes: run })
}
