import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { PresetName } from '../model/preset-name.ts'
import type { SiteFile } from '../model/site-file.ts'

export interface SiteFiles {
  /** The configuration of the site. */
  readonly files: readonly SiteFile[]
  /** Frontmatter of the pages of sections that hand values down. */
  readonly sections: readonly SiteFile[]
  /** Absolute. */
  readonly paths: readonly string[]
}

const ROOT_FILE = /^(?:hugo|config)\.(?:toml|ya?ml|json)$/
const FOLDER_FILE = /\.(?:toml|ya?ml|json)$/
/** Those of a published site; the later ones count more. */
const FOLDERS = ['config/_default', 'config/production']

const SECTION_FILE = /^_index(?:\.[\w-]+)?\.(?:md|markdown|mdown)$/i
const FRONTMATTER = /^(?:---(?!-)[^]*?\n---|\+\+\+[^]*?\n\+\+\+|\{[^]*)/

/**
 * Reads what a Hugo site says of the pages in a content folder: its configuration, which lies in the next folder above, up
 * to the project's, and what sections hand down to their pages. Of other tools, whose configuration is a program, nothing
 * is read.
 */
export function readSiteFiles(
  preset: PresetName | undefined,
  { root, contentRoot }: { readonly root: string; readonly contentRoot: string },
): SiteFiles {
  if (preset !== 'hugo') return { files: [], sections: [], paths: [] }
  const config = readConfiguration(root, contentRoot)
  const sources = findSections(contentRoot)
  const sections = sources.flatMap((source) => readIfThere(contentRoot, source)).flatMap(cascadeOf)
  return {
    ...config,
    sections,
    paths: [...config.paths, ...sources.map((source) => join(contentRoot, source))],
  }
}

function readConfiguration(root: string, contentRoot: string): Omit<SiteFiles, 'sections'> {
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

function findSections(contentRoot: string): string[] {
  if (statSync(contentRoot, { throwIfNoEntry: false })?.isDirectory() !== true) return []
  return readdirSync(contentRoot, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && SECTION_FILE.test(entry.name))
    .map((entry) => relative(contentRoot, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .toSorted()
}

/** Without its text: what that says decides nothing elsewhere. */
function cascadeOf({ name, text }: SiteFile): SiteFile[] {
  const [frontmatter = ''] = FRONTMATTER.exec(text) ?? []
  return /cascade/i.test(frontmatter) ? [{ name, text: `${frontmatter}\n` }] : []
}

function listIfThere(folder: string): string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(folder) : []
}

function readIfThere(folder: string, name: string): SiteFile[] {
  const path = join(folder, name)
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return []
  return [{ name, text: readFileSync(path, 'utf8').replace(/^\uFEFF/, '') }]
}
