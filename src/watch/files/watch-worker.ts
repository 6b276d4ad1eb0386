// The thread that watches files. It watches folders instead of files, which needs a twentieth of the system's watches,
// as a folder reports the changes of its files. Changes are reported at once, and possibly more than once.
import type { Stats } from 'node:fs'
import { resolve } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { type FSWatcher, watch } from 'chokidar'
import {
  type WatchMessage,
  identityOf,
  pathsOfTree,
  type WatchedPaths,
  type WatchedTree,
} from './watch-project.ts'

const send = (message: WatchMessage) => parentPort?.postMessage(message)

const paths = await pathsOfTree(workerData as WatchedTree)
const watcher = openChokidar(paths)
const touch = (path: string) => {
  const touched = paths.classify(path)
  if (touched !== undefined) send({ kind: 'touched', touch: touched })
}
watcher.on('addDir', (path, stats) => {
  if (stats !== undefined) send({ kind: 'folder', path, identity: identityOf(stats) })
})
watcher.on('unlinkDir', (path) => send({ kind: 'folder', path, identity: undefined }))
watcher.on('error', (error) => {
  if (!(error instanceof Error)) return
  // An error would lose its properties on the way to another thread.
  send({ kind: 'failed', error: { ...Object.fromEntries(Object.entries(error)), message: error.message } })
})
watcher.once('ready', () => {
  // The raw event of the file system: chokidar's own event comes later, and omits a second change within 50 ms.
  const rawMs = new Map<string, number>()
  watcher.on('raw', (_event, name: string | null, details: unknown) => {
    const { watchedPath = '' } = details as { readonly watchedPath?: string }
    if (name === null) return send({ kind: 'touched', touch: { kind: 'folders' } })
    const path = resolve(watchedPath, name)
    rawMs.set(path, Date.now())
    touch(path)
  })
  watcher.on('all', (event, path, stats) => {
    const sentMs = rawMs.get(path)
    rawMs.delete(path)
    // A late event of a change that was already sent would look like another save.
    const isSent = sentMs !== undefined && stats !== undefined && Math.floor(stats.ctimeMs) <= sentMs
    if (!isSent || (event !== 'add' && event !== 'change')) touch(path)
  })
  send({ kind: 'ready' })
})

function openChokidar({ roots, isWatchedFolder, classify }: WatchedPaths): FSWatcher {
  const isIgnored = (path: string, stats: Stats | undefined) => {
    // It is not known yet whether this is a folder.
    if (stats === undefined) return false
    if (stats.isDirectory()) return !isWatchedFolder(path)
    // With CHOKIDAR_USEPOLLING, a folder does not report changes of its files.
    return !opened.options.usePolling || classify(path) === undefined
  }
  const opened: FSWatcher = watch([], {
    followSymlinks: false,
    // The option would delay removals, and ignore files that look like an editor's temporary files.
    atomic: false,
    ignored: (path, stats) => isIgnored(resolve(path), stats),
  })
  return opened.add([...roots])
}
