import { countCodePoints } from '../util/code-points.ts'

/** Breaks text at spaces into lines of at most `width` characters; a longer word has a line of its own. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/ +/)) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && countCodePoints(longer) > width) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line]
}
