import { readdirSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { parseUrl } from '../parse-url.ts'
import type { ProjectFolders } from './dialect.ts'

/** The folders from that of the content up to that of the project. */
export function foldersAbove({ contentRoot, root }: ProjectFolders): string[] {
  const folders = [contentRoot]
  const way = relative(root, contentRoot)
  if (way.startsWith('..') || isAbsolute(way)) return [...folders, dirname(contentRoot)]
  for (let at = contentRoot; at !== root; at = dirname(at)) folders.push(dirname(at))
  return folders
}

/** Absolute; none where the folder cannot be read. */
export function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
      .map(({ name }) => join(folder, name))
      .toSorted()
  } catch {
    return []
  }
}

/** Folders of a site as `ToolSite` has them. */
export function sourcesOf(folders: readonly string[], home: string, contentRoot: string): string[] {
  return folders
    .map((folder) => relative(contentRoot, resolve(home, folder)))
    .filter((path) => !isAbsolute(path))
    .map((path) => (path === '' ? '.' : path.split(sep).join('/')))
}

/** The path of an address, without a slash at its end. */
export function basePathOf(address: string | undefined): string {
  const path = parseUrl(address ?? '/', 'https://host')?.pathname ?? '/'
  return path.replace(/\/+$/, '')
}

/** Whether a path with `/` stays in the folder that it begins at. */
export function isBelow(path: string): boolean {
  return path !== '..' && !path.startsWith('../') && !path.startsWith('/')
}
