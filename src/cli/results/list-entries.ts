import { labelOf, type OperationLabel, type OperationResult, type Outcome } from '../../core/model/plan.ts'
import { groupBy } from '../../core/group-by.ts'
import { formatNumber } from '../../core/format-number.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import type { Terminal, TerminalStyle } from '../terminal/terminal.ts'
import { countColumns, wrapToColumns } from '../../core/text-columns.ts'

/** An article or file in the list of results. */
interface ListEntry {
  readonly label: OperationLabel
  readonly outcome: Outcome
  readonly name: string
  /** The affected parts, after the name. */
  readonly parts?: string | undefined
  /** After the name if there is space, otherwise below it. */
  readonly reason?: string | undefined
  /** Backup of the overwritten file. An entry with a backup is never omitted. */
  readonly backup?: string | undefined
  /** True if it must not be omitted. */
  readonly isNews?: boolean
  /** Lines below the entry, with their indentation. */
  readonly details?: readonly string[]
}

interface ListFormat {
  readonly dryRun: boolean
  /** True if nothing is omitted. */
  readonly isWhole: boolean
}

/** Number of entries of one kind listed before the rest is counted. */
const LISTED = 5

const INDENT = '      '

/** Formats a list by kind, followed by an empty line. `kindOf` separates entries that are not listed together. */
export function listEntries<Listed extends ListEntry>(
  entries: readonly Listed[],
  { dryRun, isWhole }: ListFormat,
  place: TerminalStyle,
  kindOf: (entry: Listed) => string = () => '',
): string[] {
  const groups = groupBy(entries, (entry) => `${wordOf(entry, dryRun)} ${kindOf(entry)}`)
  const lines = [...groups.values()].flatMap((group) => {
    const isAll = isWhole || group.length <= LISTED + 1
    const shown = isAll ? group : group.filter((entry, index) => index < LISTED || mustBeSeen(entry))
    const hidden = group.length - shown.length
    return [
      ...shown.flatMap((entry) => formatEntry(entry, dryRun, place)),
      ...(hidden === 0 ? [] : [`    and ${formatNumber(hidden)} more (--verbose lists all)`]),
    ]
  })
  return lines.length === 0 || lines.at(-1) === '' ? lines : [...lines, '']
}

function mustBeSeen({ backup, isNews = false }: ListEntry): boolean {
  return backup !== undefined || isNews
}

function formatEntry(entry: ListEntry, dryRun: boolean, { colors, columns }: TerminalStyle): string[] {
  const { parts = '', reason = '', backup, details = [] } = entry
  const name = escapeControlInLine(entry.name)
  const word = wordOf(entry, dryRun).padEnd(8)
  const isBehind = parts === '' && countColumns(`  x ${word} ${name} (${reason})`) <= columns
  const behind = isBehind ? reason : parts
  const below =
    isBehind || reason === '' ? [] : wrapToColumns(escapeControlInLine(reason), columns - INDENT.length)
  // A path is never cut, so that it can be copied.
  const kept = backup === undefined ? [] : [`kept in ${escapeControlInLine(backup)}`]
  return [
    `  ${signOf(entry, colors)} ${word} ${name}${behind === '' ? '' : colors.dim(` (${escapeControlInLine(behind)})`)}`,
    ...[...below, ...kept].map((line) => colors.dim(`${INDENT}${line}`)),
    ...details,
  ]
}

const SIGNS = {
  create: '+',
  update: '~',
  replace: '~',
  move: '>',
  delete: '-',
  conflict: '!',
  skip: '·',
} as const

function signOf({ label, outcome }: ListEntry, colors: Terminal['colors']): string {
  if (outcome === 'failed') return colors.red('x')
  if (isLeftOut({ label, outcome })) return colors.dim(SIGNS.skip)
  const paint = {
    create: colors.green,
    update: colors.yellow,
    replace: colors.yellow,
    move: colors.yellow,
    delete: colors.red,
    conflict: colors.yellow,
    skip: colors.dim,
  }
  return paint[label](SIGNS[label])
}

const PAST = {
  create: 'created',
  update: 'updated',
  replace: 'replaced',
  move: 'moved',
  delete: 'deleted',
  conflict: 'conflict',
  skip: 'skipped',
} as const

/** Returns true for entries that were skipped without an error. Conflicts are shown as such. */
function isLeftOut({ label, outcome }: Pick<ListEntry, 'label' | 'outcome'>): boolean {
  return outcome === 'skipped' && label !== 'conflict'
}

function wordOf({ label, outcome }: Pick<ListEntry, 'label' | 'outcome'>, dryRun: boolean): string {
  if (outcome === 'failed') return 'failed'
  if (isLeftOut({ label, outcome })) return 'skipped'
  return dryRun ? label : PAST[label]
}

export function wordOfOperation(operation: OperationResult, dryRun: boolean): string {
  return wordOf({ label: labelOf(operation), outcome: operation.outcome }, dryRun)
}
