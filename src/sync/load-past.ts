import type { TargetState } from '../core/model/target-state.ts'
import { recoverState } from './plan/recover-state.ts'
import { readJournal } from './state/journal.ts'
import { loadForeign, loadState } from './state/state-file.ts'
import type { StateFiles } from './state-files.ts'

/** What earlier runs know of a target, those included that were cut off. */
export function loadPast(files: StateFiles, project: string): TargetState {
  return recoverState(loadWritten(files, project), readJournal(files.journal))
}

/** What the state file says. Two projects of one folder share it: what one knows as its own is foreign to the other. */
export function loadWritten({ state: file }: Pick<StateFiles, 'state'>, project: string): TargetState {
  const state = loadState(file, project)
  return state.isKnown ? state : { ...state, foreign: loadForeign(file, project) }
}
