import { existsSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { entriesOf } from '../path-kind.ts'
import type { SiteReader } from './dialect.ts'
import { foldersIn } from './site-folders.ts'

export const obsidianSite: SiteReader = {
  readSite: ({ contentRoot }) => ({
    site: {
      // A name is enough for an attachment, wherever it lies.
      rootFolders: ['.', ...attachmentFolders(contentRoot)],
      isComplete: true,
      basePath: '',
      docsPath: '',
      exclude: [],
      versions: [],
      linkHook: undefined,
    },
    configFile: undefined,
  }),
  recognise: (root) => {
    const vault = [root, ...foldersIn(root)].find(isVault)
    if (vault === undefined) return undefined
    return { content: vault === root ? '.' : basename(vault), language: undefined, languages: [] }
  },
}

/** The folder of the settings may be left out of a repository; what a published vault needs is not. */
function isVault(folder: string): boolean {
  return existsSync(join(folder, '.obsidian')) || existsSync(join(folder, 'publish.css'))
}

/** Folders with files that are no notes, as paths from the vault on. */
function attachmentFolders(root: string): string[] {
  const found: string[] = []
  const pending = foldersIn(root)
  for (let folder = pending.shift(); folder !== undefined; folder = pending.shift()) {
    const hasFiles = entriesOf(folder).some((entry) => entry.isFile() && !/^\.|\.md$/.test(entry.name))
    if (hasFiles) found.push(relative(root, folder).split(sep).join('/'))
    pending.push(...foldersIn(folder))
  }
  return found
}
