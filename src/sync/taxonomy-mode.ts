import type { TaxonomyMode } from '../core/config/schema.ts'
import type { Settings, TargetSettings } from '../core/config/settings.ts'

/** The configuration with its setting for categories and tags on one target. */
export function withTaxonomyMode(settings: Settings, target: TargetSettings): Settings {
  return { ...settings, sync: { ...settings.sync, taxonomy: taxonomyMode(settings, target) } }
}

/** The mode for categories and tags that differ. By default, only the built-in target is updated. */
export function taxonomyMode({ sync }: Settings, { kind }: TargetSettings): TaxonomyMode {
  return sync.taxonomy ?? (kind === 'builtin' ? 'update' : 'check')
}
