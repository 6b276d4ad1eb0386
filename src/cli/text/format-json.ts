import { escapeControlInJson } from '../../core/escape-control.ts'

/** Formats one JSON document. Values come from content and target, so control characters are escaped. */
export function formatJson(document: object): string {
  return `${escapeControlInJson(JSON.stringify(document, undefined, 2))}\n`
}
