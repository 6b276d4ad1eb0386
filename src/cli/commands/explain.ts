import { ERRORS } from '../../core/errors/catalogue.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import { createKb } from '../../kb/create-kb.ts'
import {
  type DiagnosticCode,
  DIAGNOSTICS,
  RULES,
  type RuleSeverities,
  severityOf,
} from '../../core/model/diagnostic-codes.ts'
import { didYouMean } from '../../core/nearest.ts'
import type { CommonFlags, RunCommand } from './run-on-project.ts'
import { formatMarkdown } from '../diagnostics/format-markdown.ts'
import { createSectionReader, guideUrl, withoutPageLinks } from '../diagnostics/guide-sections.ts'
import { formatJson } from '../text/format-json.ts'
import { formatTable, type TextColumn } from '../text/format-table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { createParse, resolveParser } from '../../content/parser/resolve-parser.ts'

export const explain: RunCommand<unknown, void> = async ([code], options, terminal) => {
  const rules = await readRules(options, code === undefined)
  if (code === undefined) return printCodes(rules, options, terminal)
  const known = findCode(code)
  const entry = describe(known, rules)
  const text = createSectionReader()(known) ?? entry.summary
  if (options.json === true) {
    const markdown = withoutPageLinks(text)
    return terminal.out(formatJson({ version: 1, ...entry, url: guideUrl(known), markdown }))
  }
  const { bold, dim } = terminal.colors
  const parse = createParse(await resolveParser({ parser: 'native', remarkPlugins: [] }))
  const lines = formatMarkdown(parse(text), terminal.columns, terminal.colors)
  const head = `${bold(known)} ${dim(kindOf(entry))}`
  terminal.out(`${[head, '', ...lines, '', dim(`In the guide: ${guideUrl(known)}`)].join('\n')}\n`)
}

interface Entry {
  readonly code: string
  readonly severity: 'error' | 'warning' | 'off' | 'failure'
  /** True if `rules` in the configuration can set the severity. */
  readonly isRule: boolean
  readonly summary: string
}

/** Describes a code under the configuration. An error code ends a command. */
function describe(code: string, rules: RuleSeverities): Entry {
  if (!(code in DIAGNOSTICS))
    return { code, severity: 'failure', isRule: false, summary: ERRORS[code as keyof typeof ERRORS].summary }
  const diagnostic = code as DiagnosticCode
  const severity = severityOf(diagnostic, rules)
  return { code, severity, isRule: code in RULES, summary: DIAGNOSTICS[diagnostic].summary }
}

function kindOf({ code, severity, isRule }: Entry): string {
  if (severity === 'failure')
    return `ends the command with exit code ${ERRORS[code as keyof typeof ERRORS].exit}`
  return isRule ? `${severity}; a rule: set rules['${code}'] in kb.config.ts` : severity
}

/** Reads the severities of the project, if there is one: codes can be explained in any folder. */
async function readRules({ cwd, config }: CommonFlags, mustLoad: boolean): Promise<RuleSeverities> {
  try {
    return (await createKb({ cwd, config }).loadSettings()).rules
  } catch (error) {
    const isAsked = config !== undefined || mustLoad
    if (isAsked || !(error instanceof KbError)) throw error
    return {}
  }
}

const CODES = [...Object.keys(DIAGNOSTICS), ...Object.keys(ERRORS)]

const MOST_LIKE = 5

function findCode(code: string): string {
  const like = CODES.filter((each) => each.toLowerCase().includes(code.toLowerCase()))
  const known = like.find((each) => each.length === code.length)
  if (known !== undefined) return known
  const isShort = like.length > 0 && like.length <= MOST_LIKE
  throw new KbError('USAGE', `There is no code "${code}".`, {
    hint: isShort
      ? `Did you mean ${like.join(' or ')}?`
      : (didYouMean(code, CODES) ?? 'kb explain lists all codes.'),
  })
}

function printCodes(rules: RuleSeverities, { json, quiet }: CommonFlags, terminal: Terminal): void {
  const entries = CODES.map((code) => describe(code, rules))
  if (json === true) return terminal.out(formatJson({ version: 1, codes: entries }))
  const columns: readonly TextColumn<Entry>[] = [
    { title: 'CODE', cell: ({ code }) => code },
    { title: 'SEVERITY', cell: ({ severity }) => severity },
    { title: 'WHAT IS WRONG', cell: ({ summary }) => summary, isFlexible: true, isWrapped: true },
  ]
  terminal.out(formatTable(columns, entries, terminal.columns))
  if (quiet !== true) terminal.out('\nkb explain CODE shows more about one of them.\n')
}
