import { entriesOf, entryIfThere, leadsInside, realPathIfThere, statIfThere } from '../../core/paths.ts'
import { type Dirent, type Stats, lstatSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { reasonWithoutPath } from '../../core/errors/kb-error.ts'
import { readContentFolder } from './content-folder.ts'
import type { PresetName } from '../../core/dialects/dialects.ts'
import type { SourceProblem } from './source-problem.ts'
import { isFolderFile, isSectionPage, withoutBundled, withoutReadmes } from './folder-files.ts'
import { tryTo } from '../../core/try-to.ts'
import { errorCodeOf } from '../../core/error-code.ts'

/** A file's identity from the file system, without reading it. */
export interface FileStamp {
  /** Path in the content folder, with `/`. */
  readonly source: string
  readonly size: number
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly ino: number
}

export interface FoundSources {
  /** Articles, sorted by source. */
  readonly articles: readonly FileStamp[]
  /** Existing taxonomy files: those in the content folder, and `folders`. */
  readonly taxonomy: readonly FileStamp[]
  /** The files in `taxonomy` in which a tool describes folders and tags. */
  readonly folders: readonly FileStamp[]
  /** Paths that would be articles or taxonomy files but cannot be read. */
  readonly unread: readonly SourceProblem[]
}

export interface SourceFilter {
  (source: string): boolean
  /** True for packages that are excluded as a whole. They are not searched, because there are many. */
  readonly isExcludedPackages: IsIncluded
}

export const TAXONOMY_FILES = ['_categories.yml', '_tags.yml']

/**
 * Finds the files in the content folder. Names that start with `_` or `.` are not articles, except those of sections; a
 * symbolic link counts only if it leads to a file inside the content folder. Each path that looks like an article but
 * is left out gets a problem. Synchronous, because that is four to six times faster on a large tree.
 *
 * @throws KbError CONTENT_UNREADABLE
 */
export function findSources(
  contentRoot: string,
  isIncluded: SourceFilter,
  preset?: PresetName,
): FoundSources {
  const walk = walkSources(contentRoot, isIncluded, preset)
  for (let step = walk.next(); ; step = walk.next()) if (step.done === true) return step.value
}

/** Number of folder entries after which `walkSources` yields: some milliseconds. */
const ENTRIES_AT_ONCE = 500

/** Does the same in steps, so that other work can be done in between. */
export function* walkSources(
  contentRoot: string,
  isIncluded: SourceFilter,
  preset?: PresetName,
): Generator<undefined, FoundSources> {
  const found: FileStamp[] = []
  const folders: FileStamp[] = []
  const unread: SourceProblem[] = []
  const pending = ['']
  let entries = 0
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of readContentFolder(contentRoot, folder, 'Nothing was sent.')) {
      if (++entries % ENTRIES_AT_ONCE === 0) yield
      const source = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (isFolderFile(source, preset)) folders.push(...optional(stampEntry(entry, contentRoot, source)))
      const isHidden = entry.name.startsWith('_') && !isSectionPage(source, preset)
      if (isHidden || entry.name.startsWith('.') || isIncluded.isExcludedPackages(source)) continue
      if (entry.isDirectory()) pending.push(source)
      else if (isIncluded(source)) {
        const stamp = stampEntry(entry, contentRoot, source)
        if (stamp === undefined) unread.push(...explainUnread(contentRoot, source, isIncluded))
        else found.push(stamp)
      } else if (entry.isSymbolicLink()) unread.push(...explainLinkedFolder(contentRoot, source, isIncluded))
    }
  }
  const articles = preset === undefined ? found : withoutBundled(withoutReadmes(found, preset), preset)
  for (const list of [articles, folders]) list.sort((a, b) => (a.source < b.source ? -1 : 1))
  const listed = TAXONOMY_FILES.flatMap((name) =>
    // A symbolic link must not make a report show a file from outside the content folder.
    leadsInside(contentRoot, name) ? stampIfThere(contentRoot, name) : [],
  )
  for (const name of TAXONOMY_FILES) {
    if (!listed.some(({ source }) => source === name)) unread.push(...explainUnread(contentRoot, name))
  }
  const taxonomy = folders.length === 0 ? listed : [...listed, ...folders]
  return { articles, taxonomy, folders, unread }
}

function optional<Value>(value: Value | undefined): Value[] {
  return value === undefined ? [] : [value]
}

/** Returns a filter for `include` and `exclude` patterns (picomatch syntax, matched against the source). */
export async function createSourceFilter(
  include: readonly string[],
  exclude: readonly string[],
): Promise<SourceFilter> {
  const isIncluded = await createMatcher(include)
  const isExcluded = await createIsExcluded(exclude)
  const isExcludedFolder = await createIsExcluded(exclude.flatMap(toExcludedFolder))
  const isExcludedPackages = (source: string) => {
    // Almost no path needs the regular expression.
    const [packages] = source.includes('node_modules') ? (PACKAGES.exec(source) ?? []) : []
    return packages !== undefined && isExcludedFolder(packages)
  }
  return Object.assign((source: string) => isIncluded(source) && !isExcluded(source), { isExcludedPackages })
}

const PACKAGES = /^(?:.*?\/)?node_modules(?=\/|$)/

/** Returns the pattern of the folders that `pattern` excludes with all of their files. */
function toExcludedFolder(pattern: string): string[] {
  const [, folder] = /^(?!!|regexp:)(.+?)\/\*\*(?:\/\*)?$/.exec(pattern) ?? []
  return optional(folder)
}

/** Default patterns need no glob library, which makes a run with nothing to do faster. */
const SIMPLE_PATTERNS: Readonly<Record<string, IsIncluded>> = {
  '**/*.md': (source) => source.endsWith('.md'),
  '**/node_modules/**': (source) => /(?:^|\/)node_modules(?:\/|$)/.test(source),
  '**/node_modules': (source) => /(?:^|\/)node_modules$/.test(source),
}

async function createMatcher(patterns: readonly string[]): Promise<IsIncluded> {
  const [pattern = '', ...more] = patterns
  const simple = more.length === 0 ? SIMPLE_PATTERNS[pattern] : undefined
  if (simple !== undefined) return simple
  const { default: picomatch } = await import('picomatch')
  return picomatch([...patterns])
}

const REGEXP = 'regexp:'

/** Returns a test for excluded sources, by the configured patterns and a tool's regular expressions after `regexp:`. */
export async function createIsExcluded(exclude: readonly string[]): Promise<IsIncluded> {
  if (exclude.length === 0) return () => false
  const matches = await createMatcher(exclude.filter((pattern) => !pattern.startsWith(REGEXP)))
  const expressions = exclude.flatMap((pattern) =>
    pattern.startsWith(REGEXP) ? parseExpression(pattern.slice(REGEXP.length)) : [],
  )
  return (source) => matches(source) || expressions.some((expression) => expression.test(`/${source}`))
}

/** An expression that only the tool can parse excludes nothing. */
function parseExpression(written: string): RegExp[] {
  const anyCase = /^\(\?i\)/.exec(written)?.[0] ?? ''
  return tryTo(() => [new RegExp(written.slice(anyCase.length), anyCase === '' ? '' : 'i')], [])
}

/** Returns the stamp of a file as text. Equal texts mean equal files, as far as a stamp can show. */
export function formatStamp(file: FileStamp): string {
  return `${file.source}\0${file.size}\0${file.mtimeMs}\0${file.ctimeMs}\0${file.ino}\n`
}

/** Finds a file by source, in any Unicode form of its name. */
export function findFile(contentRoot: string, source: string): FileStamp | undefined {
  const forms = new Set([source, source.normalize('NFC'), source.normalize('NFD')])
  return [...forms].flatMap((form) => stampIfThere(contentRoot, form))[0]
}

function stampEntry(entry: Dirent, contentRoot: string, source: string): FileStamp | undefined {
  const mayBeRead = entry.isFile() || (entry.isSymbolicLink() && leadsInside(contentRoot, source))
  return mayBeRead ? stampIfThere(contentRoot, source)[0] : undefined
}

function stampIfThere(contentRoot: string, source: string): FileStamp[] {
  // `join` would take a tenth of the time of a large tree.
  const stats = statIfThere(`${contentRoot}/${source}`)
  return stats?.isFile() === true ? [stampOf(source, stats)] : []
}

function stampOf(source: string, { size, mtimeMs, ctimeMs, ino }: Stats): FileStamp {
  return { source, size, mtimeMs, ctimeMs, ino }
}

type IsIncluded = (source: string) => boolean

/** Maximum number of folders to search for articles behind a link to a folder. */
const MOST_FOLDERS = 1000

/** Returns the reason why `source` cannot be read as a file of the content; none if it is gone. */
function explainUnread(contentRoot: string, source: string, isIncluded: IsIncluded = () => false) {
  const file = join(contentRoot, source)
  if (!isListed(file)) return source.includes('\ufffd') ? [unreadFile(source, NAME_NOT_UTF8)] : []
  try {
    const stats = statSync(file)
    if (stats.isDirectory()) return explainLinkedFolder(contentRoot, source, isIncluded)
    if (!leadsInside(contentRoot, source)) return [unreadFile(source, leadsOutside(source))]
    return stats.isFile() ? [] : [unreadFile(source, NO_FILE)]
  } catch (error) {
    const isLink = entryIfThere(file)?.isSymbolicLink() === true
    return [unreadFile(source, isLink ? leadsNowhere(source, error) : { message: unreadable(error) })]
  }
}

/** Folders behind symbolic links are not searched, so articles in one would be missed. */
function explainLinkedFolder(contentRoot: string, source: string, isIncluded: IsIncluded): SourceProblem[] {
  if (statIfThere(join(contentRoot, source))?.isDirectory() !== true) return []
  return holdsArticles(contentRoot, source, isIncluded) ? [unreadFile(source, linkedFolder(source))] : []
}

function holdsArticles(contentRoot: string, top: string, isIncluded: IsIncluded): boolean {
  const seen = new Set<string>()
  const pending = [top]
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const place = realPathIfThere(join(contentRoot, folder))
    if (place === undefined || seen.has(place)) continue
    seen.add(place)
    if (seen.size > MOST_FOLDERS) return true
    for (const entry of entriesOf(place)) {
      if (/^[_.]/.test(entry.name)) continue
      const source = `${folder}/${entry.name}`
      if (entry.isDirectory()) pending.push(source)
      else if (isIncluded(source)) return true
    }
  }
  return false
}

interface Words {
  readonly message: string
  readonly hint?: string
}

const NAME_NOT_UTF8: Words = {
  message: 'The name of the file is not valid UTF-8, so the file cannot be read.',
  hint: 'Rename the file.',
}

const NO_FILE: Words = {
  message: 'This is not a regular file, but a pipe, a socket or a device.',
  hint: 'Delete it, or add it to exclude in the configuration.',
}

function leadsOutside(source: string): Words {
  return {
    message: `"${source}" points to a file outside the content folder.`,
    hint: 'Copy the file into the content folder.',
  }
}

function leadsNowhere(source: string, error: unknown): Words {
  const isGone = errorCodeOf(error) === 'ENOENT'
  const reason = isGone ? 'a file that does not exist' : 'something that cannot be read'
  return { message: `"${source}" is a symbolic link to ${reason}.`, hint: 'Correct the link, or delete it.' }
}

function linkedFolder(source: string): Words {
  return {
    message: `"${source}" is a symbolic link to a folder with articles, which kb-sync does not read.`,
    hint: 'Move the folder into the content folder, or add it to exclude in the configuration.',
  }
}

function unreadable(error: unknown): string {
  return `The file could not be read: ${reasonWithoutPath(error)}.`
}

function unreadFile(source: string, words: Words): SourceProblem {
  return { source, problem: { code: 'file-unreadable', ...words, line: 1, column: 1 } }
}

function isListed(file: string): boolean {
  // If it throws, the folder can be listed, but its entries cannot be checked.
  return tryTo(() => lstatSync(file, { throwIfNoEntry: false }) !== undefined, true)
}
