import type { TaxonomyMode } from '../core/config/schema.ts'
import { fileStorageOf, type Settings, type TargetSettings } from '../core/config/settings.ts'

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

/** The mode for categories and tags that differ. By default, only the built-in target is updated. */
export function taxonomyMode({ sync }: Settings, { kind }: TargetSettings): TaxonomyMode {
  return sync.taxonomy ?? (kind === 'builtin' ? 'update' : 'check')
}
