// How wide text is on a terminal: East Asian characters and emoji take two columns, combining marks none.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}]+$/u

export function countColumns(text: string): number {
  let columns = 0
  for (const grapheme of graphemesOf(text)) columns += columnsOf(grapheme)
  return columns
}

/** Cuts `text` to at most `width` columns and marks the cut with `…`, which counts. */
export function cutToColumns(text: string, width: number): string {
  if (countColumns(text) <= width) return text
  return `${takeColumns(text, width - 1).trimEnd()}…`
}

/** Breaks `text` into lines of at most `width` columns: at spaces, and within a word only where it is longer than that. */
export function wrapToColumns(text: string, width: number): string[] {
  const lines: string[] = []
  let rest = text
  while (countColumns(rest) > width) {
    const head = takeColumns(rest, width)
    const isWordEnd = rest.charAt(head.length) === ' '
    const space = head.lastIndexOf(' ')
    const end = isWordEnd || head.slice(0, Math.max(space, 0)).trim() === '' ? head.length : space
    lines.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return [...lines, rest]
}

/** As much of the beginning as fits; one character at least. */
function takeColumns(text: string, width: number): string {
  let taken = ''
  let columns = 0
  for (const grapheme of graphemesOf(text)) {
    columns += columnsOf(grapheme)
    if (columns > width && taken !== '') break
    taken += grapheme
  }
  return taken
}

function columnsOf(grapheme: string): number {
  if (INVISIBLE.test(grapheme)) return 0
  return WIDE.test(grapheme) ? 2 : 1
}

function* graphemesOf(text: string): Iterable<string> {
  // Most lines are plain, and splitting them properly is slow.
  if (/^[ -~]*$/.test(text)) yield* text
  else for (const { segment } of new Intl.Segmenter().segment(text)) yield segment
}
