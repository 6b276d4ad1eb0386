// CODEOWNERS as GitHub and GitLab read it. That of Gitea is another language of the same name, and not read.

/** Which service's reading counts where they differ. */
export type CodeownersDialect = 'github' | 'gitlab'

export interface OwnerRule {
  /** Like a line of .gitignore, without `!`. */
  readonly pattern: string
  /** GitLab: `!pattern` takes files out of its section. */
  readonly excludes: boolean
  /** `@name`, `@group/team`, `@@role` or an e-mail address; none where nobody is to be asked. */
  readonly owners: readonly string[]
}

/** Rules of which the last one that fits decides; each section adds its own owners. */
export interface OwnerSection {
  readonly name: string
  readonly rules: readonly OwnerRule[]
}

const SECTION = /^\^?\[([^\]]+)\](?:\[\d+\])?(?:\s(.*))?$/

/** Whether a file has what GitLab alone knows; to GitHub, such a line is a mistake. */
export function hasSections(text: string): boolean {
  return text.split(/\r?\n/).some((line) => SECTION.test(line.trim()))
}

/** The sections of a file, the nameless one first; a line that says nothing is passed over. */
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
    // Sections of one name are one section, whatever the case.
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
  // GitHub knows neither, and passes over the whole line.
  if (dialect === 'github' && (excludes || /[[\]]/.test(written))) return undefined
  const pattern = excludes ? written.slice(1) : written
  const owners = ownersIn(words)
  return pattern === '' ? undefined : { pattern, excludes, owners: owners.length > 0 ? owners : defaults }
}

/** Words between white space that no backslash stands before, up to a comment. */
function splitWords(text: string): string[] {
  const words = text.match(/(?:\\.|[^\s\\])+/gu) ?? []
  const comment = words.findIndex((word, index) => index > 0 && word.startsWith('#'))
  return comment === -1 ? words : words.slice(0, comment)
}

function ownersIn(words: readonly string[]): string[] {
  return words.filter((word) => /^@@?[^\s@]+$|^[^\s@]+@[^\s@]+$/.test(word))
}
