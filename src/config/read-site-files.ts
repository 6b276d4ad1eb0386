import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { PresetName } from '../model/preset-name.ts'
import type { SiteFile } from '../model/site-file.ts'

export interface SiteFiles {
  readonly files: readonly SiteFile[]
  /** Absolute. */
  readonly paths: readonly string[]
}

const ROOT_FILE = /^(?:hugo|config)\.(?:toml|ya?ml|json)$/
const FOLDER_FILE = /\.(?:toml|ya?ml|json)$/
/** Those of a published site; the later ones count more. */
const FOLDERS = ['config/_default', 'config/production']

/**
 * Reads the configuration of the Hugo site that a content folder belongs to: the one in the next folder above it, up to
 * the project's. Of other tools, whose configuration is a program, nothing is read.
 */
export function readSiteFiles(
  preset: PresetName | undefined,
  { root, contentRoot }: { readonly root: string; readonly contentRoot: string },
): SiteFiles {
  if (preset !== 'hugo') return { files: [], paths: [] }
  for (let folder = contentRoot; ; folder = dirname(folder)) {
    const names = filesIn(folder)
    const files = names.flatMap((name) => readIfThere(folder, name))
    if (files.length > 0) return { files, paths: files.map(({ name }) => join(folder, name)) }
    const isBelow = !relative(root, folder).startsWith('..') && folder !== root
    if (!isBelow || folder === dirname(folder)) return { files: [], paths: [] }
  }
}

function filesIn(folder: string): string[] {
  const [own] = listIfThere(folder)
    .filter((name) => ROOT_FILE.test(name))
    // Of two, Hugo takes the one with its own name.
    .toSorted((a, b) => (a < b ? 1 : -1))
  const below = FOLDERS.flatMap((name) =>
    listIfThere(join(folder, name))
      .filter((each) => FOLDER_FILE.test(each))
      .toSorted()
      .map((each) => `${name}/${each}`),
  )
  return [...(own === undefined ? [] : [own]), ...below]
}

function listIfThere(folder: string): string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(folder) : []
}

function readIfThere(folder: string, name: string): SiteFile[] {
  const path = join(folder, name)
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return []
  return [{ name, text: readFileSync(path, 'utf8').replace(/^\uFEFF/, '') }]
}
