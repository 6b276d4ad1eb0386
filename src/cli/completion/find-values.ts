import { entriesOf, pathKind, relativePath } from '../../core/paths.ts'
import { readFileSync, type Dirent } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, relative, resolve, join } from 'node:path'
import { CONFIG_NAMES, findProjectFolder } from '../../core/config/load-config.ts'
import type { Settings } from '../../core/config/settings.ts'
import { THRESHOLDS } from '../../core/model/threshold.ts'
import type { Candidate, ValueKind, FindValues } from './complete.ts'
import { tryTo } from '../../core/try-to.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const

interface Project {
  readonly root: string
  /** Found without running code. */
  readonly contentRoot: () => string
  /** Runs the configuration, so it is only called if necessary. */
  readonly loadSettings: () => Promise<Settings>
}

type Finder = (word: string, cwd: string, project: Project) => Promise<readonly Candidate[]>

const NOT_SHOWN = { describe: () => '', show: () => '' }

const FINDERS: Readonly<Record<ValueKind, Finder>> = {
  shell: () => Promise.resolve(SHELLS.map((value) => ({ value }))),
  system: () => Promise.resolve(['github', 'gitlab', 'none'].map((value) => ({ value }))),
  schema: async () => {
    const { JSON_SCHEMAS } = await import('../../kb/json-schemas.ts')
    return [...Object.keys(JSON_SCHEMAS), 'openapi'].map((value) => ({ value }))
  },
  code: async () => {
    const [{ DIAGNOSTICS }, { ERRORS }] = await Promise.all([
      import('../../core/model/diagnostic-codes.ts'),
      import('../../core/errors/catalogue.ts'),
    ])
    const entries = Object.entries<{ readonly summary: string }>({ ...DIAGNOSTICS, ...ERRORS })
    return entries.map(([value, { summary }]) => ({ value, description: summary }))
  },
  file: (word, cwd) => Promise.resolve(listPaths(word, cwd, () => true)),
  folder: (word, cwd) => Promise.resolve(listPaths(word, cwd, (_, isFolder) => isFolder)),
  target: async (_, __, { loadSettings }) => {
    const { target, targets } = await loadSettings()
    const named = Object.values(targets)
    const isNamed = target.kind === 'builtin' || named.some(({ name }) => name === target.name)
    const remote = [...named, ...(isNamed ? [] : [target])].map(({ name, url }) => ({
      value: name,
      description: url,
    }))
    return [{ value: 'builtin', description: 'the built-in server' }, ...remote]
  },
  // Comma-separated: offers values that are not yet in the list.
  threshold: (word) => {
    const written = word.split(',').slice(0, -1)
    const others = THRESHOLDS.filter((name) => !written.includes(name))
    return Promise.resolve(others.map((name) => ({ value: [...written, name].join(',') })))
  },
  language: async (_, __, { loadSettings }) => {
    const { defaultLanguage, server } = await loadSettings()
    return [...new Set([defaultLanguage, ...server.languages])].map((value) => ({ value }))
  },
  category: async (_, __, { contentRoot }) => {
    const [{ loadCategories }, { formatCategoryPath }] = await Promise.all([
      import('../../content/taxonomy/load-taxonomy-entries.ts'),
      import('../../core/category-path.ts'),
    ])
    const { entries = [] } = loadCategories(contentRoot(), NOT_SHOWN)
    return entries.map(({ path, description }) => ({ value: formatCategoryPath(path), description }))
  },
  tag: async (_, __, { contentRoot }) => {
    const { loadTags } = await import('../../content/taxonomy/load-taxonomy-entries.ts')
    const { entries = [] } = loadTags(contentRoot(), NOT_SHOWN)
    return entries.map(({ name, description }) => ({ value: name, description }))
  },
  article: (word, _, { root, contentRoot }) => {
    const folder = contentRoot()
    const list = listPaths(word, root, (path, isFolder) => {
      const source = relativePath(folder, path)
      const isUnder = !source.startsWith('..') && !isAbsolute(source) && !/(^|\/)[._]/.test(source)
      const leadsThere = !relative(path, folder).startsWith('..')
      return isFolder ? isUnder || leadsThere : isUnder && source.endsWith('.md')
    })
    return Promise.resolve(list)
  },
}

/** Finds values in the project of `--cwd` and `--config` in the command line, else in that of `cwd`. */
export function createValueFinder(cwd: string): FindValues {
  return async (kind, word, given) => {
    const folder = resolve(cwd, given.get('--cwd') ?? '.')
    const configFile = given.get('--config')
    const root = configFile === undefined ? findProjectFolder(folder) : folder
    return FINDERS[kind](word, cwd, {
      root,
      contentRoot: () => guessContentRoot(root, configFile),
      loadSettings: async () => {
        const { loadConfig } = await import('../../core/config/load-config.ts')
        return loadConfig({ cwd: root, configFile })
      },
    })
  }
}

const CONTENT = /(?<![\w.$])(["']?)content\1\s*:\s*(["'`])([^"'`$\n]+)\2/

/**
 * Reads the content folder from the text of the configuration. Runs no code: a user who presses Tab in an unknown
 * folder has not decided to run its configuration.
 */
function guessContentRoot(root: string, configFile?: string): string {
  const names = configFile === undefined ? CONFIG_NAMES : [configFile]
  const text = names
    .map((name) => tryTo(() => readFileSync(resolve(root, name), 'utf8')))
    .find((each) => each !== undefined)
  return join(root, CONTENT.exec(text ?? '')?.[3] ?? 'content')
}

/**
 * Returns the entries of the folder to which `word` is a path, with the prefix as typed, folders first. Lists hidden
 * entries only after a typed dot.
 *
 * @param isIncluded filters by absolute path, including folders
 */
function listPaths(
  word: string,
  cwd: string,
  isIncluded: (path: string, isFolder: boolean) => boolean,
): Candidate[] {
  const behindSlash = word.lastIndexOf('/') + 1
  const prefix = word.slice(0, behindSlash)
  const start = word.slice(behindSlash)
  const folder = resolve(cwd, prefix.startsWith('~/') ? `${homedir()}${prefix.slice(1)}` : prefix)
  return entriesOf(folder)
    .map((entry) => ({ name: entry.name, isFolder: leadsToFolder(entry, folder) }))
    .filter(({ name }) => name.startsWith(start) && (start !== '' || !name.startsWith('.')))
    .filter(({ name, isFolder }) => isIncluded(resolve(folder, name), isFolder))
    .toSorted((a, b) => Number(b.isFolder) - Number(a.isFolder) || (a.name < b.name ? -1 : 1))
    .map(({ name, isFolder }) => ({ value: `${prefix}${name}${isFolder ? '/' : ''}`, isPartial: isFolder }))
}

function leadsToFolder(entry: Dirent, folder: string): boolean {
  return entry.isSymbolicLink() ? pathKind(join(folder, entry.name)) === 'folder' : entry.isDirectory()
}
