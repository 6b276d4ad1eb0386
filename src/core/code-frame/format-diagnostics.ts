import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Diagnostic } from '../model/diagnostic.ts'
import type { DiagnosticCode } from '../model/diagnostic-codes.ts'
import { groupBy } from '../group-by.ts'
import { pluralize } from '../pluralize.ts'
import { escapeControl, escapeControlInLine } from '../escape-control.ts'
import { countColumns, wrapToColumns } from '../text-columns.ts'
import { formatFrame, type ReadLine } from './frame.ts'

export interface DiagnosticView {
  readonly colors: Readonly<Record<'red' | 'yellow' | 'dim' | 'bold', (text: string) => string>>
  readonly columns: number
  readonly readLine: ReadLine
  /** Returns the URL that explains a code; undefined where links are not supported. */
  readonly linkOf: (code: DiagnosticCode) => string | undefined
  /** Says how to see all of many equal problems: `--verbose shows all`; undefined if there is no way. */
  readonly allHint?: string
}

/** Problems with the same code that are shown in full; the others get only location and message. */
const FULL_OF_ONE_CODE = 20

/** How often the same hint is shown for problems that differ in their messages. */
const SHOWN_OF_ONE_HINT = 3

/** If more problems than this have the same message, only the first one is shown. */
const SHOWN_OF_ONE_MESSAGE = 10

/** A problem that is shown, and the equal ones that it represents. */
interface ShownDiagnostic {
  readonly diagnostic: Diagnostic
  readonly others: readonly Diagnostic[]
}

/** Formats problems as text. Each starts with its location, which editors and terminals turn into a link. */
export function formatDiagnostics(
  diagnostics: readonly Diagnostic[],
  view: DiagnosticView,
  isVerbose = false,
): string {
  return formatShown(foldEqual(diagnostics, isVerbose), view)
}

/** Lets one of many problems with the same message represent the others, unless `isVerbose`. */
export function foldEqual(diagnostics: readonly Diagnostic[], isVerbose: boolean): ShownDiagnostic[] {
  if (isVerbose) return diagnostics.map((diagnostic) => ({ diagnostic, others: [] }))
  const equal = groupBy(diagnostics, ({ code, severity, message }) => [code, severity, message].join('\0'))
  const others = new Map<Diagnostic, readonly Diagnostic[]>()
  for (const [first, ...rest] of equal.values()) {
    if (first === undefined || rest.length < SHOWN_OF_ONE_MESSAGE) continue
    others.set(first, rest)
    for (const each of rest) others.set(each, [])
  }
  return diagnostics
    .filter((diagnostic) => others.get(diagnostic)?.length !== 0)
    .map((diagnostic) => ({ diagnostic, others: others.get(diagnostic) ?? [] }))
}

export function formatShown(shown: readonly ShownDiagnostic[], view: DiagnosticView): string {
  const seen = new Map<string, number>()
  return shown
    .map(({ diagnostic, others }) => {
      const count = (seen.get(diagnostic.code) ?? 0) + 1
      seen.set(diagnostic.code, count)
      const { hint, ...bare } = diagnostic
      const hintKey = `${diagnostic.code} ${hint}`
      const hintCount = (seen.get(hintKey) ?? 0) + 1
      seen.set(hintKey, hintCount)
      const isNew = hintCount <= SHOWN_OF_ONE_HINT
      const text = formatDiagnostic(isNew ? diagnostic : bare, count <= FULL_OF_ONE_CODE, view)
      return `${text}${formatOthers(diagnostic, others, view)}`
    })
    .join('\n')
}

const NAMED = 3

/** Formats the locations of the other problems that are equal to `first`. */
function formatOthers(first: Diagnostic, others: readonly Diagnostic[], view: DiagnosticView): string {
  const { colors, columns, allHint } = view
  if (others.length === 0) return ''
  const files = new Set(others.map(({ file }) => file))
  const times = files.size === others.length ? '' : ` ${pluralize(others.length, 'time')}`
  const here = files.delete(first.file) ? ['this file'] : []
  const where = [...here, ...(files.size > 0 ? [pluralize(files.size, 'more file')] : [])].join(' and ')
  const named = others.slice(0, NAMED).map(({ file, line }) => `${escapeControlInLine(file)}:${line}`)
  const rest = `${others.length > NAMED ? ', …' : ''}${allHint === undefined ? '' : ` (${allHint})`}`
  const text = `also${times} in ${where}: ${named.join(', ')}${rest}`
  return indent(text, 2, columns)
    .map((line) => `${colors.dim(line)}\n`)
    .join('')
}

function formatDiagnostic(diagnostic: Diagnostic, isFull: boolean, view: DiagnosticView): string {
  const lines = [
    ...formatHead(diagnostic, view),
    ...indent(escapeControl(diagnostic.message), 2, view.columns),
  ]
  if (isFull)
    lines.push(...frameOf(diagnostic, view), ...formatHint(diagnostic, view), ...formatFix(diagnostic, view))
  return lines.map((line) => `${line}\n`).join('')
}

/** Breaks after the location if the columns are too few for one line. */
function formatHead(diagnostic: Diagnostic, { colors, columns, linkOf }: DiagnosticView): string[] {
  const { file, line, column, severity, code } = diagnostic
  const place = `${escapeControlInLine(file)}:${line}:${column}`
  const name = severity === 'error' ? colors.red('error') : colors.yellow('warning')
  const url = linkOf(code)
  const what = `${name} ${colors.dim(url === undefined ? code : hyperlink(code, url))}`
  const isNarrow = countColumns(`${place} ${severity} ${code}`) > columns
  return isNarrow ? [colors.bold(place), `  ${what}`] : [`${colors.bold(place)} ${what}`]
}

function frameOf(diagnostic: Diagnostic, { colors, columns, readLine }: DiagnosticView): string[] {
  const { line, column, end } = diagnostic
  // A position at the start of a file without an end means the whole file.
  if (line === 1 && column === 1 && end === undefined) return []
  const mark = diagnostic.severity === 'error' ? colors.red : colors.yellow
  return formatFrame(diagnostic, readLine, columns, { gutter: colors.dim, mark })
}

function formatHint({ hint }: Diagnostic, { colors, columns }: DiagnosticView): string[] {
  if (hint === undefined) return []
  const [first = '', ...rest] = indent(escapeControl(hint), HINT.length + 2, columns)
  return [`  ${colors.dim(HINT.trimEnd())} ${first.trimStart()}`, ...rest]
}

/** Shows the line as fixed, if the fix visibly changes only that line. */
function formatFix({ file, fix = [] }: Diagnostic, { colors, columns, readLine }: DiagnosticView): string[] {
  const [change, ...more] = fix
  if (change === undefined || more.length > 0 || change.start.line !== change.end.line) return []
  const { start, end, text, before } = change
  const line = readLine(file, start.line)
  const replaced = line?.slice(start.column - 1, end.column - 1)
  if (line === undefined || text.trim() === '' || text.includes('\n')) return []
  if (before !== undefined && before !== replaced) return []
  const fixed = `${line.slice(0, start.column - 1)}${text}${line.slice(end.column - 1)}`
  const span = { file, ...start, end: { line: start.line, column: start.column + text.length } }
  const mark = (marks: string) => colors.bold(marks.replaceAll('^', '~'))
  return [
    `  ${colors.dim('help:')} kb check --fix changes the line to`,
    ...formatFrame(span, () => fixed, columns, { gutter: colors.dim, mark }),
  ]
}

const HINT = 'hint: '

function indent(text: string, width: number, columns: number): string[] {
  const lines = text.split('\n').flatMap((line) => wrapToColumns(line, columns - width))
  return lines.map((line) => `${' '.repeat(width)}${line}`)
}

/** Formats a terminal hyperlink (OSC 8). */
function hyperlink(text: string, url: string): string {
  return `\u001b]8;;${url}\u0007${text}\u001b]8;;\u0007`
}

const LARGEST_BYTES = 16_000_000

/** Reads lines of files under `root` on demand; caches the last file. */
export function createLineReader(root: string): ReadLine {
  let kept: { readonly file: string; readonly lines: readonly string[] } | undefined
  return (file, line) => {
    if (kept?.file !== file) kept = { file, lines: readLines(join(root, file)) }
    return kept.lines[line - 1]
  }
}

/** Returns an empty list for a missing file: code frames are optional. */
function readLines(file: string): readonly string[] {
  try {
    if (statSync(file).size > LARGEST_BYTES) return []
    return readFileSync(file, 'utf8')
      .replace(/^\ufeff/, '')
      .split(/\r\n|\n|\r/)
  } catch {
    return []
  }
}
