import { KbError } from '../core/errors/kb-error.ts'
import { announce, announceOutage } from './announce.ts'
import { nowMsOf, wantsPrune, type WatchState } from './watch-state.ts'

/** Whether all files were looked at in a quiet moment, and that was not told yet. */
export function isSettling({ unsettledLookMs, changes, isSendDue, held, flight }: WatchState): boolean {
  if (flight !== undefined) return false
  const isLookedAt = changes.lastTouchMs === undefined && changes.sources.size === 0
  return unsettledLookMs !== undefined && isLookedAt && (!isSendDue || held.isEverything)
}

/** Writes down what is only in memory, and tells which files are gone for good. */
export async function settle(state: WatchState): Promise<void> {
  const { options } = state
  const lookedAtMs = state.unsettledLookMs
  state.unsettledLookMs = undefined
  tellLost(state)
  try {
    await state.target?.flush()
  } catch (error) {
    if (!(error instanceof KbError)) throw error
    state.isSendDue = true
    announceOutage(state, error, state.sendTrouble.add(error, nowMsOf(state)))
  }
  announce(state)
  if (lookedAtMs !== undefined) options.onEvent({ kind: 'settled', lookedAtMs })
}

function tellLost(state: WatchState): void {
  const { options, orphans, gone, lost } = state
  if (state.isReady && !wantsPrune(state))
    for (const { source, slug } of gone.news(orphans)) {
      options.onEvent({ kind: 'orphaned', source, slug })
      lost.delete(source)
    }
  const sources = [...lost].toSorted()
  lost.clear()
  if (sources.length > 0) options.onEvent({ kind: 'gone', sources })
}
