import { createSourceFilter } from '../../content/source/find-sources.ts'
import type { KbError } from '../../core/errors/kb-error.ts'
import { type FileWatcher, watchFiles } from './watch-files.ts'
import { type Touch, watchedPaths } from './watched-paths.ts'
import type { Settings } from '../../core/config/settings.ts'

/** Watches the files of the current configuration. */
export interface ProjectWatcher {
  /** Creates a new watcher if other folders or configuration files must be watched, or if one was lost. */
  readonly adjust: (settings: Settings, configFiles: readonly string[]) => Promise<void>
  /** True if each folder is watched as it exists now. */
  readonly isCurrent: () => boolean
  readonly close: () => Promise<void>
}

/** @throws KbError WATCH_FAILED */
export async function watchProject(
  first: Settings,
  configFiles: readonly string[],
  onTouch: (touch: Touch) => void,
  onFailure: (failure: KbError) => void,
): Promise<ProjectWatcher> {
  let watcher = await open(first, configFiles)
  let watched = keyOf(first, configFiles)

  async function open(settings: Settings, files: readonly string[]): Promise<FileWatcher> {
    const isIncluded = await createSourceFilter(settings.include, settings.exclude)
    return watchFiles(
      watchedPaths(settings, files, (source) => !isIncluded(source)),
      onTouch,
      onFailure,
    )
  }

  return {
    adjust: async (settings, files) => {
      const key = keyOf(settings, files)
      if (key === watched && watcher.isCurrent()) return
      await watcher.close()
      watcher = await open(settings, files)
      watched = key
      // Changes in between were not seen.
      onTouch({ kind: 'folders' })
      onTouch({ kind: 'config', isKnown: true })
    },
    isCurrent: () => watcher.isCurrent(),
    close: () => watcher.close(),
  }
}

function keyOf({ contentRoot, include, exclude }: Settings, configFiles: readonly string[]): string {
  return JSON.stringify([contentRoot, include, exclude, configFiles.toSorted()])
}
