import type { Problem } from '../model/diagnostic.ts'
import type { TextEdit } from '../text-edits.ts'

/** A line of a text, and whether it is in fenced code. */
export interface FencedLine {
  /** `open` and `close` are the fences themselves. */
  readonly kind: 'text' | 'open' | 'code' | 'close'
  readonly text: string
  /** Offset in the whole text. */
  readonly at: number
}

// A fence may be in quotes, list items, or indented components, which are not code in MDX.
const OPENING = /^[\s>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*(`{3,}(?=[^`]*$)|~{3,})/

const CLOSING = /^[\s>]*(`{3,}|~{3,})[ \t]*$/

/** The lines of a text before parsing: rewriting lines must not change code. */
export function splitLines(text: string): FencedLine[] {
  let fence: string | undefined
  let at = 0
  return text.split('\n').map((line) => {
    const start = at
    at += line.length + 1
    const kind = kindOf(line, fence)
    if (kind === 'open') fence = OPENING.exec(line)?.[1]
    if (kind === 'close') fence = undefined
    return { kind, text: line, at: start }
  })
}

function kindOf(line: string, fence: string | undefined): FencedLine['kind'] {
  if (fence === undefined) return OPENING.test(line) ? 'open' : 'text'
  const closing = CLOSING.exec(line)?.[1]
  return closing !== undefined && closing[0] === fence[0] && closing.length >= fence.length ? 'close' : 'code'
}

/** Number of backticks in a line: after an odd number, the text is code. */
export function countTicks(text: string): number {
  return text.match(/(?<!\\)`/g)?.length ?? 0
}

const CONTAINER = String.raw`^((?:[ \t]*>)*[ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*:{3,})`

/** A line such as `::: tip A title {open}`: before, gap, name, space, title. @param names pattern of the known ones */
export function containerLine(names: string): RegExp {
  return new RegExp(String.raw`${CONTAINER}([ \t]*)(${names})(?:([ \t]+)(\S(?:.*[^ \t])?))?([ \t]*)$`)
}

/** The title of a container as its label: unpaired brackets would end it. */
export function containerLabel(title: string): string {
  let depth = 0
  for (const char of title.replace(/\\./g, '')) {
    if (char === '[') depth++
    if (char === ']' && --depth < 0) break
  }
  return depth === 0 ? title : title.replace(/\\?[[\]]/g, (bracket) => `\\${bracket.slice(-1)}`)
}

/** The replacement of a match; undefined: it stays. */
type Replacement = readonly [
  pattern: RegExp,
  replace: (match: RegExpExecArray) => readonly LineEdit[] | undefined,
]

/** An edit within a line; removed text without a replacement is reported. */
export interface LineEdit extends TextEdit {
  readonly removed?: Pick<Problem, 'message' | 'hint'>
}

/** Replaces the matches of global patterns in the lines of a text, not in code; the first patterns take precedence. */
export function replaceInLines(
  lines: readonly FencedLine[],
  replacements: readonly Replacement[],
): LineEdit[] {
  return lines.flatMap(({ kind, text, at }) => {
    if (kind !== 'text') return []
    const taken: TextEdit[] = []
    return replacements.flatMap(([pattern, replace]) => {
      let [ticks, counted] = [0, 0]
      return [...text.matchAll(pattern)].flatMap((match) => {
        ticks += countTicks(text.slice(counted, match.index))
        counted = match.index
        if (ticks % 2 === 1) return []
        const edits = replace(match) ?? []
        if (edits.some((edit) => taken.some((other) => edit.from < other.to && other.from < edit.to)))
          return []
        taken.push(...edits)
        return edits.map((edit) => ({ ...edit, from: at + edit.from, to: at + edit.to }))
      })
    })
  })
}

/** Replaces a whole match with `text`. */
export function instead({ 0: whole, index }: RegExpExecArray, text: string): LineEdit[] {
  return [{ from: index, to: index + whole.length, text }]
}

/** Wraps the text between two marks of the same length, the group of a match, in an element. */
export function around({ 0: whole, index }: RegExpExecArray, marks: number, element: string): LineEdit[] {
  const end = index + whole.length
  return [
    { from: index, to: index + marks, text: `<${element}>` },
    { from: end - marks, to: end, text: `</${element}>` },
  ]
}

/** A path from the text of a script, without backslashes before characters that need none. */
export function withoutEscapes(path: string): string {
  return path.replaceAll(/\\(?=\W|_)/g, '')
}

/** An image of a given width, which Markdown cannot express. @param words without markup */
export function sizedImage(words: string, url: string, width: string): string {
  const alt = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
  // The comment is not sent. Without it, an element alone on its line would make the lines below it HTML.
  return `<img src="${url}" alt="${alt}" width="${width}"><!---->`
}
