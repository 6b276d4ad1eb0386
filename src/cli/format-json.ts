import { printableJson } from '../core/printable.ts'

/** One JSON document. Values come from content and target, so what could repaint a terminal is escaped. */
export function formatJson(document: object): string {
  return `${printableJson(JSON.stringify(document, undefined, 2))}\n`
}
