import { KbError, reasonWithoutPath } from '../../core/errors/kb-error.ts'
import type { Settings } from '../../core/config/settings.ts'
import { statSync, type Stats } from 'node:fs'
import { join, basename, dirname, extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { packageFile } from '../../core/package-files.ts'
import { entriesOf, isInside, realPath, relativePath } from '../../core/paths.ts'
import { tryTo } from '../../core/try-to.ts'
import { errorCodeOf } from '../../core/error-code.ts'
import { createSourceFilter } from '../../content/source/find-sources.ts'
import { CONFIG_NAMES } from '../../core/config/load-config.ts'
import { isHidden, isHiddenFolder } from '../../core/dialects/site-folders.ts'

/** Watches the files of the current configuration. */
export type ProjectWatcher = Awaited<ReturnType<typeof watchProject>>

/** @throws KbError WATCH_FAILED */
export async function watchProject(
  first: Settings,
  configFiles: readonly string[],
  onTouch: (touch: Touch) => void,
  onFailure: (failure: Error) => void,
) {
  const open = (settings: Settings, files: readonly string[]) =>
    watchFiles(treeOf(settings, files), onTouch, onFailure)
  let watcher = await open(first, configFiles)
  let watched = keyOf(first, configFiles)

  return {
    /** Creates a new watcher if other folders or configuration files must be watched, or if one was lost. */
    adjust: async (settings: Settings, files: readonly string[]) => {
      const key = keyOf(settings, files)
      if (key === watched && watcher.isCurrent()) return
      await watcher.close()
      watcher = await open(settings, files)
      watched = key
      // Changes in between were not seen.
      onTouch({ kind: 'folders' })
      onTouch({ kind: 'config', isKnown: true })
    },
    /** True if each folder is watched as it currently exists. */
    isCurrent: () => watcher.isCurrent(),
    close: () => watcher.close(),
  }
}

function keyOf({ contentRoot, include, exclude }: Settings, configFiles: readonly string[]): string {
  return JSON.stringify([contentRoot, include, exclude, configFiles.toSorted()])
}

function treeOf(settings: Settings, configFiles: readonly string[]): WatchedTree {
  const { root, contentRoot, include, exclude, toolSite } = settings
  const { rootFolders = [], imageFolders = [], includeFolders = [] } = toolSite ?? {}
  const siteFolders = [...rootFolders, ...imageFolders, ...includeFolders]
  return { root, contentRoot, include, exclude, siteFolders, configFiles }
}

export type WatchMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'touched'; readonly touch: Touch }
  /** A watched folder and its identity, which is undefined if the folder is gone. */
  | { readonly kind: 'folder'; readonly path: string; readonly identity: string | undefined }
  /** The message and properties of an error. Sent to another thread, an Error would lose its properties. */
  | { readonly kind: 'failed'; readonly error: { readonly message: string } }

/**
 * Watches the files in a separate thread: after each save, chokidar reads the state of all files in the folder, which
 * would delay the save. Resolves when everything is watched.
 *
 * @throws KbError WATCH_FAILED
 */
async function watchFiles(
  tree: WatchedTree,
  onTouch: (touch: Touch) => void,
  onFailure: (failure: Error) => void,
) {
  const folders = new Map<string, string>()
  const worker = new Worker(packageFile('dist/watch/files/watch-worker.js'), {
    workerData: tree,
    // The states of files are many small, short-lived objects.
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  })
  let fail = onFailure
  worker.on('error', (error) => fail(error))
  try {
    await new Promise<void>((done, reject) => {
      fail = reject
      worker.on('message', (message: WatchMessage) => {
        switch (message.kind) {
          case 'ready':
            return done()
          case 'touched':
            return onTouch(message.touch)
          case 'folder':
            if (message.identity === undefined) folders.delete(message.path)
            else folders.set(message.path, message.identity)
            return
          case 'failed': {
            const failure = explainWatchFailure(Object.assign(new Error(), message.error))
            if (failure !== undefined) fail(failure)
          }
        }
      })
    })
  } catch (error) {
    await worker.terminate()
    throw error
  }
  fail = onFailure
  const paths = await pathsOfTree(tree)
  return {
    /**
     * True if each folder is watched as it currently exists. A folder that was removed and created again may no longer
     * be watched; then only a new watcher sees its changes.
     */
    isCurrent: () => isEveryFolderWatched(paths, folders),
    close: async () => void (await worker.terminate()),
  }
}

function isEveryFolderWatched(paths: WatchedPaths, folders: ReadonlyMap<string, string>): boolean {
  const pending = [...paths.outer, paths.contentRoot]
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const identity = tryTo(() => identityOf(statSync(folder)))
    if (identity === undefined) continue
    if (folders.get(folder) !== identity) return false
    if (!paths.outer.has(folder) || folder === paths.contentRoot)
      pending.push(...foldersIn(folder).filter(paths.isWatchedFolder))
  }
  return true
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

/** Converts a watcher's error to a failure of the watch; undefined if the other files are still watched. */
export function explainWatchFailure(error: unknown): KbError | undefined {
  const hint = HINTS[errorCodeOf(error) ?? '']
  // For example an unreadable folder, which reading the content reports.
  if (hint === undefined) return undefined
  return new KbError('WATCH_FAILED', `The files cannot be watched: ${reasonWithoutPath(error)}.`, {
    hint: `${hint} With CHOKIDAR_USEPOLLING=1, kb watch polls the files instead.`,
    cause: error,
  })
}

/** What a changed path belongs to. */
export type Touch =
  /** A file or folder in the content folder. `isConfig` is true if it may be or have a table of contents. */
  | { readonly kind: 'source'; readonly source: string; readonly isConfig?: boolean }
  /** The content folder, one of its parents, or an unknown path. */
  | { readonly kind: 'folders' }
  /** A file of the configuration. `isKnown` is false if it only has such a name. */
  | { readonly kind: 'config'; readonly isKnown: boolean }

/** The watched folders, and how their changes are classified. All paths are absolute, with links resolved. */
export interface WatchedPaths {
  readonly contentRoot: string
  /** Folders that are not watched recursively: those of configuration files, and the content folder's parents. */
  readonly outer: ReadonlySet<string>
  /** The folders that contain all others. */
  readonly roots: readonly string[]
  /** Returns undefined for a path whose changes have no effect. */
  readonly classify: (path: string) => Touch | undefined
  readonly isWatchedFolder: (path: string) => boolean
}

const CONFIG_LIKE = /^\.(?:[cm]?[jt]sx?|json)$/

/** The input of the watcher, in a form that can be sent to a thread. */
export interface WatchedTree extends Pick<Settings, 'root' | 'contentRoot' | 'include' | 'exclude'> {
  /** Folders of the site, relative to the content folder. */
  readonly siteFolders: readonly string[]
  /** Absolute paths. */
  readonly configFiles: readonly string[]
}

export async function pathsOfTree(tree: WatchedTree): Promise<WatchedPaths> {
  const { root, contentRoot, include, exclude, siteFolders, configFiles } = tree
  const isIncluded = await createSourceFilter(include, exclude)
  const home = realPath(root)
  const content = realPath(contentRoot)
  const known = new Set([
    ...[...CONFIG_NAMES, 'package.json'].map((name) => join(home, name)),
    ...configFiles.map(realPath),
  ])
  // Each folder may be a book with a table of contents of its own.
  const contents = new Set(configFiles.filter((file) => file.endsWith('.md')).map((file) => basename(file)))
  // The content folder may be a link, which may be replaced by another one.
  const linked = join(realPath(dirname(contentRoot)), basename(contentRoot))
  const above = new Set(content === home ? [home] : foldersAbove(linked, home))
  // Folders of the site outside the content folder.
  const beside = siteFolders
    .filter((folder) => folder.startsWith('../'))
    .map((folder) => realPath(join(contentRoot, folder)))
  const outer = new Set([
    home,
    ...above,
    ...[...known, ...beside].flatMap((file) => foldersAbove(file, home)),
  ])
  const isWatchedFolder = (path: string) => {
    if (outer.has(path) || path === content) return true
    const folder = beside.find((each) => isInside(each, path))
    if (folder !== undefined && !isHiddenFolder(relativePath(folder, path))) return true
    const source = isInside(content, path) ? relativePath(content, path) : undefined
    return source !== undefined && !isHiddenFolder(source) && !isIncluded.isExcludedPackages(source)
  }
  return {
    contentRoot: content,
    outer,
    roots: [...new Set([...outer, content, ...beside])].filter(
      (path) => path === home || !isInside(home, path),
    ),
    isWatchedFolder,
    classify: (path) => {
      if (known.has(path) && !path.endsWith('.md')) return { kind: 'config', isKnown: true }
      if (path === content || path === linked || above.has(path)) return { kind: 'folders' }
      if (isInside(content, path)) {
        const source = relativePath(content, path)
        const isFolder = extname(source) === '' && !source.includes('/')
        const isConfig = contents.has(basename(path)) || (contents.size > 0 && isFolder)
        return isHidden(source) ? undefined : { kind: 'source', source, isConfig }
      }
      if (beside.some((folder) => isInside(folder, path))) return { kind: 'folders' }
      const isConfigLike = outer.has(dirname(path)) && CONFIG_LIKE.test(extname(path))
      return isConfigLike ? { kind: 'config', isKnown: false } : undefined
    },
  }
}

/** Returns the folders from that of `path` up to `home`; only its own folder if `path` is not inside. */
function foldersAbove(path: string, home: string): string[] {
  const folders = [dirname(path)]
  for (let at = dirname(path); isInside(home, at) && at !== home; at = dirname(at)) folders.push(dirname(at))
  return folders
}

/** Identifies a folder. An inode number may be reused for the next folder, but not its birth time. */
export function identityOf({ ino, birthtimeMs }: Stats): string {
  return `${ino} ${birthtimeMs}`
}
