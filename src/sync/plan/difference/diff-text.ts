import { OMIT_HEADERS, formatPatch, structuredPatch } from 'diff'

const CONTEXT_LINES = 3

/** Unified diff of two texts, from its first `@@` on; '' where they are equal. A missing last line feed counts for nothing. */
export function diffText(before: string, after: string): string {
  const patch = structuredPatch('', '', endLine(before), endLine(after), undefined, undefined, {
    context: CONTEXT_LINES,
  })
  return patch.hunks.length === 0 ? '' : formatPatch(patch, OMIT_HEADERS)
}

function endLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
