// The width of text on a terminal: East Asian characters and emoji take two columns, combining marks none.
import { eastAsianWidth } from 'get-east-asian-width'

const PLAIN = /^[ -~]*$/

/** Returns the number of columns of a text. Escape sequences count as text. */
export function countColumns(text: string): number {
  if (PLAIN.test(text)) return text.length
  let columns = 0
  for (const grapheme of graphemesOf(text)) columns += columnsOf(grapheme)
  return columns
}

function columnsOf(grapheme: string): number {
  if (/\p{Emoji_Presentation}|\ufe0f/u.test(grapheme)) return 2
  let columns = 0
  for (const character of grapheme) {
    if (/[\p{Mn}\p{Me}\p{Cc}\p{Cf}]/u.test(character)) continue
    // Within a grapheme, only spacing marks and the voiced sound marks of half-width kana take extra columns.
    if (columns === 0 || /[\p{Mc}\uff00-\uffef]/u.test(character))
      columns += eastAsianWidth(character.codePointAt(0) ?? 0)
  }
  return columns
}

/** Cuts `text` to at most `width` columns, including the final `…`. */
export function cutToColumns(text: string, width: number): string {
  if (countColumns(text) <= width) return text
  return `${takeColumns(text, width - 1).trimEnd()}…`
}

/** Breaks `text` at spaces into lines of at most `width` columns; a longer word, such as a path, stays whole. */
export function wrapAtSpaces(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    const longer = line === undefined ? word : `${line} ${word}`
    if (line === undefined || countColumns(longer) > width) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  return lines
}

/** A path, a URL or a file name. */
const ADDRESS = /[/\\]|[\p{L}\p{N}]\.\p{L}/u

/** Returns true for a path or a URL, which must stay whole to be copied or clicked. */
export function isPathOrUrl(word: string): boolean {
  return ADDRESS.test(word) && !word.includes(' ')
}

/**
 * Breaks `text` into lines of at most `width` columns: at spaces, and within words that are longer. A path or a URL
 * stays whole.
 */
export function wrapToColumns(text: string, width: number): string[] {
  const lines: string[] = []
  let rest = text
  while (countColumns(rest) > width) {
    const head = takeColumns(rest, width)
    const isWordEnd = rest.charAt(head.length) === ' '
    const space = head.lastIndexOf(' ')
    const isAtSpace = isWordEnd || head.slice(0, Math.max(space, 0)).trim() !== ''
    const word = isAtSpace ? '' : (/^ *[^ ]+/.exec(rest)?.[0] ?? '')
    const end = isPathOrUrl(word.trimStart()) ? word.length : isWordEnd || !isAtSpace ? head.length : space
    if (end === rest.length) break
    lines.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return [...lines, rest]
}

/** Returns the start of the text that fits; at least one character. */
function takeColumns(text: string, width: number): string {
  let taken = ''
  let columns = 0
  for (const grapheme of graphemesOf(text)) {
    columns += countColumns(grapheme)
    if (columns > width && taken !== '') break
    taken += grapheme
  }
  return taken
}

export function* graphemesOf(text: string): Iterable<string> {
  // Most lines are ASCII, and segmenting is slow.
  if (PLAIN.test(text)) yield* text
  else for (const { segment } of new Intl.Segmenter().segment(text)) yield segment
}
