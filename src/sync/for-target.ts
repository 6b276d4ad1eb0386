import type { TaxonomyMode } from '../core/config/schema.ts'
import { fileStorageOf, type Settings, type TargetSettings } from '../core/config/settings.ts'
import { readCapabilities } from './plan/target-capabilities.ts'
import { stateFiles, workspaceOf } from './state/workspace.ts'

/** The configuration for one target: how its categories and tags are compared, and whether it stores files. */
export function forTarget(settings: Settings, target: TargetSettings): Settings {
  return withStorage(
    { ...settings, sync: { ...settings.sync, taxonomy: taxonomyMode(settings, target) } },
    fileStorageOf(target),
  )
}

export function withStorage(settings: Settings, storage: Settings['assets']['storage']): Settings {
  return { ...settings, assets: { ...settings.assets, storage } }
}

/** Returns the configuration with the file storage that the target last announced, according to its state. */
export async function withRememberedStorage(settings: Settings, target: TargetSettings): Promise<Settings> {
  if (settings.assets.storage !== 'unknown') return settings
  const { loadState } = await import('./state/state-file.ts')
  const { state } = stateFiles(target, settings, workspaceOf(settings.root))
  const { extensions } = loadState(state, settings.project)
  if (extensions === undefined) return settings
  return withStorage(settings, readCapabilities(extensions).files ? 'offered' : 'absent')
}

/** The mode for categories and tags that differ. By default, only the built-in target is updated. */
export function taxonomyMode({ sync }: Settings, { kind }: TargetSettings): TaxonomyMode {
  return sync.taxonomy ?? (kind === 'builtin' ? 'update' : 'check')
}
