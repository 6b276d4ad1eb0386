import { isCalendarDate } from '../../core/calendar-date.ts'
import { isSlug, NOT_IN_SLUGS } from '../../api/contract/fields.ts'
import { isScalar, parseDocument } from 'yaml'
import type { Span, TextChange } from '../../core/model/diagnostic.ts'

const TIMESTAMP =
  /^(\d{4}-\d{2}-\d{2})[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s*(?:Z|z|[+-]\d{2}(?::?\d{2})?)?$/
const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/

/**
 * The calendar date that `text` means beyond doubt, or undefined: `2027/1/31`, `31.1.2027`, the date of a timestamp as
 * it is written there. `03/04/2027` is in April for some and in March for others, and is left to its author.
 */
export function fixDate(text: string): string | undefined {
  const written = text.trim()
  if (/^never$/i.test(written)) return 'never'
  const date = TIMESTAMP.exec(written)?.[1] ?? yearFirst(written) ?? yearLast(written)
  return date !== undefined && isCalendarDate(date) ? date : undefined
}

function yearFirst(text: string): string | undefined {
  const [, year = '', , month = '', day = ''] = YEAR_FIRST.exec(text) ?? []
  return join(year, month, day)
}

function yearLast(text: string): string | undefined {
  const [, first = '', separator, second = '', year = ''] = YEAR_LAST.exec(text) ?? []
  // Nobody writes the month first and a dot behind it.
  const isDayFirst = separator === '.' || Number(first) > 12 || first === second
  if (isDayFirst) return join(year, second, first)
  return Number(second) > 12 ? join(year, first, second) : undefined
}

function join(year: string, month: string, day: string): string | undefined {
  return year === '' ? undefined : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** The slug that is left when what no slug may have becomes hyphens; undefined where that is none. Letters stay as they are. */
export function fixSlug(text: string): string | undefined {
  const mended = text
    .trim()
    .replace(NOT_IN_SLUGS, '-')
    .replace(/^-+|-+$/g, '')
  return isSlug(mended) ? mended : undefined
}

/**
 * The change that makes a YAML value on one line, `written` at `place` and read as `value`, into `wanted`; quotes stay.
 * Undefined where it is not plain how: an alias, a text of several lines, escapes.
 */
export function fixScalar(
  written: string,
  value: string,
  wanted: string,
  { end, ...start }: Span,
): TextChange | undefined {
  if (end === undefined || end.line !== start.line || value === '' || !written.includes(value))
    return undefined
  const text = written.replace(value, () => wanted)
  const { line, column } = start
  return readsAs(text, wanted) ? { start: { line, column }, end, text } : undefined
}

function readsAs(text: string, wanted: string): boolean {
  const { errors, contents } = parseDocument(`k: [${text}]`, { logLevel: 'error' })
  if (errors.length > 0) return false
  const node: unknown = parseDocument(`k: ${text}`, { logLevel: 'error' }).get('k', true)
  return contents !== null && isScalar(node) && node.value === wanted
}
