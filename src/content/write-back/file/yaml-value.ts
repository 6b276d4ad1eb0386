import { Scalar, stringify } from 'yaml'

import type { FieldValue } from '../../../core/model/article-difference.ts'

export interface ValueStyle {
  /** Inside of `[ ]`, where more characters need quotes. */
  readonly inFlow?: boolean
  /** How the value was quoted before, `QUOTE_DOUBLE` or `QUOTE_SINGLE`: it stays so. */
  readonly quotes?: string | undefined
}

/** `value` as YAML on one line that reads as the same value, quoted only where it must be. */
export function formatValue(value: FieldValue, style: ValueStyle = {}): string {
  if (typeof value === 'string') return formatText(value, style)
  if (typeof value !== 'object') return String(value)
  return `[${value.map((item) => formatText(item, { inFlow: true })).join(', ')}]`
}

/** The same for text. */
export function formatText(text: string, { inFlow = false, quotes }: ValueStyle = {}): string {
  const isUnquoted = quotes !== Scalar.QUOTE_DOUBLE && quotes !== Scalar.QUOTE_SINGLE
  if (isUnquoted && isPlain(text) && !(inFlow && /[,[\]{}]/.test(text))) return text
  const fitsSingle = !text.includes("'") && !UNSEEN.test(text)
  return fitsSingle && quotes !== Scalar.QUOTE_DOUBLE ? `'${text}'` : doubleQuoted(text)
}

function isPlain(text: string): boolean {
  const written = stringify(text, { lineWidth: 0, blockQuote: false })
  return written === `${text}\n` && !UNSEEN.test(text) && (!AMBIGUOUS.test(text) || DATE.test(text))
}

// What YAML 1.1, as which other tools read the file, takes for a truth value, a number or a date.
const AMBIGUOUS =
  /^(?:y|n|yes|no|on|off|true|false|null|~|<<|=|[-+]?\.?\d[\d._:xobeE+-]*|\d{4}-\d\d?-\d\d?\D.*)$/i
// A calendar date is written bare, as everybody does.
const DATE = /^\d{4}-\d{2}-\d{2}$/
// Control and direction characters, which a reader of the file would not see.
// eslint-disable-next-line no-control-regex
const UNSEEN = /[\u0000-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/

function doubleQuoted(text: string): string {
  const escape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(text).replaceAll(new RegExp(UNSEEN.source, 'g'), escape)
}
