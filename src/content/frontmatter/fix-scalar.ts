import { isScalar, parseDocument } from 'yaml'
import type { Span, TextChange } from '../../core/model/diagnostic.ts'

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
