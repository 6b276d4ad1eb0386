import { isDeepStrictEqual } from 'node:util'
import { lineStarts } from '../../../content/source/line-starts.ts'
import type { Diagnostic, Position, TextChange } from '../../../core/model/diagnostic.ts'

export interface AppliedFix extends Pick<Diagnostic, 'file' | 'line' | 'column' | 'code' | 'message'> {
  readonly changes: readonly { readonly line: number; readonly before: string; readonly after: string }[]
}

interface Range {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * Applies the fixes of one file's problems to its text (without byte order mark): each completely or not at all, never
 * two that overlap. All other characters stay. Problems that share a change are fixed by it once. A text with carriage
 * returns that do not end a line is not changed, because programs count its lines differently.
 */
export function applyFixes(text: string, diagnostics: readonly Diagnostic[]) {
  if (/\r(?!\n)/.test(text)) return { text, applied: [] }
  const offsetOf = createOffsetFinder(text)
  const taken: Range[] = []
  const applied: AppliedFix[] = []
  for (const diagnostic of diagnostics) {
    const { fix = [] } = diagnostic
    const ranges = fix.flatMap((change) => rangeOf(change, text, offsetOf))
    const added = ranges.filter((range) => !taken.some((each) => isSameChange(each, range)))
    const all = [...taken, ...added]
    if (ranges.length === 0 || ranges.length < fix.length || hasOverlap(all)) continue
    taken.push(...added)
    applied.push(describe(diagnostic, fix, ranges, text))
  }
  return { text: replaceRanges(text, taken), applied }
}

function isSameChange(one: Range, other: Range): boolean {
  // Two insertions at the same position are two changes.
  return one.start < one.end && isDeepStrictEqual(one, other)
}

function describe(
  { file, line, column, code, message }: Diagnostic,
  fix: readonly TextChange[],
  ranges: readonly Range[],
  text: string,
): AppliedFix {
  const changes = ranges.map(({ start, end, text: after }, index) => ({
    line: fix[index]?.start.line ?? line,
    before: text.slice(start, end),
    after,
  }))
  return { file, line, column, code, message, changes }
}

function replaceRanges(text: string, ranges: readonly Range[]): string {
  const parts: string[] = []
  let from = 0
  for (const { start, end, text: after } of ranges.toSorted((a, b) => a.start - b.start)) {
    parts.push(text.slice(from, start), after)
    from = end
  }
  return [...parts, text.slice(from)].join('')
}

function hasOverlap(ranges: readonly Range[]): boolean {
  const sorted = ranges.toSorted((a, b) => a.start - b.start || a.end - b.end)
  return sorted.some((range, index) => {
    const next = sorted[index + 1]
    return next !== undefined && (next.start < range.end || next.start === range.start)
  })
}

/** Undefined if the range is not in `whole`, or its text differs. */
function rangeOf(
  { start, end, text, before }: TextChange,
  whole: string,
  offsetOf: (place: Position) => number | undefined,
): Range[] {
  const from = offsetOf(start)
  const to = offsetOf(end)
  if (from === undefined || to === undefined || to < from) return []
  return before === undefined || whole.slice(from, to) === before ? [{ start: from, end: to, text }] : []
}

function createOffsetFinder(text: string): (place: Position) => number | undefined {
  const starts = lineStarts(text)
  return ({ line, column }) => {
    const start = starts[line - 1]
    if (start === undefined || column < 1) return undefined
    const offset = start + column - 1
    return offset <= (starts[line] ?? text.length + 1) - 1 ? offset : undefined
  }
}
