import { realpathSync } from 'node:fs'
import { basename, dirname, extname, join, relative, sep } from 'node:path'
import { CONFIG_NAMES } from '../../core/config/load-config.ts'
import type { Settings } from '../../core/config/settings.ts'
import { isInside, isHidden } from '../../content/source/inside.ts'

/** What a change of one path is about. */
export type Touch =
  /** A file or folder below the content folder. */
  | { readonly kind: 'source'; readonly source: string }
  /** The content folder itself, one above it, or something unknown. */
  | { readonly kind: 'folders' }
  /** A file of the configuration; `isKnown` unless it only looks like one. */
  | { readonly kind: 'config'; readonly isKnown: boolean }

/** Which folders are watched, and what their changes mean. All paths are absolute and real: links are resolved. */
export interface WatchedPaths {
  readonly contentRoot: string
  /** Folders that are not watched with all that is in them: those of the configuration, and those above the content. */
  readonly outer: ReadonlySet<string>
  /** The folders from which all others are reached. */
  readonly roots: readonly string[]
  /** Undefined for a path that does not matter. */
  readonly classify: (path: string) => Touch | undefined
  readonly isWatchedFolder: (path: string) => boolean
}

const CONFIG_LIKE = /^\.(?:[cm]?[jt]sx?|json)$/

/**
 * @param configFiles absolute paths
 * @param isExcluded whether the configuration excludes a source
 */
export function watchedPaths(
  { root, contentRoot, toolSite }: Pick<Settings, 'root' | 'contentRoot' | 'toolSite'>,
  configFiles: readonly string[],
  isExcluded: (source: string) => boolean,
): WatchedPaths {
  const home = resolveLinks(root)
  const content = resolveLinks(contentRoot)
  const known = new Set([
    ...[...CONFIG_NAMES, 'package.json'].map((name) => join(home, name)),
    ...configFiles.map(resolveLinks),
  ])
  // Where it is a link, another one may come to stand there.
  const linked = join(resolveLinks(dirname(contentRoot)), basename(contentRoot))
  const above = new Set(content === home ? [home] : foldersAbove(linked, home))
  // Folders of the site that lie beside the content.
  const beside = (toolSite?.rootFolders ?? [])
    .filter((folder) => folder.startsWith('../'))
    .map((folder) => resolveLinks(join(contentRoot, folder)))
  const outer = new Set([
    home,
    ...above,
    ...[...known, ...beside].flatMap((file) => foldersAbove(file, home)),
  ])
  const isWatchedFolder = (path: string) => {
    if (outer.has(path) || path === content) return true
    const folder = beside.find((each) => isInside(each, path))
    if (folder !== undefined && !isHidden(toSource(folder, path))) return true
    const source = isInside(content, path) ? toSource(content, path) : undefined
    return source !== undefined && !isHidden(source) && !isExcludedPackages(source, isExcluded)
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
        const source = toSource(content, path)
        return isHidden(source) ? undefined : { kind: 'source', source }
      }
      if (beside.some((folder) => isInside(folder, path))) return { kind: 'folders' }
      const isConfigLike = outer.has(dirname(path)) && CONFIG_LIKE.test(extname(path))
      return isConfigLike ? { kind: 'config', isKnown: false } : undefined
    },
  }
}

/** The folders from that of `path` up to `home`, or that alone where it lies elsewhere. */
function foldersAbove(path: string, home: string): string[] {
  const folders = [dirname(path)]
  for (let at = dirname(path); isInside(home, at) && at !== home; at = dirname(at)) folders.push(dirname(at))
  return folders
}

function resolveLinks(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const folder = dirname(path)
    return folder === path ? path : join(resolveLinks(folder), basename(path))
  }
}

function toSource(content: string, path: string): string {
  return relative(content, path).split(sep).join('/')
}

/** Packages that lie below the content are many; what the configuration excludes of them is not checked. */
function isExcludedPackages(source: string, isExcluded: (source: string) => boolean): boolean {
  const names = source.split('/')
  const end = names.indexOf('node_modules')
  return end !== -1 && isExcluded(`${names.slice(0, end + 1).join('/')}/package/README.md`)
}
