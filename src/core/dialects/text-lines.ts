import type { Problem } from '../model/diagnostic.ts'
import type { TextEdit } from '../text-edits.ts'

/** A line of a text, and whether it stands in fenced code. */
export interface FencedLine {
  /** `open` and `close` are the fences themselves. */
  readonly kind: 'text' | 'open' | 'code' | 'close'
  readonly text: string
  /** Where it begins in the whole. */
  readonly at: number
}

// Whatever a fence may stand in: quotes, items, and the indent of components, which is no code in MDX.
const OPENING = /^[\s>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*(`{3,}(?=[^`]*$)|~{3,})/

const CLOSING = /^[\s>]*(`{3,}|~{3,})[ \t]*$/

/** The lines of a text before it is parsed: what rewrites lines must leave code alone. */
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

/** Of what stands on one line: behind an odd number of them is `code`. */
export function countTicks(text: string): number {
  return text.match(/(?<!\\)`/g)?.length ?? 0
}

const CONTAINER = String.raw`^((?:[ \t]*>)*[ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*:{3,})`

/** A line such as `::: tip A title {open}`: before, gap, name, space, title. @param names pattern of those that are known */
export function containerLine(names: string): RegExp {
  return new RegExp(String.raw`${CONTAINER}([ \t]*)(${names})(?:([ \t]+)(\S(?:.*[^ \t])?))?([ \t]*)$`)
}

/** The title of a container as its label: brackets that are no pairs would end it. */
export function containerLabel(title: string): string {
  let depth = 0
  for (const char of title.replace(/\\./g, '')) {
    if (char === '[') depth++
    if (char === ']' && --depth < 0) break
  }
  return depth === 0 ? title : title.replace(/\\?[[\]]/g, (bracket) => `\\${bracket.slice(-1)}`)
}

/** What a match of a text becomes; undefined: it stays. */
type Replacement = readonly [
  pattern: RegExp,
  replace: (match: RegExpExecArray) => readonly LineEdit[] | undefined,
]

/** An edit within a line; what it removes without a trace is told. */
export interface LineEdit extends TextEdit {
  readonly removed?: Pick<Problem, 'message' | 'hint'>
}

/** Replaces what global patterns match in the lines of a text, not in code; what the first ones take, the others leave. */
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

/** Puts `text` in the place of a whole match. */
export function instead({ 0: whole, index }: RegExpExecArray, text: string): LineEdit[] {
  return [{ from: index, to: index + whole.length, text }]
}

/** Puts an element around what stands between two marks of the same length, around the group of a match. */
export function around({ 0: whole, index }: RegExpExecArray, marks: number, element: string): LineEdit[] {
  const end = index + whole.length
  return [
    { from: index, to: index + marks, text: `<${element}>` },
    { from: end - marks, to: end, text: `</${element}>` },
  ]
}
