const NEWLINE = 0x0a

/** Returns the line that contains the byte at `offset`. */
export function lineAround(bytes: Buffer, offset: number): { readonly start: number; readonly end: number } {
  const start = offset === 0 ? 0 : bytes.lastIndexOf(NEWLINE, offset - 1) + 1
  const end = bytes.indexOf(NEWLINE, offset)
  return { start, end: end === -1 ? bytes.length : end }
}

/** Decodes lines one by one: as a whole, a long text takes much memory, and twice as much with one unusual character. */
export function* eachLine(bytes: Buffer): Generator<string, undefined> {
  for (let at = 0; at < bytes.length;) {
    const { end } = lineAround(bytes, at)
    yield bytes.toString('utf8', at, end)
    at = end + 1
  }
}

/** Returns all lines that contain a text without newlines, in order. Decodes only these lines. */
export function findLines(bytes: Buffer, text: string): string[] {
  const found: string[] = []
  for (let at = bytes.indexOf(text); at !== -1;) {
    const { start, end } = lineAround(bytes, at)
    found.push(bytes.toString('utf8', start, end))
    at = bytes.indexOf(text, end)
  }
  return found
}
