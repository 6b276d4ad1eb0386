import type { LinkOccurrence, Readdressed } from '../../content/link-occurrences/link-occurrence.ts'
import type { FileTree } from './file-tree.ts'
import { pathAfter, type PathMove } from './path-move.ts'
import { type MoveTarget, resolveOccurrence } from './resolve-occurrence.ts'
import { isSame, respellAddress } from './respell-address.ts'

/** The content before and after a move. */
export interface Relocation {
  readonly move: PathMove
  readonly before: FileTree
  readonly after: FileTree
}

export interface RewrittenLinks {
  readonly changes: readonly (Readdressed & { readonly occurrence: LinkOccurrence })[]
  /** Links for which no correct new text exists. */
  readonly lost: readonly LinkOccurrence[]
}

/** Returns the changes to the links of a file, which was `from` before, so that each keeps its target. Pure. */
export function rewriteLinks(
  occurrences: readonly LinkOccurrence[],
  from: string,
  { move, before, after }: Relocation,
): RewrittenLinks {
  const now = pathAfter(move, from)
  const changes: (Readdressed & { readonly occurrence: LinkOccurrence })[] = []
  const lost: LinkOccurrence[] = []
  for (const occurrence of occurrences) {
    const was = resolveOccurrence(occurrence, from, before)
    if (was === undefined) continue
    const target = targetAfter(was, move)
    if (isSame(resolveOccurrence(occurrence, now, after), target)) continue
    const written = respellAddress({ occurrence, from: now, tree: after }, target)
    if (written !== undefined) changes.push({ occurrence, written })
    // A link that was broken may stay broken in another way.
    else if (was.kind !== 'nothing') lost.push(occurrence)
  }
  return { changes, lost }
}

export function targetAfter(target: MoveTarget, move: PathMove): MoveTarget {
  return target.kind === 'file'
    ? { ...target, source: pathAfter(move, target.source) }
    : { ...target, path: pathAfter(move, target.path) }
}
