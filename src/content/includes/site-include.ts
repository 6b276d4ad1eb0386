// Includes of a site: `<!--@include: ./parts/prices.md-->`, of lines `{3,10}` or of a region `#name` alone.
import type { IncludeComment, SnippetPart } from './include-comment.ts'

const BEGINNING = /<!--[ \t]*@include:/

/** Whether `text` has anything that could be one. */
export function mayIncludeInSite(text: string): boolean {
  return text.includes('@include:') && BEGINNING.test(text)
}

const WHOLE =
  /^(\s*<!--[ \t]*@include:[ \t]*)([^\s#{](?:[^#{]*[^ \t#{])?)(?:[ \t]*(?:#([\w-]+)|(?=\{)))?(?:\{(\d*)(?:,(\d*))?\})?[ \t]*-->\s*$/

/** Reads an include of a site, on one line, with nothing beside it. */
export function readSiteInclude(html: string): IncludeComment | undefined {
  const [, before, written, region, from, to] = WHOLE.exec(html) ?? []
  if (before === undefined || written === undefined || written.includes('-->')) return undefined
  const path = written.replace(/^@\//, '/')
  const part = partOf(region, from, to)
  return { path, at: before.length, ...(part && { part }) }
}

function partOf(
  region: string | undefined,
  from: string | undefined,
  to: string | undefined,
): SnippetPart | undefined {
  if (region !== undefined) return { kind: 'region', name: region }
  if (from === undefined) return undefined
  return { kind: 'lines', from: numberOf(from), to: to === undefined ? numberOf(from) : numberOf(to) }
}

function numberOf(digits: string): number | undefined {
  return digits === '' ? undefined : Number(digits)
}

/** A text and how many lines of its file stand before it. */
interface TextPart {
  readonly text: string
  readonly lineOffset: number
}

/** That part of a file; all of it where there is no such region. */
export function cutPart({ text, lineOffset }: TextPart, part: SnippetPart): TextPart {
  const lines = text.split('\n')
  const [from, to] =
    part.kind === 'lines'
      ? [(part.from ?? 1) - 1 - lineOffset, (part.to ?? lines.length + lineOffset) - lineOffset]
      : regionOf(lines, part.name)
  const start = Math.max(0, from)
  return { text: lines.slice(start, Math.max(start, to)).join('\n'), lineOffset: lineOffset + start }
}

function regionOf(lines: readonly string[], name: string): readonly [from: number, to: number] {
  const mark = (word: string) => new RegExp(`<!--\\s*#${word}\\s+${name}\\s*-->`)
  const open = lines.findIndex((line) => mark('region').test(line))
  if (open === -1) return [0, lines.length]
  const length = lines.slice(open + 1).findIndex((line) => mark('endregion').test(line))
  return [open + 1, length === -1 ? lines.length : open + 1 + length]
}

// In the comment of whichever language: `// #region name`, `# region name`, `<!-- #region name -->`, `#pragma region name`.
const MARK =
  /^(?:\/\/|\/\*|<!--|\{\/\*|#pragma|::|--|;|%)?[ \t]*#?[ \t]*(end ?region|region)\b[ \t]*([\w*-]*)[ \t]*(?:\*\/\}?|-->)?$/i

/** A region of a file of code, without the marks of others and without the indent that all its lines have. */
export function cutCode(text: string, name: string): TextPart {
  const lines = text.split(/\r\n|\n|\r/)
  const marks = lines.map((line) => MARK.exec(line.trim().slice(0, 200)) ?? undefined)
  const open = marks.findIndex((mark) => mark?.[1]?.toLowerCase() === 'region' && mark[2] === name)
  if (open === -1) return { text, lineOffset: 0 }
  let depth = 0
  const close = marks.findIndex((mark, index) => {
    if (index <= open || mark === undefined) return false
    const isEnd = mark[1]?.toLowerCase() !== 'region'
    if (isEnd && (mark[2] === name || (depth === 0 && mark[2] === ''))) return true
    depth += isEnd ? -1 : 1
    return false
  })
  const within = lines.slice(open + 1, close === -1 ? lines.length : close)
  const filled = within.filter((line) => line.trim() !== '')
  const indent = Math.min(...filled.map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0), Infinity)
  const shown = within.map((line, index) =>
    marks[open + 1 + index] === undefined ? line.slice(indent) : undefined,
  )
  return { text: shown.filter((line) => line !== undefined).join('\n'), lineOffset: open + 1 }
}
