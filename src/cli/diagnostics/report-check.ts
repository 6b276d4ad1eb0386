import { isError } from '../../core/model/diagnostic.ts'
import { pluralize } from '../../core/pluralize.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import { cutToColumns } from '../../core/text-columns.ts'
import type { AppliedFix } from '../../inspect/check/fix/apply-fixes.ts'
import type { AcceptedFinding } from '../../inspect/check/baseline/accept-findings.ts'
import type { CheckOptions } from '../../kb/options.ts'
import { printMessage } from '../terminal/print-message.ts'
import type { FixedText, UnwrittenFile } from '../../inspect/check/fix/fix-content.ts'
import type { CheckResult } from '../../inspect/check/run-check.ts'
import { DIAGNOSTICS } from '../../core/model/diagnostic-codes.ts'
import { readProgramVersion } from '../../core/version.ts'
import { formatJson } from '../text/format-json.ts'
import type { Terminal, TerminalStyle } from '../terminal/terminal.ts'
import { type CheckFormat, TEXT_FORMATS, type TextFormat } from './check-formats.ts'
import type * as Lists from './format-lists.ts'
import { countSeverities, formatSummary } from './format-summary.ts'
import { createSectionReader, guideUrl, withoutPageLinks } from './guide-sections.ts'
import { printDiagnostics } from './print-diagnostics.ts'
import { prefixInRepository } from '../../core/git/find-repository.ts'
import type { ExternalSummary } from '../../inspect/check/external/check-external-links.ts'
import { formatNumber } from '../../core/format-number.ts'
import { countWords } from '../text/count-words.ts'

interface CheckReport extends CheckResult {
  /** Undefined without --fix. */
  readonly fixed?: readonly AppliedFix[]
  readonly unwritten?: readonly UnwrittenFile[]
  readonly texts?: readonly FixedText[]
  readonly format: CheckFormat
  readonly quiet: boolean
  readonly verbose?: boolean
  /** Maximum number of problems to show, in the formats for people. */
  readonly max?: number | undefined
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal | undefined
}

/** Prints the result of a check. In the formats for programs, stdout contains only that format. */
export async function reportCheck(report: CheckReport, terminal: Terminal): Promise<void> {
  const { format } = report
  if (isTextFormat(format)) await printText(report, LISTS[format], terminal)
  else terminal.out(await DOCUMENTS[format](report))
}

function isTextFormat(format: CheckFormat): format is TextFormat {
  return TEXT_FORMATS.some((each) => each === format)
}

/** Formats for programs. */
const DOCUMENTS: Readonly<
  Record<Exclude<CheckFormat, TextFormat>, (report: CheckReport) => string | Promise<string>>
> = {
  json: formatCheckJson,
  github: async (report) => {
    const { root, env, signal } = report
    const { reportOnGithub } = await import('./report-on-github.ts')
    return reportOnGithub(report, { root, prefix: prefixInRepository(root) }, env, signal)
  },
  junit: async ({ diagnostics, root }) => {
    const { formatJunit } = await import('./format-junit.ts')
    return formatJunit(diagnostics, prefixInRepository(root))
  },
  sarif: async ({ diagnostics, root }) => {
    const { formatSarif } = await import('./format-sarif.ts')
    return formatSarif(diagnostics, sarifContext(root))
  },
}

/** Returns the number of problems that are not shown. */
type PrintList = typeof printDiagnostics

/** Formats for people. */
const LISTS: Readonly<Record<TextFormat, PrintList>> = {
  pretty: printDiagnostics,
  concise: asList((lists) => lists.formatConcise),
  grouped: asList((lists) => lists.formatByFile),
  'grouped-by-code': asList((lists) => lists.formatByCode),
}

function asList(choose: (lists: typeof Lists) => typeof Lists.formatConcise): PrintList {
  return async (diagnostics, _root, terminal, max) => {
    if (diagnostics.length === 0) return 0
    const shown = Math.min(diagnostics.length, max ?? diagnostics.length)
    const format = choose(await import('./format-lists.ts'))
    terminal.out(format(diagnostics, terminal.colors, shown))
    return diagnostics.length - shown
  }
}

function formatCheckJson(report: CheckReport): string {
  const { diagnostics, articles, fixed, unwritten, texts, external, baseline } = report
  const fixable = diagnostics.filter(({ fix }) => fix !== undefined).length
  const summary = { articles, ...countSeverities(diagnostics), fixable, ...(external && { external }) }
  return formatJson({
    version: 1,
    summary,
    diagnostics,
    ...(fixed && { fixed, unwritten }),
    ...(texts && { texts }),
    ...(baseline && { baseline }),
  })
}

function sarifContext(root: string) {
  const readSection = createSectionReader()
  return {
    prefix: prefixInRepository(root),
    version: readProgramVersion(),
    sectionOf: (code: keyof typeof DIAGNOSTICS) =>
      withoutPageLinks(readSection(code) ?? DIAGNOSTICS[code].summary),
    // A path to the guide on this machine is useless to readers of the log elsewhere.
    helpUriOf: (code: keyof typeof DIAGNOSTICS) => {
      const url = guideUrl(code)
      return /^https?:/.test(url) ? url : undefined
    },
  }
}

async function printText(report: CheckReport, print: PrintList, terminal: Terminal): Promise<void> {
  const { diagnostics, articles, fixed = [], texts, external, baseline } = report
  const { format, root, quiet, verbose, max } = report
  if (texts !== undefined) await printDiff(texts, terminal)
  else if (fixed.length > 0) terminal.out(`${formatFixed(fixed, format, terminal)}\n`)
  const errors = diagnostics.filter(isError)
  // A list that is cut shows what must be fixed.
  const warnings = quiet ? [] : diagnostics.filter((each) => !isError(each))
  const shown = max === undefined && !quiet ? diagnostics : [...errors, ...warnings]
  const hidden = await print(shown, root, terminal, max, verbose)
  if (quiet) return
  if (format !== 'pretty' && shown.length > 0) terminal.out('\n')
  if (hidden > 0) terminal.out(`… and ${pluralize(hidden, 'more problem')}.\n\n`)
  terminal.out(
    formatSummary(diagnostics, articles, terminal, {
      note: noteOf(fixed, texts !== undefined),
      accepted: baseline?.accepted,
    }),
  )
  if (external !== undefined) terminal.out(`${formatExternal(external)}\n`)
}

function noteOf(fixed: readonly AppliedFix[], isDryRun: boolean): string | undefined {
  if (fixed.length === 0) return isDryRun ? 'Nothing would be fixed.' : undefined
  const problems = pluralize(fixed.length, 'problem')
  return isDryRun ? `${problems} would be fixed; no file was written.` : `${problems} fixed.`
}

async function printDiff(texts: readonly FixedText[], terminal: Terminal): Promise<void> {
  if (texts.length === 0) return
  const [{ createTwoFilesPatch }, { formatTextDiff }] = await Promise.all([
    import('diff'),
    import('../text/format-text-diff.ts'),
  ])
  const lines = texts.flatMap(({ file, ...text }) => {
    // A fix changes no line endings.
    const [before = '', after = ''] = [text.before, text.after].map((each) => each.replaceAll('\r\n', '\n'))
    const patch = createTwoFilesPatch(file, file, before, after)
    return [terminal.colors.bold(escapeControlInLine(file)), ...formatTextDiff(patch, terminal, '  '), '']
  })
  terminal.out(lines.map((line) => `${line}\n`).join(''))
}

/** Formats what `kb check --fix` has fixed: position, code, and the new text. */
function formatFixed(fixed: readonly AppliedFix[], format: CheckFormat, { colors, columns }: TerminalStyle) {
  return fixed
    .map((fix) => {
      const { file, line, column, code } = fix
      const place = `${escapeControlInLine(file)}:${line}:${column}`
      const head = `${colors.bold(place)} ${colors.green('fixed')} ${colors.dim(code)}`
      if (format === 'concise') return `${head} ${describe(fix)}\n`
      return `${head}\n  ${cutToColumns(describe(fix), columns - 2)}\n`
    })
    .join('')
}

function describe({ changes, message }: AppliedFix): string {
  const [change] = changes
  if (change === undefined || changes.length > 1)
    return `${escapeControlInLine(message)} (${pluralize(changes.length, 'change')})`
  if (change.before.trim() === '') return escapeControlInLine(message)
  return `${escapeControlInLine(change.before)} → ${escapeControlInLine(change.after)}`
}

/** Formats the results for links to other sites on one line. */
export function formatExternal(summary: ExternalSummary): string {
  const { addresses, asked, broken, unknown, ignored, isOffline } = summary
  const counts = countWords(
    { broken, unknown, remembered: addresses - asked, ignored },
    {
      broken: 'broken',
      unknown: `could not be checked${isOffline === true ? ', because no host could be reached (is there a network?)' : ''}`,
      remembered: 'checked before',
      ignored: 'ignored (links.ignore, or a reserved name such as example.com)',
    },
  )
  if (addresses === 0 && counts.length === 0) return 'There are no URLs to other sites.'
  const result = counts.length === 0 ? 'all of them work' : counts.join(', ')
  const noun = addresses === 1 ? 'URL' : 'URLs'
  return `${formatNumber(addresses)} ${noun} to other sites: ${result}.`
}

const MOST_RESOLVED = 20

/** Prints what a baseline accepts, and its entries that are no longer needed. */
export function printBaseline(
  result: CheckResult['baseline'],
  { baseline = '', writeBaseline = false }: Pick<CheckOptions, 'baseline' | 'writeBaseline'>,
  terminal: Terminal,
): void {
  if (result === undefined) return
  const { accepted, resolved } = result
  const name = escapeControlInLine(baseline)
  const problems = `${pluralize(accepted, 'problem')} ${accepted === 1 ? 'is' : 'are'} accepted`
  if (writeBaseline) return printMessage(terminal, `${name} is written: ${problems} now.`)
  if (accepted > 0) printMessage(terminal, `${problems} by ${name}.`)
  if (resolved.length === 0) return
  const shown = resolved.slice(0, MOST_RESOLVED).map(describeResolved)
  const rest = resolved.length - shown.length
  printMessage(
    terminal,
    [
      `${name} has entries that are no longer needed (${resolved.length}). Delete them, or write it again with --write-baseline:`,
      ...shown,
      ...(rest > 0 ? [`  … and ${rest} more`] : []),
    ].join('\n'),
  )
}

function describeResolved({ file, code, message, count = 1 }: AcceptedFinding): string {
  return `  ${escapeControlInLine(`${file} ${code}: ${message}`)}${count === 1 ? '' : ` (${count} times)`}`
}
