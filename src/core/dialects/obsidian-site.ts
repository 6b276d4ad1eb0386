import { existsSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { entriesOf } from '../path-kind.ts'
import type { SiteReader } from './dialect.ts'
import { foldersIn, PLAIN_SITE } from './site-folders.ts'

export const obsidianSite: SiteReader = {
  readSite: ({ contentRoot }) => ({
    site: {
      // Links find attachments by name in any folder.
      rootFolders: ['.', ...attachmentFolders(contentRoot)],
      isComplete: true,
      ...PLAIN_SITE,
    },
    configFile: undefined,
  }),
  recognise: (root) => {
    const vault = [root, ...foldersIn(root)].find(isVault)
    if (vault === undefined) return undefined
    return { content: vault === root ? '.' : basename(vault), language: undefined, languages: [] }
  },
}

/** The settings folder may be missing in a repository, but not the files of a published vault. */
function isVault(folder: string): boolean {
  return existsSync(join(folder, '.obsidian')) || existsSync(join(folder, 'publish.css'))
}

/** Folders with files other than notes, relative to the vault. */
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
