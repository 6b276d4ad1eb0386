/** One line of a text that is put together from several files. */
export interface SourceLine {
  readonly text: string
  readonly source: string
  /** In that file, 1-based. */
  readonly line: number
  /** Characters that were put before what the file has there. */
  readonly indent: number
  /** Whether it is the content of a code fence. */
  readonly isCode: boolean
}

const CODE_INDENT = 4

/** The line within a list or quote. */
export function indentLine(line: SourceLine, before: string): SourceLine {
  if (before === '') return line
  if (line.text.trim() === '') return { ...line, text: before.trimEnd() }
  const text = line.isCode ? line.text : spaceOut(line.text)
  const indent = line.indent + before.length + text.length - line.text.length
  return { ...line, text: before + text, indent }
}

/** Spaces for the tabs that indent a text, as far as Markdown looks: they would reach less far behind an indent. */
function spaceOut(text: string): string {
  let column = 0
  let at = 0
  while (column < CODE_INDENT && (text[at] === ' ' || text[at] === '\t')) {
    column += text[at] === '\t' ? CODE_INDENT - (column % CODE_INDENT) : 1
    at++
  }
  return ' '.repeat(column) + text.slice(at)
}
