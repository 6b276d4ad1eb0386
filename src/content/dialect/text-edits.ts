import type { Dialect } from '../../core/dialects/dialect.ts'
import { type FencedLine, containerLabel, type LineEdit, splitLines } from '../../core/dialects/text-lines.ts'
import type { Position, Span } from '../../core/model/diagnostic.ts'
import { lastAtOrBefore } from '../../core/sorted-lists.ts'
import type { TextEdit } from '../../core/text-edits.ts'
import { lineStarts, positionIn } from '../source/line-starts.ts'

export type EditedText = ReturnType<typeof applyEdits>

/** Applies the edits, which must not overlap. Lines end with line feeds. */
export function applyEdits(written: string, edits: readonly TextEdit[]) {
  if (edits.length === 0) return { text: written, toWritten: undefined }
  const pieces: Piece[] = []
  let text = ''
  let from = 0
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    pieces.push({ at: text.length, from, isWritten: true })
    text += written.slice(from, edit.from)
    pieces.push({ at: text.length, from: edit.from, isWritten: false })
    text += edit.text
    from = edit.to
  }
  pieces.push({ at: text.length, from, isWritten: true })
  text += written.slice(from)
  return {
    text,
    /** Maps a range in `text` to the text as written; undefined where both are the same. */
    toWritten: spanMapper({ written, text, pieces }),
  }
}

interface Piece {
  readonly at: number
  readonly from: number
  readonly isWritten: boolean
}

interface Edited {
  readonly written: string
  readonly text: string
  readonly pieces: readonly Piece[]
}

function spanMapper({ written, text, pieces }: Edited): (span: Span) => Span {
  let starts: { readonly edited: readonly number[]; readonly written: readonly number[] } | undefined
  const toWritten = (position: Position, isEnd: boolean): Position => {
    starts ??= { edited: lineStarts(text), written: lineStarts(written) }
    const offset = (starts.edited[position.line - 1] ?? text.length) + position.column - 1
    return positionIn(starts.written, offsetIn(pieces, offset, isEnd))
  }
  return ({ line, column, end }) => ({
    ...toWritten({ line, column }, false),
    ...(end && { end: toWritten(end, true) }),
  })
}

/** Inserted text has the position of what it replaced: its end maps to the end of that, not to its start. */
function offsetIn(pieces: readonly Piece[], offset: number, isEnd: boolean): number {
  const index = lastAtOrBefore(pieces, isEnd ? offset - 1 : offset, ({ at }) => at)
  const piece = pieces[index]
  if (piece === undefined) return offset
  if (piece.isWritten) return piece.from + offset - piece.at
  return isEnd ? (pieces[index + 1]?.from ?? piece.from) : piece.from
}

/** Converts lines that are neither Markdown with directives nor MDX to one of these. */
export function dialectEdits(text: string, dialect: Dialect): readonly LineEdit[] {
  const isMdx = dialect.text.syntax.some((each) => each === 'mdx' || each === 'mdx-files')
  const lines = splitLines(text, isMdx)
  return [...containerEdits(lines, dialect), ...(dialect.text.rewrite?.(text, lines) ?? [])]
}

/** Converts lines that open a container to directives: tools allow a title after the name, without brackets. */
export function containerEdits(
  lines: readonly FencedLine[],
  { text: { containers } }: Dialect,
): readonly TextEdit[] {
  return lines.flatMap(({ kind, text, at }) => {
    const match = kind === 'text' && text.includes(':::') ? containers?.line.exec(text) : null
    return match ? lineEdits(match, at) : []
  })
}

function lineEdits(match: RegExpExecArray, at: number): TextEdit[] {
  const [, before = '', gap = '', name = '', space = '', written = ''] = match
  const gapEnd = at + before.length + gap.length
  const first: TextEdit[] = gap === '' ? [] : [{ from: at + before.length, to: gapEnd, text: '' }]
  if (written === '') return first
  const attributes = /(?:^|(?<![ \t])[ \t]+)(\{[^{}]*\})$/.exec(written)
  const title = written.slice(0, attributes?.index ?? written.length)
  const from = gapEnd + name.length
  const titleAt = from + space.length
  const to = titleAt + written.length
  const label = title === '' ? '' : `[${containerLabel(title)}]`
  const text = `${label}${/\bopen\b/.test(attributes?.[1] ?? '') ? '{open}' : ''}`
  // Brackets are inserted around the title, so that positions in it stay those of the file.
  if (label !== '' && label.length === title.length + 2) {
    return [
      ...first,
      { from, to: titleAt, text: '[' },
      { from: titleAt + title.length, to, text: text.slice(label.length - 1) },
    ]
  }
  return [...first, { from, to, text }]
}
