import type { FileStorage, Settings, TargetSettings } from '../core/config/settings.ts'
import { withStorage } from './for-target.ts'
import { readCapabilities } from './plan/target-capabilities.ts'
import { loadWritten } from './state/load-past.ts'
import { loadState } from './state/state-file.ts'
import { type StateFiles, stateFiles, workspaceOf } from './state/workspace.ts'
import type { SyncContentOptions } from './sync-options.ts'
import { type Announcement, createExtensions } from './remote/extensions.ts'

/**
 * Returns whether the target stores files. If the target neither answers nor has ever announced its extensions, storage
 * is assumed, and the run ends with its next request.
 *
 * @throws KbError INTERRUPTED, and what connecting throws
 */
export async function askForStorage(
  files: StateFiles,
  { settings, connect, now, verify, signal }: SyncContentOptions,
): Promise<{ readonly storage: FileStorage; readonly announced: Announcement | undefined }> {
  const state = loadWritten(files, settings.project)
  const session = await connect({ readOnly: true, signal })
  try {
    const extensions = createExtensions(session.client, state, { nowMs: now().getTime(), verify })
    const offers = await extensions.ask()
    const announced = extensions.known()
    const isKnown = announced !== undefined || state.extensions !== undefined
    return { storage: offers.files || !isKnown ? 'offered' : 'absent', announced }
  } finally {
    await session.close()
  }
}

/** Returns the configuration with the file storage that the target last announced, according to its state. */
export function withRememberedStorage(settings: Settings, target: TargetSettings): Settings {
  if (settings.assets.storage !== 'unknown') return settings
  const { state } = stateFiles(target, settings, workspaceOf(settings.root))
  const { extensions } = loadState(state, settings.project)
  if (extensions === undefined) return settings
  return withStorage(settings, readCapabilities(extensions).files ? 'offered' : 'absent')
}
