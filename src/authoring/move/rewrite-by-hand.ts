import type { LinkPlace } from '../../content/link-places/link-place.ts'
import { resolvePlace } from './resolve-place.ts'
import { isSame } from './respell-place.ts'
import { type Relocation, rewriteLinks, targetAfter, type RewrittenLinks } from './rewrite-links.ts'
import { pathAfter } from './path-move.ts'

interface Readings {
  /** Lead somewhere only when read from the old place. */
  readonly old: LinkPlace[]
  /** Lead somewhere only when read from the new place. */
  readonly now: LinkPlace[]
  /** Lead to different files or folders from the two places. */
  readonly doubtful: LinkPlace[]
}

/**
 * The links of a file that was moved by other means: it may have been put right already, wholly or in part. What leads
 * somewhere from the old place only is rewritten; what leads somewhere from both is, too, where the rest of the file is
 * as it was, and is named where that cannot be said.
 */
export function rewriteByHand(
  places: readonly LinkPlace[],
  from: string,
  relocation: Relocation,
): RewrittenLinks & { readonly doubtful: readonly LinkPlace[] } {
  const { old, now, doubtful } = readBoth(places, from, relocation)
  const isUntouched = old.length > 0 && now.length === 0
  const { changes, lost } = rewriteLinks(isUntouched ? [...old, ...doubtful] : old, from, relocation)
  const isUnclear = !isUntouched && (old.length > 0 || now.length === 0)
  return { changes, lost, doubtful: isUnclear ? doubtful : [] }
}

function readBoth(places: readonly LinkPlace[], from: string, relocation: Relocation): Readings {
  const { move, before, after } = relocation
  const found: Readings = { old: [], now: [], doubtful: [] }
  for (const place of places) {
    const was = resolvePlace(place, from, before)
    const is = resolvePlace(place, pathAfter(move, from), after)
    if (was === undefined || is === undefined || isSame(is, targetAfter(was, move))) continue
    if (was.kind !== 'nothing' && is.kind === 'nothing') found.old.push(place)
    else if (was.kind === 'nothing' && is.kind !== 'nothing') found.now.push(place)
    else if (was.kind !== 'nothing') found.doubtful.push(place)
  }
  return found
}
