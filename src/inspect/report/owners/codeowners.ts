// CODEOWNERS in the syntax of GitHub and GitLab; Gitea's differs, and is not supported. The package codeowners-utils
// supports neither sections nor exclusions of GitLab, nor an escaped space or `#`, and matches everything below docs
// with `docs/*`. It matches patterns with the package that is used here.
import ignore from 'ignore'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { reasonWithoutPath } from '../../../core/errors/kb-error.ts'
import { findRepository } from '../../../core/git/find-repository.ts'
import { relativePath } from '../../../core/paths.ts'
import type { OwnersShown } from '../../../web/report/report.ts'
import { unknownOwners, type OwnersOfFiles, toOwner } from './owner.ts'

/** In the order in which GitHub searches, then GitLab's own location. */
const PLACES = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS']

/**
 * Reads the owners of files, by their path relative to the project, from the repository's CODEOWNERS. Handles are
 * names.
 *
 * @param root of the project
 */
export async function readCodeowners(root: string, shown: OwnersShown): Promise<OwnersOfFiles> {
  const repository = findRepository(root) ?? root
  const place = PLACES.find((each) => existsSync(join(repository, each)))
  if (place === undefined)
    return unknownOwners(`Owners are unknown: there is no CODEOWNERS file (${PLACES.join(', ')}).`)
  try {
    const text = await readFile(join(repository, place), 'utf8')
    return ownersBy(text, place, relativePath(repository, root), shown)
  } catch (error) {
    return unknownOwners(`Owners are unknown: ${place} could not be read: ${reasonWithoutPath(error)}.`)
  }
}

function ownersBy(text: string, place: string, project: string, shown: OwnersShown): OwnersOfFiles {
  const dialect = place.startsWith('.gitlab/') || hasSections(text) ? 'gitlab' : 'github'
  const matching = createOwnerMatcher(parseCodeowners(text, dialect), dialect)
  return {
    ownersOf: (file) => {
      const path = posix.join(project, file)
      // The content may be outside the repository.
      const written = path.startsWith('../') ? [] : matching(path)
      return written.flatMap((name) => toOwner({ name }, shown) ?? [])
    },
    notes: [],
  }
}

/** The service whose syntax is used where they differ. */
export type CodeownersDialect = 'github' | 'gitlab'

interface OwnerRule {
  /** Like a line of .gitignore, without `!`. */
  readonly pattern: string
  /** GitLab: `!pattern` excludes files from its section. */
  readonly excludes: boolean
  /** `@name`, `@group/team`, `@@role` or an email address; empty for files without an owner. */
  readonly owners: readonly string[]
}

/** Rules of which the last match decides. Each section adds its own owners. */
interface OwnerSection {
  readonly name: string
  readonly rules: readonly OwnerRule[]
}

const SECTION = /^\^?\[([^\]]+)\](?:\[\d+\])?(?:\s(.*))?$/

/** True if a file uses syntax of GitLab, which is an error on GitHub. */
function hasSections(text: string): boolean {
  return text.split(/\r?\n/).some((line) => SECTION.test(line.trim()))
}

/** Parses the sections of a file, the nameless one first. Skips lines without a rule. */
export function parseCodeowners(text: string, dialect: CodeownersDialect): readonly OwnerSection[] {
  const sections = new Map<string, OwnerRule[]>([['', []]])
  let [current, defaults] = ['', [] as readonly string[]]
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const written = line.trim()
    if (written === '' || written.startsWith('#')) continue
    const [, name, rest] = (dialect === 'gitlab' && SECTION.exec(written)) || []
    if (name === undefined) {
      const rule = parseRule(written, defaults, dialect)
      if (rule !== undefined) sections.get(current)?.push(rule)
      continue
    }
    // Sections with the same name, ignoring case, are one section.
    current = name.trim().toLowerCase()
    defaults = ownersIn(splitWords(rest ?? ''))
    if (!sections.has(current)) sections.set(current, [])
  }
  return [...sections].map(([name, rules]) => ({ name, rules }))
}

function parseRule(
  line: string,
  defaults: readonly string[],
  dialect: CodeownersDialect,
): OwnerRule | undefined {
  const [written = '', ...words] = splitWords(line)
  const excludes = written.startsWith('!')
  // GitHub supports neither, and ignores the whole line.
  if (dialect === 'github' && (excludes || /[[\]]/.test(written))) return undefined
  const pattern = excludes ? written.slice(1) : written
  const owners = ownersIn(words)
  return pattern === '' ? undefined : { pattern, excludes, owners: owners.length > 0 ? owners : defaults }
}

/** Splits a line at white space without a preceding backslash, up to a comment. */
function splitWords(text: string): string[] {
  const words = text.match(/(?:\\.|[^\s\\])+/gu) ?? []
  const comment = words.findIndex((word, index) => index > 0 && word.startsWith('#'))
  return comment === -1 ? words : words.slice(0, comment)
}

function ownersIn(words: readonly string[]): string[] {
  return words.filter((word) => /^@@?[^\s@]+$|^[^\s@]+@[^\s@]+$/.test(word))
}

type IsMatch = (path: string) => boolean

interface MatchedRule extends OwnerRule {
  readonly isMatch: IsMatch
}

/** Creates a function that returns the owners, as written, of a path relative to the repository. */
export function createOwnerMatcher(
  sections: readonly OwnerSection[],
  dialect: CodeownersDialect,
): (path: string) => readonly string[] {
  const matched = sections.map(({ rules }) =>
    rules.map((rule) => ({ ...rule, isMatch: createIsMatch(rule.pattern, dialect) })),
  )
  return (path) => [...new Set(matched.flatMap((rules) => ownersInSection(rules, path)))]
}

function ownersInSection(rules: readonly MatchedRule[], path: string): readonly string[] {
  if (rules.some(({ excludes, isMatch }) => excludes && isMatch(path))) return []
  return rules.findLast(({ isMatch }) => isMatch(path))?.owners ?? []
}

function createIsMatch(written: string, dialect: CodeownersDialect): IsMatch {
  // GitLab matches patterns that do not begin at the root at every depth; .gitignore does so only for single names.
  const isAnywhere = dialect === 'gitlab' && !/^(?:\/|\*\*\/)/.test(written)
  const pattern = isAnywhere ? `**/${written}` : written
  const rules = ignore({ ignorecase: false }).add({ pattern })
  const start = literalStart(pattern)
  // Unlike in .gitignore, `docs/*` matches the files in docs, but not those in its subfolders.
  const isAboutFiles = /(?:^|\/)\*$/.test(pattern) && pattern !== '*' && pattern !== '**/*'
  return (path) =>
    path.startsWith(start) && rules.ignores(path) && !(isAboutFiles && isFolderMatch(rules, path))
}

function literalStart(pattern: string): string {
  // Without a slash before its end, a pattern matches names at every depth.
  const isRooted = /\/[^]/.test(pattern)
  return isRooted ? (/^\/?([^*?[\]\\]*)/.exec(pattern)?.[1] ?? '') : ''
}

function isFolderMatch(rules: { readonly ignores: IsMatch }, path: string): boolean {
  const end = path.lastIndexOf('/')
  return end > 0 && rules.ignores(`${path.slice(0, end)}/`)
}
