import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isRecord } from '../is-record.ts'
import { entriesOf, relativePath } from '../paths.ts'
import type { SiteReader } from './dialect.ts'
import { foldersIn, LANGUAGE_FOLDER, PLAIN_SITE } from './site-folders.ts'
import { tryTo } from '../try-to.ts'

export const obsidianSite: SiteReader = {
  readSite: ({ contentRoot }) => ({
    site: {
      // Links find attachments by name in any folder.
      rootFolders: ['.', ...attachmentFolders(contentRoot)],
      isComplete: true,
      ...PLAIN_SITE,
      exclude: templateFolders(contentRoot).map((folder) => `${folder}/**`),
    },
    configFiles: [],
  }),
  recognise: (root) => {
    if (isVault(root)) return { content: '.', language: undefined, languages: [] }
    const vaults = foldersIn(root)
      .filter(isVault)
      .map((folder) => basename(folder))
    // Often a vault per language, of which the others are translations.
    const content = vaults.includes('en') ? 'en' : vaults[0]
    if (content === undefined) return undefined
    const areLanguages = vaults.length > 1 && vaults.every((name) => LANGUAGE_FOLDER.test(name))
    return { content, language: areLanguages ? content : undefined, languages: [] }
  },
}

/** The settings folder may be missing in a repository, but a published vault has its own files. */
function isVault(folder: string): boolean {
  return existsSync(join(folder, '.obsidian')) || existsSync(join(folder, 'publish.css'))
}

/** Template folder settings of the core plugin and of Templater. */
const TEMPLATE_SETTINGS = {
  'templates.json': 'folder',
  'plugins/templater-obsidian/data.json': 'templates_folder',
}

/** Returns the folders with note templates, relative to the vault, with `/`. */
function templateFolders(vault: string): string[] {
  return Object.entries(TEMPLATE_SETTINGS).flatMap(([file, key]) => {
    const folder = readSettings(join(vault, '.obsidian', file))[key]
    return typeof folder === 'string' && /[^/]/.test(folder) ? [folder.replaceAll(/^\/+|\/+$/g, '')] : []
  })
}

function readSettings(path: string): Readonly<Record<string, unknown>> {
  const settings = tryTo((): unknown => JSON.parse(readFileSync(path, 'utf8')))
  return isRecord(settings) ? settings : {}
}

/** Returns the folders with files other than notes, relative to the vault. */
function attachmentFolders(root: string): string[] {
  const found: string[] = []
  const pending = foldersIn(root)
  for (let folder = pending.shift(); folder !== undefined; folder = pending.shift()) {
    const hasFiles = entriesOf(folder).some((entry) => entry.isFile() && !/^\.|\.md$/.test(entry.name))
    if (hasFiles) found.push(relativePath(root, folder))
    pending.push(...foldersIn(folder))
  }
  return found
}
