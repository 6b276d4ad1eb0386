import { type Diagnostic, isError } from '../../core/model/diagnostic.ts'
import { RULES, type RuleSettings, type RuleSeverity } from '../../core/model/diagnostic-codes.ts'
import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { Settings } from '../../core/config/settings.ts'
import { formatNumber } from '../../core/format-number.ts'
import { groupBy } from '../../core/group-by.ts'
import { admitContent, describeHeldBack, heldBack } from '../../sync/admit-content.ts'
import { contentPrefix } from '../../core/paths.ts'

/** Settings that make a first sync possible. */
export interface Proposal {
  /** Indented lines of the configuration; none if they would allow hardly any article to be sent. */
  readonly lines: readonly string[]
  /** Number of articles that a sync holds back with these settings. */
  readonly heldBack: number
  /** Files whose errors stop a sync with any settings, as in diagnostics. */
  readonly stoppedBy: readonly string[]
}

interface ProposalInput {
  /** The current settings. What they already set is not proposed. */
  readonly settings: Settings
  readonly content: LoadedContent
  readonly articles: number
  /** True if the content folder contains more than one folder or file. */
  readonly hasOthers: boolean
}

/**
 * Turns each violated rule into a warning, for one folder if only that violates it, and holds back articles with other
 * errors. Returns undefined if no error concerns a sync, or if its article is already held back. Pure.
 */
export function proposeSettings(input: ProposalInput): Proposal | undefined {
  const { settings, content, articles, hasOthers } = input
  const errors = content.diagnostics.filter(isError)
  if (errors.length === 0) return undefined
  const prefix = contentPrefix(settings)
  const isRelaxable = ({ code }: Diagnostic) => Object.hasOwn(RULES, code) && !isSetToError(code, settings)
  const broken = [...groupBy(errors.filter(isRelaxable), ({ code }) => code)].map(([code, found]) => ({
    code,
    count: found.length,
    folder: hasOthers ? onlyFolderOf(found.map(({ file }) => file.slice(prefix.length))) : undefined,
  }))
  const rest = errors.filter((error) => !isRelaxable(error))
  const { isStopped, held } = admitContent({ ...content, diagnostics: rest }, 'hold', undefined, prefix)
  if (isStopped) {
    const { taxonomy } = heldBack({ ...content, diagnostics: rest }, held, prefix)
    return { lines: [], heldBack: articles, stoppedBy: taxonomy.map((source) => `${prefix}${source}`) }
  }
  const proposed = { heldBack: held.size, stoppedBy: [] }
  if (held.size >= articles * NEARLY_ALL) return { ...proposed, lines: [] }
  const lines = [
    ...severityLines(broken),
    ...(held.size === 0 || settings.sync.onError === 'hold'
      ? []
      : [
          '  // Articles with other errors are held back, and those that depend on them.',
          `  // Now: ${describeHeldBack(held, rest, prefix)}.`,
          "  sync: { onError: 'hold' },",
        ]),
  ]
  return lines.length === 0 ? undefined : { ...proposed, lines }
}

/** A share of the articles. */
const NEARLY_ALL = 0.9

/** Defaults are not in `rules` and `overrides`. */
function isSetToError(code: string, { rules, overrides }: RuleSettings): boolean {
  return [rules, ...overrides.map((each) => each.rules)].some(
    (severities: Partial<Record<string, RuleSeverity>>) => severities[code] === 'error',
  )
}

function severityLines(broken: readonly (BrokenRule & { readonly folder: string | undefined })[]): string[] {
  const everywhere = broken.filter(({ folder }) => folder === undefined)
  const folders = groupBy(
    broken.filter(({ folder }) => folder !== undefined),
    ({ folder = '' }) => folder,
  )
  return [
    ...(everywhere.length === 0 ? [] : ['  rules: {', ...ruleLines(everywhere, '    '), '  },']),
    ...(folders.size === 0
      ? []
      : ['  overrides: [', ...[...folders].flatMap(([folder, rules]) => override(folder, rules)), '  ],']),
  ]
}

interface BrokenRule {
  readonly code: string
  readonly count: number
}

function override(folder: string, rules: readonly BrokenRule[]): string[] {
  const pattern = `${folder.replaceAll(/[\\'*?[\]{}()!]/g, '?')}/**`
  return [
    '    {',
    `      files: ['${pattern}'],`,
    '      rules: {',
    ...ruleLines(rules, '        '),
    '      },',
    '    },',
  ]
}

function ruleLines(rules: readonly BrokenRule[], indent: string): string[] {
  return rules
    .toSorted((a, b) => b.count - a.count)
    .map(({ code, count }) => `${indent}'${code}': 'warning', // ${formatNumber(count)}`)
}

/** Returns the folder directly below the content folder that contains all sources. */
function onlyFolderOf(sources: readonly string[]): string | undefined {
  const tops = new Set(sources.map((source) => (source.includes('/') ? source.split('/')[0] : undefined)))
  const [only] = tops
  return tops.size === 1 ? only : undefined
}

type ConfigChange =
  | { readonly kind: 'text'; readonly text: string }
  /** `present`: the keys of the lines that the configuration already contains. */
  | { readonly kind: 'impossible'; readonly present: readonly string[] }

/**
 * Adds settings to the text of a configuration: at its end if it ends as `kb init` writes it, else at its start.
 * Impossible if it contains, or may contain, such settings, or does not export an object.
 */
export function withSettings(config: string, lines: readonly string[]): ConfigChange {
  const keys = lines.flatMap((line) => /^ {2}(\w+):/.exec(line)?.[1] ?? [])
  const starts = [...config.matchAll(/^export default (?:defineConfig\()?\{/gm)]
  const [start] = starts
  if (keys.length === 0 || start === undefined || starts.length > 1)
    return { kind: 'impossible', present: [] }
  const at = start.index + start[0].length
  const members = membersOf(config.slice(at))
  const present = keys.filter((key) => members.some((member) => isMember(member, key)))
  if (present.length > 0 || members.some((member) => member.startsWith('...')))
    return { kind: 'impossible', present }
  const newline = config.includes('\r\n') ? '\r\n' : '\n'
  const added = ['', ...lines, ''].join(newline)
  const [end] = /(?<=,\r?\n(?:\s*\/\/[^\n]*\n)*)\}\)\r?\n$/.exec(config) ?? []
  const isLast = end !== undefined && !/\n[^\s/]/.test(config.slice(start.index, -end.length))
  const offset = isLast ? config.length - end.length : at
  return { kind: 'text', text: `${config.slice(0, offset)}${added}${config.slice(offset)}` }
}

const TOKEN = /\/\/[^\n]*|\/\*[^]*?\*\/|(["'`])(?:\\[^]|(?!\1)[^\\])*\1|[^]/g

/** Returns the members of an object, without comments and nested content. `text` starts after its brace. */
function membersOf(text: string): string[] {
  const members = ['']
  let depth = 0
  for (const [token] of text.matchAll(TOKEN)) {
    if (/^[}\])]/.test(token)) depth--
    if (depth < 0) break
    if (depth === 0 && token === ',') members.push('')
    else if (depth === 0 && !/^\/[/*]/.test(token)) members.push(`${members.pop() ?? ''}${token}`)
    if (/^[{[(]/.test(token)) depth++
  }
  return members.map((member) => member.trim())
}

function isMember(member: string, key: string): boolean {
  return new RegExp(`^(?:${key}|'${key}'|"${key}")\\s*(?:[:(]|$)`).test(member)
}
