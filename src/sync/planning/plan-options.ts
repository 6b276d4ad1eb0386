import { allowedDeletes } from '../../core/config/max-deletes.ts'
import { contentPrefix } from '../content-project.ts'
import { settleMsOf } from '../remote/await-listed.ts'
import type { SyncContentOptions } from '../sync-options.ts'
import { taxonomyMode } from '../taxonomy-mode.ts'
import type { PlanRunOptions } from './planned-run.ts'

/** A run's options as far as they decide what is planned. */
export function planOptions(options: SyncContentOptions): PlanRunOptions {
  const { settings, target, isSelected, mode, now, sleep } = options
  return {
    patience: mode === 'sync' ? { settleMs: settleMsOf(options), nowMs: now().getTime(), sleep } : undefined,
    project: settings.project,
    defaultLanguage: settings.defaultLanguage,
    contentPrefix: contentPrefix(settings),
    taxonomyMode: taxonomyMode(settings, target),
    prune: options.prune && isSelected === undefined,
    overwriteDrift: options.onConflict === 'overwrite',
    adopt: new Set(options.adopt),
    verify: options.verify,
    maxGone: (known: number) => (options.yes ? known : allowedDeletes(options.maxDeletes, known)),
    nowMs: now().getTime(),
    readsBeforeWrite:
      mode === 'sync' && options.savedPlan === undefined && options.onConflict !== 'overwrite',
    isSelected: isSelected ?? (() => true),
    isSought: (options.sources === undefined ? undefined : isSelected) ?? (() => true),
  }
}
