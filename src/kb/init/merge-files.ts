import detectIndent from 'detect-indent'
import { KbError, reasonOf } from '../../core/errors/kb-error.ts'
import { isRecord } from '../../core/is-record.ts'

interface Manifest {
  readonly scripts?: Readonly<Record<string, unknown>>
  readonly dependencies?: Readonly<Record<string, unknown>>
  readonly devDependencies?: Readonly<Record<string, unknown>>
  readonly [key: string]: unknown
}

const SCRIPTS = { 'kb:check': 'kb check', 'kb:sync': 'kb sync', 'kb:watch': 'kb watch' } as const
const BYTE_ORDER_MARK = '\uFEFF'

/** Returns package.json for a project without one. `name` is valid for npm. */
export function createPackageJson(name: string, version: string): string {
  const manifest = {
    name,
    private: true,
    type: 'module',
    scripts: SCRIPTS,
    devDependencies: { 'kb-sync': `^${version}` },
  }
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}

/**
 * Adds our scripts and kb-sync as a devDependency to package.json. Also returns the additions, and the names of our
 * scripts that have another command there. Existing content stays: scripts with the same name, kb-sync in another list,
 * the order of keys, indentation, line endings and a byte order mark.
 *
 * @throws KbError CONFIG_UNREADABLE for a text that is not a JSON object
 */
export function mergePackageJson(text: string, version: string) {
  const manifest = parseManifest(text)
  const { scripts = {}, dependencies = {}, devDependencies = {} } = manifest
  const newScripts = Object.entries(SCRIPTS).filter(([name]) => !Object.hasOwn(scripts, name))
  const isListed = [dependencies, devDependencies].some((list) => Object.hasOwn(list, 'kb-sync'))
  const added = [
    ...newScripts.map(([name]) => `script ${name}`),
    ...(isListed ? [] : ['devDependency kb-sync']),
  ]
  const others = Object.entries(SCRIPTS)
    .filter(([name, command]) => Object.hasOwn(scripts, name) && scripts[name] !== command)
    .map(([name]) => name)
  if (added.length === 0) return { text, added, others }
  const merged = {
    ...manifest,
    ...(newScripts.length > 0 && { scripts: { ...scripts, ...Object.fromEntries(newScripts) } }),
    ...(!isListed && { devDependencies: withDependency(devDependencies, `^${version}`) }),
  }
  return { text: formatLike(text, merged), added, others }
}

/** Returns the path in the package.json `text` from which kb-sync is installed; undefined if that is no file. */
export function findPackedFile(text: string): string | undefined {
  const { dependencies = {}, devDependencies = {} } = parseManifest(text)
  const version = devDependencies['kb-sync'] ?? dependencies['kb-sync']
  if (typeof version !== 'string') return undefined
  const path = version.replace(/^(?:file|link|portal):/, '')
  return path !== version || /^\.{0,2}\//.test(path) ? path : undefined
}

/** @throws KbError CONFIG_UNREADABLE */
function parseManifest(text: string): Manifest {
  const manifest = parseJson(text)
  if (!isRecord(manifest)) throw unreadable('it is not a JSON object')
  for (const key of ['scripts', 'dependencies', 'devDependencies'])
    if (manifest[key] !== undefined && !isRecord(manifest[key])) throw unreadable(`${key} is not an object`)
  return manifest
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(BYTE_ORDER_MARK, ''))
  } catch (error) {
    throw unreadable(reasonOf(error))
  }
}

function unreadable(reason: string): KbError {
  return new KbError('CONFIG_UNREADABLE', `package.json could not be read: ${reason}. Nothing was written.`, {
    hint: 'Fix package.json and run kb init again.',
  })
}

/** Keeps a sorted list sorted, as package managers do. */
function withDependency(list: Readonly<Record<string, unknown>>, range: string): Record<string, unknown> {
  const entries: [string, unknown][] = [...Object.entries(list), ['kb-sync', range]]
  const names = Object.keys(list)
  const isSorted = names.every((name, index) => index === 0 || (names[index - 1] ?? '') < name)
  return Object.fromEntries(isSorted ? entries.toSorted(([a], [b]) => (a < b ? -1 : 1)) : entries)
}

function formatLike(text: string, manifest: object): string {
  const { indent } = detectIndent(text)
  const json = JSON.stringify(manifest, undefined, indent === '' && text.includes('\n') ? 2 : indent)
  const body = text.includes('\r\n') ? json.replaceAll('\n', '\r\n') : json
  const [ending = ''] = /\s*$/.exec(text) ?? []
  return `${text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ''}${body}${ending}`
}

interface IgnoredFolder {
  readonly line: string
  /** Matches lines that already ignore the folder. */
  readonly covering: RegExp
}

const WORKSPACE: IgnoredFolder = { line: '.kb/', covering: /^(?:\*\*)?\/?(?:\.kb|\.\*)\/?(?:\*{1,2})?$/ }
const PACKAGES: IgnoredFolder = {
  line: 'node_modules/',
  covering: /^(?:\*\*)?\/?node_modules\/?(?:\*{1,2})?$/,
}

/**
 * Adds the paths to ignore to the text of .gitignore. Also returns the added lines. Line endings stay unchanged,
 * including a missing last one.
 *
 * @param text existing text; undefined if there is no file
 * @param withPackages true to ignore node_modules, too
 */
export function mergeGitignore(text: string | undefined, withPackages: boolean) {
  const lines = (text ?? '').split(/\r?\n/)
  const folders = withPackages ? [PACKAGES, WORKSPACE] : [WORKSPACE]
  const added = folders.filter((folder) => !isIgnored(lines, folder)).map(({ line }) => line)
  if (text === undefined || text === '') return { text: added.map((line) => `${line}\n`).join(''), added }
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  const hasLineEnd = text.endsWith('\n')
  const block = added.join(lineEnd)
  if (block === '') return { text, added }
  return { text: hasLineEnd ? `${text}${block}${lineEnd}` : `${text}${lineEnd}${block}`, added }
}

/** As in git, the last line about the folder applies. */
function isIgnored(lines: readonly string[], { covering }: IgnoredFolder): boolean {
  const last = lines.map((line) => line.trim()).findLast((line) => covering.test(line.replace(/^!/, '')))
  return last !== undefined && !last.startsWith('!')
}
