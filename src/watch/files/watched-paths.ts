import type { Stats } from 'node:fs'
import { createSourceFilter } from '../../content/source/find-sources.ts'
import { basename, dirname, extname, join } from 'node:path'
import { CONFIG_NAMES } from '../../core/config/load-config.ts'
import type { Settings } from '../../core/config/settings.ts'
import { isHidden, isHiddenFolder } from '../../core/dialects/site-folders.ts'
import { isInside, realPath, relativePath } from '../../core/paths.ts'

/** What a changed path belongs to. */
export type Touch =
  /** A file or folder in the content folder. */
  | { readonly kind: 'source'; readonly source: string }
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
    return source !== undefined && !isHiddenFolder(source) && !isExcludedPackages(source, isIncluded)
  }
  return {
    contentRoot: content,
    outer,
    roots: [...new Set([...outer, content, ...beside])].filter(
      (path) => path === home || !isInside(home, path),
    ),
    isWatchedFolder,
    classify: (path) => {
      if (known.has(path)) return { kind: 'config', isKnown: true }
      if (path === content || path === linked || above.has(path)) return { kind: 'folders' }
      if (isInside(content, path)) {
        const source = relativePath(content, path)
        return isHidden(source) ? undefined : { kind: 'source', source }
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

/** True for excluded packages in the content folder, which are ignored because there are many. */
function isExcludedPackages(source: string, isIncluded: (source: string) => boolean): boolean {
  const names = source.split('/')
  const end = names.indexOf('node_modules')
  return end !== -1 && !isIncluded(`${names.slice(0, end + 1).join('/')}/package/README.md`)
}

/** Identifies a folder. An inode number may be reused for the next folder, but not its birth time. */
export function identityOf({ ino, birthtimeMs }: Stats): string {
  return `${ino} ${birthtimeMs}`
}
