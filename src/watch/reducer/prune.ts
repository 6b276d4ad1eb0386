import type { Orphan } from '../../core/model/plan.ts'
import { isError } from '../../core/model/diagnostic.ts'
import { isRetried } from './unsent-operations.ts'
import type { WatchState } from './watch-state.ts'

export function wantsPrune({ prune, project }: WatchState): boolean {
  return prune ?? project.settings.sync.prune
}

/** Nothing is deleted while files are added or removed. */
export function mayPrune(state: WatchState): boolean {
  const { held, changes, targetProblems, unsent } = state
  const isRefused = targetProblems.some(isError)
  // The article of a moved file must not be deleted before its replacement exists.
  const isAllSent = !isRetried(unsent)
  const isNothingHeld = held.sources.size === 0 && !held.isEverything && !isRefused && isAllSent
  return wantsPrune(state) && isNothingHeld && changes.lastTouchMs === undefined
}

/** True if there are orphans that no sync has tried to delete. */
export function isPruneDue(state: WatchState): boolean {
  return state.orphans.length > 0 && mayPrune(state) && idsOf(state.orphans) !== state.unprunable
}

/** The ids of the orphans, as one text. */
export function idsOf(orphans: readonly Orphan[]): string {
  return orphans.map(({ id }) => id).join(' ')
}
