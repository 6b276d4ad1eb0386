import { createSourceFilter } from '../../content/source/find-sources.ts'
import { KbError, reasonWithoutPath } from '../../core/errors/kb-error.ts'
import { type Touch, watchedPaths, type WatchedPaths } from './watched-paths.ts'
import type { Settings } from '../../core/config/settings.ts'
import { type Stats, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type FSWatcher, watch } from 'chokidar'
import { entriesOf } from '../../core/paths.ts'

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

interface FileWatcher {
  /**
   * True if each folder is watched as it exists now. A folder that was removed and created again at once may no longer
   * be watched; then only a new watcher sees its changes.
   */
  readonly isCurrent: () => boolean
  readonly close: () => Promise<void>
}

/**
 * Watches folders instead of files: this needs a twentieth of the system's watches, and a folder reports the changes of
 * its files. Changes are reported at once, and possibly more than once. Resolves when everything is watched.
 *
 * @throws KbError WATCH_FAILED
 */
async function watchFiles(
  paths: WatchedPaths,
  onTouch: (touch: Touch) => void,
  onFailure: (failure: KbError) => void,
): Promise<FileWatcher> {
  const folders = new Map<string, string>()
  const watcher = openChokidar(paths)
  watcher.on('addDir', (path, stats) => {
    if (stats !== undefined) folders.set(path, identityOf(stats))
  })
  watcher.on('unlinkDir', (path) => void folders.delete(path))
  let fail = onFailure
  watcher.on('error', (error) => {
    const failure = explainWatchFailure(error)
    if (failure !== undefined) fail(failure)
  })
  try {
    await new Promise<void>((done, reject) => {
      fail = reject
      watcher.once('ready', done)
    })
  } catch (error) {
    await watcher.close()
    throw error
  }
  fail = onFailure
  const touch = (path: string) => {
    const touched = paths.classify(path)
    if (touched !== undefined) onTouch(touched)
  }
  // The raw event of the file system: chokidar's own event comes later, and omits a second change within 50 ms.
  watcher.on('raw', (_event, name: string | null, details: unknown) => {
    const { watchedPath = '' } = details as { readonly watchedPath?: string }
    if (name === null) onTouch({ kind: 'folders' })
    else touch(resolve(watchedPath, name))
  })
  watcher.on('all', (_event, path) => touch(path))
  return { isCurrent: () => isEveryFolderWatched(paths, folders), close: () => watcher.close() }
}

function openChokidar(paths: WatchedPaths): FSWatcher {
  const isIgnored = (path: string, stats: Stats | undefined) => {
    // It is not known yet if this is a folder.
    if (stats === undefined) return false
    if (stats.isDirectory()) return !paths.isWatchedFolder(path)
    // With CHOKIDAR_USEPOLLING, a folder does not report changes of its files.
    return !watcher.options.usePolling || paths.classify(path) === undefined
  }
  const watcher: FSWatcher = watch([], {
    followSymlinks: false,
    // The option would delay removals, and ignore files that look like those of an editor.
    atomic: false,
    ignored: (path, stats) => isIgnored(resolve(path), stats),
  })
  return watcher.add([...paths.roots])
}

/** An inode number may be reused for the next folder, a birth time is not. */
function identityOf({ ino, birthtimeMs }: Stats): string {
  return `${ino} ${birthtimeMs}`
}

function isEveryFolderWatched(paths: WatchedPaths, folders: ReadonlyMap<string, string>): boolean {
  const pending = [...paths.outer, paths.contentRoot]
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const identity = identityIfThere(folder)
    if (identity === undefined) continue
    if (folders.get(folder) !== identity) return false
    if (!paths.outer.has(folder) || folder === paths.contentRoot)
      pending.push(...foldersIn(folder).filter(paths.isWatchedFolder))
  }
  return true
}

function identityIfThere(folder: string): string | undefined {
  try {
    return identityOf(statSync(folder))
  } catch {
    return undefined
  }
}

function foldersIn(folder: string): string[] {
  // Reading the content reports an unreadable folder.
  return entriesOf(folder).flatMap((entry) => (entry.isDirectory() ? [join(folder, entry.name)] : []))
}

const HINTS: Readonly<Record<string, string>> = {
  ENOSPC:
    'Raise the limit with "sudo sysctl fs.inotify.max_user_watches=524288", or close programs that watch many files.',
  EMFILE: 'Raise the limit of open files with "ulimit -n 4096", or close programs that watch many files.',
  ENFILE: 'Close programs that have many files open.',
}

/** The failure that a watcher's error means for the watch; undefined if the rest is still watched. */
export function explainWatchFailure(error: unknown): KbError | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const hint = HINTS[code]
  // For example an unreadable folder, which reading the content reports.
  if (hint === undefined) return undefined
  return new KbError('WATCH_FAILED', `The files cannot be watched: ${reasonWithoutPath(error)}.`, {
    hint: `${hint} With CHOKIDAR_USEPOLLING=1, kb watch polls the files instead.`,
    cause: error,
  })
}
