import type { Problem } from '../model/diagnostic.ts'
import { lastAtOrBefore } from '../sorted-lists.ts'
import type { TextEdit } from '../text-edits.ts'

/** A line of a text, and whether it is in fenced code. */
export interface FencedLine {
  /** `open` and `close` are the fences themselves. */
  readonly kind: 'text' | 'open' | 'code' | 'close'
  readonly text: string
  /** Offset in the whole text. */
  readonly at: number
}

// A fence can be in quotes, list items or indented components, which are not code in MDX.
const OPENING = /^[\s>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*(`{3,}(?=[^`]*$)|~{3,})/

const CLOSING = /^[\s>]*(`{3,}|~{3,})[ \t]*$/

/**
 * Splits a text into lines before parsing: rewriting lines must not change code.
 *
 * @param isMdx true if a fence ends at any indentation; in Markdown, one indented by four more columns is code
 */
export function splitLines(text: string, isMdx = true): FencedLine[] {
  let fence: Fence | undefined
  let at = 0
  return text.split('\n').map((line) => {
    const start = at
    at += line.length + 1
    const marks = fenceOf(fence === undefined ? OPENING : CLOSING, line)
    let kind: FencedLine['kind'] = fence === undefined ? 'text' : 'code'
    if (fence === undefined && marks !== undefined) [kind, fence] = ['open', marks]
    else if (fence !== undefined && marks !== undefined && ends(fence, marks, isMdx))
      [kind, fence] = ['close', undefined]
    return { kind, text: line, at: start }
  })
}

interface Fence {
  readonly marks: string
  readonly column: number
}

function fenceOf(pattern: RegExp, line: string): Fence | undefined {
  if (!line.includes('```') && !line.includes('~~~')) return undefined
  const [whole = '', marks] = pattern.exec(line) ?? []
  return marks === undefined ? undefined : { marks, column: columnsOf(whole.slice(0, whole.indexOf(marks))) }
}

function ends(fence: Fence, { marks, column }: Fence, isMdx: boolean): boolean {
  return (
    marks[0] === fence.marks[0] && marks.length >= fence.marks.length && (isMdx || column < fence.column + 4)
  )
}

/** Returns the line that closes the open code block at the end of a text, or undefined if there is none. */
export function endOfOpenCode(text: string): string | undefined {
  const lines = splitLines(text, false)
  if (!/^(?:open|code)$/.test(lines.at(-1)?.kind ?? '')) return undefined
  const first = lines.findLastIndex(({ kind }) => kind === 'open')
  const [whole = '', marks = ''] = OPENING.exec(lines[first]?.text ?? '') ?? []
  const before = whole.slice(0, whole.indexOf(marks)).replaceAll(/[^\s>]/g, ' ')
  // A line outside the list item or quote of the code has ended the code.
  const isOpen = lines
    .slice(first + 1)
    .every((line) => line.text.trim() === '' || line.text.startsWith(before))
  return isOpen ? before + marks : undefined
}

/** Returns the width of the text at the start of a line, with tab stops at every fourth column. */
export function columnsOf(start: string): number {
  return Array.from(start).reduce(
    (columns, sign) => (sign === '\t' ? columns + 4 - (columns % 4) : columns + 1),
    0,
  )
}

/** Returns a function that tests whether an offset in a line is in inline code, which may end in a later line. */
export function findInlineCode(text: string): (offset: number) => boolean {
  const runs = Array.from(text.matchAll(/`+/g), ({ 0: { length }, index }) =>
    text[index - 1] === '\\'
      ? { from: index + 1, length: length - 1, whole: length }
      : { from: index, length, whole: length },
  )
  const spans: { readonly from: number; readonly to: number }[] = []
  for (let first = 0; first < runs.length; first++) {
    const { from, length } = runs[first] as (typeof runs)[number]
    if (length === 0) continue
    let last = first + 1
    while (last < runs.length && runs[last]?.whole !== length) last++
    spans.push({ from, to: runs[last]?.from ?? Infinity })
    first = last
  }
  return (offset) => {
    const span = spans[lastAtOrBefore(spans, offset - 1, ({ from }) => from)]
    return span !== undefined && span.from < offset && offset <= span.to
  }
}

const CONTAINER = String.raw`^((?:[ \t]*>)*[ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*:{3,})`

/** Matches a line such as `::: tip A title {open}`: before, gap, name, space, title. `names` is a pattern. */
export function containerLine(names: string): RegExp {
  return new RegExp(String.raw`${CONTAINER}([ \t]*)(${names})(?:([ \t]+)(\S(?:.*[^ \t])?))?([ \t]*)$`)
}

/** Formats the title of a container as its label, in which unpaired brackets would end it. */
export function containerLabel(title: string): string {
  let depth = 0
  for (const char of title.replace(/\\./g, '')) {
    if (char === '[') depth++
    if (char === ']' && --depth < 0) break
  }
  return depth === 0 ? title : title.replace(/\\?[[\]]/g, (bracket) => `\\${bracket.slice(-1)}`)
}

/** Replaces a match; undefined leaves it unchanged. */
export type Replacement = readonly [
  pattern: RegExp,
  replace: (match: RegExpExecArray) => readonly LineEdit[] | undefined,
]

/** An edit within a line. Text that is removed without a replacement is reported. */
export interface LineEdit extends TextEdit {
  readonly removed?: Pick<Problem, 'message' | 'hint'>
}

/** Replaces matches of global patterns in the lines of a text, but not in code. Earlier patterns take precedence. */
export function replaceInLines(
  lines: readonly FencedLine[],
  replacements: readonly Replacement[],
): LineEdit[] {
  return lines.flatMap(({ kind, text, at }) => {
    if (kind !== 'text') return []
    const taken: TextEdit[] = []
    let isCode: ((offset: number) => boolean) | undefined
    return replacements.flatMap(([pattern, toEdits]) => {
      // Most lines have no match, and only a search finds that out without creating objects.
      if (text.search(pattern) === -1) return []
      return [...text.matchAll(pattern)].flatMap((match) => {
        isCode ??= findInlineCode(text)
        if (isCode(match.index)) return []
        const edits = toEdits(match) ?? []
        if (edits.some((edit) => taken.some((other) => edit.from < other.to && other.from < edit.to)))
          return []
        taken.push(...edits)
        return edits.map((edit) => ({ ...edit, from: at + edit.from, to: at + edit.to }))
      })
    })
  })
}

/** Makes the edits of blocks in blocks fit: the mark of a quote precedes what replaces its line, and goes into nothing replaced. */
export function withoutOverlaps(edits: readonly LineEdit[]): readonly LineEdit[] {
  const isReplaced = ({ from, to }: LineEdit) => Number(from < to)
  let end = 0
  return edits
    .toSorted((one, other) => one.from - other.from || isReplaced(one) - isReplaced(other))
    .filter(({ from, to }) => {
      if (from < end) return false
      end = to
      return true
    })
}

/** Returns a fence that is longer than every run of backticks in the code. */
export function fenceFor(code: string): string {
  let longest = 2
  for (const [ticks] of code.matchAll(/`+/g)) longest = Math.max(longest, ticks.length)
  return '`'.repeat(longest + 1)
}

/** Replaces the whole match with `text`. */
export function replace({ 0: whole, index }: RegExpExecArray, text: string): LineEdit[] {
  return [{ from: index, to: index + whole.length, text }]
}

/** Wraps the text between two marks of the same length (the group of the match) in an element. */
export function wrap({ 0: whole, index }: RegExpExecArray, marks: number, element: string): LineEdit[] {
  const end = index + whole.length
  return [
    { from: index, to: index + marks, text: `<${element}>` },
    { from: end - marks, to: end, text: `</${element}>` },
  ]
}

/** Removes unnecessary backslashes from a path in a script. */
export function withoutEscapes(path: string): string {
  return path.replaceAll(/\\(?=\W|_)/g, '')
}

/** Returns an image with a width, which Markdown cannot express. `words` has no markup. */
export function sizedImage(words: string, url: string, width: string): string {
  const alt = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
  // The comment is not sent. Without it, an element alone on its line would turn the lines below into HTML.
  return `<img src="${url}" alt="${alt}" width="${width}"><!---->`
}
