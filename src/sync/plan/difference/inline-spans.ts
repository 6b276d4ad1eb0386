/** A part of a line of Markdown that is one thing: `from` is its first character, `to` the one behind its last. */
export interface InlineSpan {
  readonly from: number
  readonly to: number
}

/** The links, code spans and HTML tags of a line, in order; those within others are left out. Takes linear time. */
export function findSpans(line: string): InlineSpan[] {
  const spans: InlineSpan[] = []
  const open: number[] = []
  const unclosed = new Set<string>()
  /** Index behind the next `end` from `at` on, or `at` where there is none: what never closes is looked for once. */
  const skipTo = (end: string, at: number): number => {
    const found = unclosed.has(end) ? -1 : line.indexOf(end, at)
    if (found === -1) unclosed.add(end)
    return found === -1 ? at : found + end.length
  }
  const add = (from: number, to: number): number => {
    while ((spans.at(-1)?.from ?? -1) >= from) spans.pop()
    spans.push({ from, to })
    return to
  }
  for (let at = 0; at < line.length;) {
    const char = line.charAt(at)
    if (char === '\\') at += 2
    else if (char === '`') {
      const ticks = /^`+/.exec(line.slice(at, at + MAX_TICKS))?.[0] ?? char
      const end = skipTo(ticks, at + ticks.length)
      at = end === at + ticks.length ? end : add(at, end)
    } else if (char === '<') {
      const end = skipTo('>', at + 1)
      at = end === at + 1 ? end : add(at, end)
    } else if (char === ']' && open.length > 0) {
      const from = open.pop() as number
      const opening = line.charAt(at + 1)
      const closing = opening === '(' ? ')' : opening === '[' ? ']' : ''
      at = add(from, closing === '' ? at + 1 : skipTo(closing, at + 1))
    } else {
      if (char === '[') open.push(at)
      at++
    }
  }
  return spans
}

const MAX_TICKS = 100
