import { isDeepStrictEqual } from 'node:util'
import { relative } from 'node:path'
import { KbError } from '../core/errors/kb-error.ts'
import type { LiveContent } from './live-content/live-content.ts'
import { announce } from './announce.ts'
import { closeTarget } from './close-target.ts'
import { NOTHING_HELD } from './held-back.ts'
import { forgetWaiting } from './rescan.ts'
import { withRunSignal } from '../core/with-run-signal.ts'
import { createOperationReporter } from './operation-reporter.ts'
import type { WatchedProject } from './watch-options.ts'
import { nowMsOf, type WatchState } from './watch-state.ts'

export interface Reloaded {
  /** The files of the configuration that is there now, whether or not it is good; undefined where nobody knows. */
  readonly files: readonly string[] | undefined
  readonly failure: KbError | undefined
}

/**
 * Reads the configuration anew. A good one takes effect with the next look; with a bad one the last good one holds.
 *
 * @param before the failure of the last time
 */
export async function reloadConfig(state: WatchState, before: KbError | undefined): Promise<Reloaded> {
  const { options } = state
  state.changes.takeConfig()
  let files: readonly string[] | undefined
  try {
    const next = await options.reload((told) => {
      files = told
    })
    assertConfigIsThere(state.project, next)
    const restartFor = restartKeys(state.project, next)
    const isOther = !isSameProject(state.project, next)
    if (isOther) await takeOver(state, next)
    if (isOther || before !== undefined)
      options.onEvent({ kind: 'configured', failure: undefined, restartFor })
    return { files, failure: undefined }
  } catch (failure) {
    if (!(failure instanceof KbError)) throw failure
    if (failure.message !== before?.message) options.onEvent({ kind: 'configured', failure, restartFor: [] })
    return { files, failure }
  }
}

/** Without its file a project would have other articles and another target: more likely it is about to come back. */
function assertConfigIsThere({ settings: before }: WatchedProject, { settings: now }: WatchedProject): void {
  if (before.configFile === undefined || now.configFile !== undefined) return
  throw new KbError('CONFIG_UNREADABLE', `${relative(before.root, before.configFile)} is gone.`, {
    hint: 'Put it back, or start kb watch again to go on without it.',
  })
}

function isSameProject(before: WatchedProject, now: WatchedProject): boolean {
  // What a function of the configuration makes of its modules cannot be told from here.
  if (before.settings.hasFunctions || now.settings.hasFunctions) return false
  const isSameFile = before.settings.configFile === now.settings.configFile
  const isSameSettings = before.settings.settingsDigest === now.settings.settingsDigest
  return isSameFile && isSameSettings && isDeepStrictEqual(before.target, now.target)
}

function restartKeys({ settings: before }: WatchedProject, { settings: now }: WatchedProject): string[] {
  const keys = ['host', 'port'] as const
  return keys.filter((key) => before.server[key] !== now.server[key]).map((key) => `server.${key}`)
}

/** @throws KbError CONTENT_UNREADABLE …: a configuration whose files cannot be read is as good as none */
async function takeOver(state: WatchState, project: WatchedProject): Promise<void> {
  const content = await openReadable(state, project)
  state.content.close()
  const { target } = state
  state.target = undefined
  await closeTarget(target)
  state.project = project
  state.content = content
  state.articles = new Set()
  state.sent = undefined
  // The look that follows knows of something to send, always.
  state.isSendDue = false
  state.edited = undefined
  state.held = NOTHING_HELD
  state.targetProblems = []
  state.orphans = []
  state.unprunable = undefined
  state.toldGuard = undefined
  state.operations = createOperationReporter()
  state.isOfferTold = project.target.kind === 'builtin'
  forgetWaiting(state)
  state.sendBackoff.clear()
  state.reloadBackoff.clear()
  state.changes.touch({ kind: 'folders' }, nowMsOf(state))
  announce(state, undefined)
}

async function openReadable({ options }: WatchState, { settings }: WatchedProject): Promise<LiveContent> {
  const content = await options.openContent(settings)
  try {
    await withRunSignal(options.signal, (signal) => content.refresh({ signal }))
    return content
  } catch (error) {
    content.close()
    throw error
  }
}
