import { type MaxDeletes, parseMaxDeletes } from '../core/config/max-deletes.ts'
import type { Settings } from '../core/config/settings.ts'
import { KbError } from '../core/errors/kb-error.ts'
import type { SyncContentOptions as SyncTask } from '../sync/sync-options.ts'
import { assertSources } from './assert-sources.ts'
import type { SyncOptions } from './run-options.ts'

/**
 * What plan and sync are to do: the options, and the configuration where they say nothing.
 *
 * @throws KbError USAGE
 */
export function syncTaskOf(
  options: SyncOptions,
  settings: Settings,
): Pick<SyncTask, 'sources' | 'prune' | 'onConflict' | 'adopt' | 'maxDeletes' | 'yes' | 'verify'> {
  assertSources(options.sources, settings.contentRoot)
  return {
    sources: options.sources,
    prune: options.prune ?? settings.sync.prune,
    onConflict: options.onConflict ?? settings.sync.onConflict,
    adopt: options.adopt ?? [],
    maxDeletes: maxDeletesOf(options, settings),
    yes: options.yes ?? false,
    verify: options.verify ?? false,
  }
}

function maxDeletesOf({ maxDeletes }: SyncOptions, settings: Settings): MaxDeletes {
  if (maxDeletes === undefined) return settings.sync.maxDeletes
  const parsed = parseMaxDeletes(maxDeletes)
  if (parsed !== undefined) return parsed
  throw new KbError('USAGE', `"${maxDeletes}" is neither a number nor a percentage.`, {
    hint: 'Write 5 or 10%.',
  })
}
