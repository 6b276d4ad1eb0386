import { statSync } from 'node:fs'
import { readJournal } from '../../../sync/state/journal.ts'
import { inspectLock, type LockStatus } from '../../../sync/state/lock.ts'
import { inspectState, type StateInspection } from '../../../sync/state/state-file.ts'
import { EMPTY_STATE } from '../../../core/model/target-state.ts'
import type { StateFiles } from '../../../sync/state/workspace.ts'
import { failureOf, type Finding, guarded, ok, spelledDuration, warning } from '../finding.ts'
import { pluralize } from '../../../core/pluralize.ts'

/** Checks the state of a target in .kb/state. */
export function checkState(files: StateFiles, project: string, now: Date) {
  const found = inspectState(files.state, project)
  const lock = inspectLock(files.lock, now)
  return {
    findings: [
      guarded('state.file', () => judgeState(found, files.state, project, now)),
      judgeLock(lock),
      judgeJournal(files, found.kind, lock),
    ],
    state: found.kind === 'known' ? found.state : EMPTY_STATE,
  }
}

const REBUILT = 'The next kb sync rebuilds it from the target.'

function judgeState(found: StateInspection, file: string, project: string, now: Date): Finding {
  switch (found.kind) {
    case 'missing':
      return ok(
        'state.file',
        'there is no state of this target yet; the next kb sync creates it from the target',
      )
    case 'damaged':
      return warning('state.file', `The state of this target is damaged (${found.reason}).`, REBUILT)
    case 'other-version':
      return warning(
        'state.file',
        'The state of this target was written by another version of kb-sync.',
        REBUILT,
      )
    case 'other-project':
      return warning(
        'state.file',
        `The state of this target was written for the project "${found.project}". The articles of that project are foreign to "${project}".`,
        `If you only renamed the project, set project back to '${found.project}'.`,
      )
    case 'known': {
      const count = pluralize(found.state.articles.length, 'article')
      const age = Math.max(0, now.getTime() - statSync(file).mtimeMs)
      return ok('state.file', `the state contains ${count} and was written ${spelledDuration(age)} ago`)
    }
  }
}

function judgeLock(lock: LockStatus): Finding {
  if (lock.kind === 'free') return ok('state.lock', 'no other kb is running')
  const { owner } = lock
  const who =
    owner === undefined ? 'a process' : `process ${owner.pid} on ${owner.host}, since ${owner.since}`
  return lock.kind === 'held'
    ? warning('state.lock', `Another kb is syncing: ${who}.`, 'Wait until it is finished.')
    : ok('state.lock', `a lock of ${who}, which no longer runs, is left; the next kb sync removes it`)
}

function judgeJournal(files: StateFiles, state: StateInspection['kind'], lock: LockStatus): Finding {
  try {
    const writes = readJournal(files.journal).length
    if (writes === 0 && state === 'missing') return ok('state.journal', 'there was no run yet')
    if (writes === 0) return ok('state.journal', 'the last run was complete')
    if (lock.kind === 'held')
      return ok('state.journal', `the current run has sent ${pluralize(writes, 'write')}`)
    return warning(
      'state.journal',
      `The last run was interrupted after ${pluralize(writes, 'write')}.`,
      'Run kb sync to complete it.',
    )
  } catch (error) {
    return failureOf('state.journal', error)
  }
}
