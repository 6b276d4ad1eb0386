import type { TaxonomyMode } from '../config/define-config.ts'
import type { Settings, TargetSettings } from '../config/settings.ts'

/** What happens to categories and tags that differ: where nothing is configured, only the built-in target is updated. */
export function taxonomyMode({ sync }: Settings, { kind }: TargetSettings): TaxonomyMode {
  return sync.taxonomy ?? (kind === 'builtin' ? 'update' : 'check')
}
