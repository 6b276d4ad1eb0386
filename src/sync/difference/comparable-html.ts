const OPENING = /<pre[\s>]/gi
const CLOSING = /<\/pre\s*>/gi

/** HTML in which white space that no reader sees is the same whoever wrote it: a service may break lines elsewhere. */
export function collapseHtmlSpace(html: string): string {
  let collapsed = ''
  for (let at = 0; at < html.length;) {
    const from = indexOfMatch(OPENING, html, at).start
    const { end } = indexOfMatch(CLOSING, html, from)
    collapsed += html.slice(at, from).replace(/[ \t\r\n\f]+/g, ' ') + html.slice(from, end)
    at = end
  }
  return collapsed
}

/** Where `pattern` is found next; the end of the text where it is not. */
function indexOfMatch(pattern: RegExp, text: string, at: number): { start: number; end: number } {
  const search = new RegExp(pattern)
  search.lastIndex = at
  const match = search.exec(text)
  return match === null
    ? { start: text.length, end: text.length }
    : { start: match.index, end: search.lastIndex }
}
