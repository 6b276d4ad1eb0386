const OPENING = /<(script|style)\b/gi

/** Raw HTML without what the page would run or obey. Takes time in proportion to the text. */
export function withoutUnseen(html: string): string {
  let kept = ''
  let from = 0
  // Elements of which no further one is closed.
  const unclosed = new Set<string>()
  for (const { 0: opening, 1: written = '', index: at } of html.matchAll(OPENING)) {
    const name = written.toLowerCase()
    if (at < from || unclosed.has(name)) continue
    const end = endOfElement(html, at + opening.length, name)
    if (end === undefined) unclosed.add(name)
    else {
      kept += html.slice(from, at)
      from = end
    }
  }
  return kept + html.slice(from)
}

function endOfElement(html: string, from: number, name: string): number | undefined {
  const start = html.indexOf('>', from)
  if (start === -1) return undefined
  const closing = new RegExp(String.raw`</${name}\s*>`, 'gi')
  closing.lastIndex = start + 1
  return closing.test(html) ? closing.lastIndex : undefined
}
