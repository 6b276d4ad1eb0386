const OF_INTEREST = /["`]|[>%]\}\}|\{\{[<%]/g

/**
 * Finds where the arguments of a shortcode end, given where they begin: at the first `>}}` that stands in no quotes.
 * Undefined where they never do, or another shortcode begins before. All calls together take time in proportion to the
 * text, whatever stands in it.
 */
export function createFindArgumentsEnd(text: string): (from: number) => number | undefined {
  // From these quotes on there is no end: who comes by again need not look.
  const hopeless = new Set<number>()
  // Behind a quote that is never closed there is none of its kind that closes anything.
  const unclosed = new Map<string, number>()
  const closingOf = (quote: string, at: number): number | undefined => {
    if (at >= (unclosed.get(quote) ?? Infinity)) return undefined
    const closing = quote === '"' ? endOfString(text, at + 1) : text.indexOf(quote, at + 1)
    if (closing !== -1) return closing
    unclosed.set(quote, at)
    return undefined
  }
  return (from) => {
    const passed: number[] = []
    let at: number | undefined = from
    while (at !== undefined) {
      const next = find(text, at)
      if (next?.[0].endsWith('}}') === true) return next.index
      const isQuote = next !== undefined && next[0].length === 1
      at = !isQuote || hopeless.has(next.index) ? undefined : closingOf(next[0], next.index)
      if (at === undefined) break
      if (next !== undefined) passed.push(next.index)
      at++
    }
    for (const quote of passed) hopeless.add(quote)
    return undefined
  }
}

function find(text: string, from: number): RegExpExecArray | undefined {
  OF_INTEREST.lastIndex = from
  return OF_INTEREST.exec(text) ?? undefined
}

/** Offset of the quote that closes a string; -1: none does. */
function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  return -1
}
