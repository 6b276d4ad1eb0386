/** Replaces the text between two offsets. */
export interface TextEdit {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** Applies edits that do not overlap; edits at the same offset keep their order. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  let edited = ''
  let at = 0
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    edited += text.slice(at, edit.from) + edit.text
    at = edit.to
  }
  return edited + text.slice(at)
}

export function lineStartAt(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1
}

/** Returns the offset after the line feed that ends the line with `offset`. */
export function lineEndAfter(text: string, offset: number): number {
  const end = text.indexOf('\n', offset)
  return end === -1 ? text.length : end + 1
}
