import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { parseUrl } from '../parse-url.ts'
import type { ProjectFolders, ToolSite } from './dialect.ts'
import { entriesOf, relativePath } from '../paths.ts'

/** The properties of a site that adds nothing to the URLs of its documents. */
export const PLAIN_SITE = {
  basePath: '',
  docsPath: '',
  exclude: [],
  versions: [],
  linkHook: undefined,
} satisfies Partial<ToolSite>

/** Matches the names of files that only a wiki of GitHub has. */
export const WIKI_FILE = /^(?:_Sidebar|_Footer|Home)\.md$/

/** The folders in which GitBook and the wikis of Azure DevOps store images, and texts of several pages. */
const MEDIA_FOLDERS = /(?:^|\/)(?:\.gitbook\/(?:assets|includes)|\.attachments)(?=\/|$)/

/**
 * Returns true if a part of a path with `/` starts with a dot: nothing in such a folder is an article, and it may contain
 * keys. These folders are not hidden.
 */
export function isHidden(source: string): boolean {
  return source
    .replace(MEDIA_FOLDERS, '')
    .split('/')
    .some((name) => name.startsWith('.'))
}

/** Returns true if nothing in a folder is read. One that is hidden itself may contain one with images. */
export function isHiddenFolder(folder: string): boolean {
  return isHidden(`${folder}/assets`)
}

/** Matches folder names that may be languages. */
export const LANGUAGE_FOLDER = /^[a-z]{2}(?:-[A-Za-z]{2,4})?$/

/** Returns the folders from the content folder up to the project folder. */
export function foldersAbove({ contentRoot, root }: ProjectFolders): string[] {
  const folders = [contentRoot]
  const way = relative(root, contentRoot)
  if (way.startsWith('..') || isAbsolute(way)) return [...folders, dirname(contentRoot)]
  for (let at = contentRoot; at !== root; at = dirname(at)) folders.push(dirname(at))
  return folders
}

/** Returns absolute paths; an empty list if the folder cannot be read. */
export function foldersIn(folder: string): string[] {
  return entriesOf(folder)
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .map(({ name }) => join(folder, name))
    .toSorted()
}

/** Converts folders of a site to the form of `ToolSite`. */
export function sourcesOf(folders: readonly string[], home: string, contentRoot: string): string[] {
  return folders
    .map((folder) => relativePath(contentRoot, resolve(home, folder)))
    .filter((path) => !isAbsolute(path))
    .map((path) => (path === '' ? '.' : path))
}

/** Returns the path of a URL without a trailing slash. */
export function basePathOf(address: string | undefined): string {
  const path = parseUrl(address ?? '/', 'https://host')?.pathname ?? '/'
  return path.replace(/\/+$/, '')
}

/** Returns true if a path with `/` stays within its base folder. */
export function isBelow(path: string): boolean {
  return path !== '..' && !path.startsWith('../') && !path.startsWith('/')
}
