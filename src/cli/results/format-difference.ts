import type {
  ArticleDifference,
  ChangedBy,
  FieldDifference,
  FieldValue,
} from '../../core/model/article-difference.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import { formatSigned, formatTextDiff } from '../text/format-text-diff.ts'
import type { TerminalStyle } from '../terminal/terminal.ts'
import { countColumns } from '../../core/text-columns.ts'

const INDENT = '      '
const INNER = `${INDENT}  `

const WHO: Readonly<Record<ChangedBy, string>> = {
  file: 'changed in the file',
  target: 'edited on the target',
  both: 'changed on both sides',
  nobody: 'unchanged since the last sync, but different',
  unknown: 'the article on the target is not managed by this project',
}

/** Formats lines below an operation: who changed what, and the differences between target and file. */
export function formatDifference(difference: ArticleDifference, terminal: TerminalStyle): string[] {
  const { fields, text, isOnlyMarkup, changedBy } = difference
  const { bold } = terminal.colors
  if (fields.length === 0 && text === '')
    return [`${INDENT}no field or text differs, only markup that Markdown cannot represent`]
  const fieldLines = [
    `${INDENT}${bold(`fields: ${describeWhoOfFields(fields, changedBy.fields)}`)}`,
    ...fields.flatMap((field) => formatField(field, terminal)),
  ]
  const markup = isOnlyMarkup ? ' (only the markup differs, not the words)' : ''
  const who = describeWhoOfText(changedBy.text)
  const textLines = [
    `${INDENT}${bold(`text: ${who}`)}${markup}`,
    ...formatTextDiff(text, terminal, INNER, true),
  ]
  return [...(fields.length === 0 ? [] : fieldLines), ...(text === '' ? [] : textLines)]
}

/** A default review date is counted from the day on which a changed text is sent, so it can differ without an edit. */
export function describeWhoOfFields(fields: readonly FieldDifference[], who: ChangedBy): string {
  const isReviewOnly = fields.every(({ field }) => field === 'reviewDate')
  return who === 'nobody' && isReviewOnly ? 'the default review date is recalculated' : WHO[who]
}

export function describeWhoOfText(who: ChangedBy): string {
  return who === 'nobody' ? 'unchanged since the last sync, but different' : WHO[who]
}

/** Formats a field on one line if it fits, otherwise one value per line. */
function formatField({ field, target, file }: FieldDifference, { colors, columns }: TerminalStyle): string[] {
  const [before, after] = [describeValue(target), describeValue(file)]
  if (countColumns(`${INNER}${field}: ${before} -> ${after}`) <= columns)
    return [`${INNER}${field}: ${colors.red(before)} -> ${colors.green(after)}`]
  const width = columns - INNER.length
  const lines = [
    ...formatSigned(`-${before}`, colors.red, width),
    ...formatSigned(`+${after}`, colors.green, width),
  ]
  return [`${INNER}${field}:`, ...lines.map((line) => `${INNER}${line}`)]
}

/** Formats a value of a field on one line. */
export function describeValue(value: FieldValue): string {
  const text = typeof value === 'object' ? value.join(', ') : String(value)
  return text === '' ? '(none)' : escapeControlInLine(text)
}
