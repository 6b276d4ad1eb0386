import type { SyncContentOptions } from '../../sync/sync-options.ts'
import type { LiveRunOptions } from './live-target.ts'

export type LiveTargetOptions = Pick<
  SyncContentOptions,
  | 'settings'
  | 'target'
  | 'connect'
  | 'onConflict'
  | 'adopt'
  | 'maxDeletes'
  | 'yes'
  | 'wayPastGuards'
  | 'concurrency'
  | 'now'
  | 'sleep'
>

/** The options of one run. */
export function toSyncOptions(
  options: LiveTargetOptions,
  {
    onProgress,
    ...run
  }: Omit<LiveRunOptions, 'held'> & { readonly isSelected?: SyncContentOptions['isSelected'] },
): SyncContentOptions {
  return {
    ...options,
    ...run,
    mode: 'sync',
    verify: false,
    onProgress:
      onProgress === undefined
        ? undefined
        : (phase, done, total) => phase === 'send' && onProgress(done, total),
  }
}
