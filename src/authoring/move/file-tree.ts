import { type Dirent, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { KbError, reasonOf } from '../../core/errors/kb-error.ts'
import type { SourceFilter } from '../../content/source/find-sources.ts'
import { placeOfFile } from '../../content/preset/file-place.ts'
import {
  createFindNamed,
  createFindNamedPage,
  type SiteLinkOptions,
} from '../../content/site-links/link-places.ts'

/** The files of the content folder, or what they will be. */
export interface FileTree {
  readonly sources: readonly string[]
  /** The file as the file system has it, in whichever Unicode form it is asked for. */
  readonly find: (source: string) => string | undefined
  readonly isArticle: (source: string) => boolean
  /** The folder as the file system has it, where files lie below it. */
  readonly findFolder: (folder: string) => string | undefined
  /** Where the tool looks for names: the only folder of that name below which articles lie. */
  readonly findNamedFolder: (name: string) => string | undefined
  /** The same: the only page of that name in the language of `from`. */
  readonly findNamed: (name: string, from: string) => string | undefined
  /** Where the content is a tool's: what links may mean there. */
  readonly site?: SiteLinkOptions | undefined
}

export function createFileTree(
  sources: readonly string[],
  isIncluded: SourceFilter,
  site?: SiteLinkOptions,
): FileTree {
  const exact = new Set(sources)
  const isArticle = (source: string): boolean =>
    isIncluded(source) && !source.split('/').some((name) => /^[_.]/.test(name))
  let folders: ReadonlyMap<string, string> | undefined
  const articles = () => sources.filter(isArticle)
  const languageOf = (source: string) =>
    (site && placeOfFile(source, site).language) ?? site?.languages[0] ?? ''
  const findNamed =
    site &&
    createFindNamedPage(site, () => articles().map((source) => ({ source, language: languageOf(source) })))
  const findNamedFolder =
    site &&
    createFindNamed(site, () =>
      [...foldersOf(articles())].map(([key, folder]) => [posix.basename(key), folder]),
    )
  const byForm = new Map(sources.map((source) => [source.normalize('NFC'), source]))
  return {
    sources,
    find: (source) => (exact.has(source) ? source : byForm.get(source.normalize('NFC'))),
    isArticle,
    findFolder: (folder) => {
      folders ??= foldersOf(sources)
      return folders.get(folder.normalize('NFC'))
    },
    findNamedFolder: (name) => findNamedFolder?.(name),
    findNamed: (name, from) => findNamed?.(name, languageOf(from)),
    site,
  }
}

/** Folders, by their names in Unicode NFC. */
function foldersOf(sources: readonly string[]): ReadonlyMap<string, string> {
  const folders = new Map<string, string>()
  for (const source of sources)
    for (let at = source.lastIndexOf('/'); at !== -1; at = source.lastIndexOf('/', at - 1)) {
      const folder = source.slice(0, at)
      if (folders.has(folder.normalize('NFC'))) break
      folders.set(folder.normalize('NFC'), folder)
    }
  return folders
}

/**
 * Every file below the content root, with `/`. Names that begin with a dot are none of ours; symbolic links are listed
 * and not followed.
 *
 * @throws KbError CONTENT_UNREADABLE
 */
export function listFiles(contentRoot: string): { readonly sources: string[]; readonly links: Set<string> } {
  const sources: string[] = []
  const links = new Set<string>()
  const pending = ['']
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of readFolder(contentRoot, folder)) {
      if (entry.name.startsWith('.')) continue
      const source = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) pending.push(source)
      else sources.push(source)
      if (entry.isSymbolicLink()) links.add(source)
    }
  }
  return { sources: sources.toSorted(), links }
}

/** @throws KbError CONTENT_UNREADABLE */
export function readFolder(contentRoot: string, folder: string): Dirent[] {
  try {
    return readdirSync(join(contentRoot, folder), { withFileTypes: true })
  } catch (cause) {
    throw new KbError(
      'CONTENT_UNREADABLE',
      `The content folder ${join(contentRoot, folder)} could not be read: ${reasonOf(cause)}. Nothing was moved.`,
      {
        hint: 'Work in the folder of your kb.config.ts, or set "content" there to the folder with your articles.',
        cause,
      },
    )
  }
}
