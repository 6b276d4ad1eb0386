import type { SnippetPart } from './include-comment.ts'
import { realpathSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { Problem } from '../../core/model/diagnostic.ts'
import { digest } from '../../core/digest.ts'
import { findFile } from '../source/find-sources.ts'
import { isHidden } from '../../core/dialects/site-folders.ts'
import { isInside, realPath, relativePath } from '../../core/paths.ts'
import { splitLines } from '../../core/dialects/text-lines.ts'
import { decodeSource, readBytes } from '../source/read-source.ts'
import { splitFrontmatter } from '../frontmatter/split-frontmatter.ts'

/** A file that others include. */
export type Snippet =
  | {
      readonly kind: 'text'
      /** As spelled on disk. */
      readonly source: string
      readonly hash: string
      /** Without frontmatter. */
      readonly text: string
      /** Number of lines before the text. */
      readonly lineOffset: number
      /** The whole text of the file. */
      readonly whole: string
    }
  | { readonly kind: 'missing' | 'outside' | 'hidden' | 'too-large' }
  | { readonly kind: 'problem'; readonly source: string; readonly hash: string; readonly problem: Problem }

/** Larger files are not read. */
const SNIPPET_LIMIT_BYTES = 2_000_000

/**
 * Reads a file of the content folder by source, in any Unicode form of its name.
 *
 * @param folders other folders that the site names, relative to the content folder
 */
export function readSnippet(contentRoot: string, wanted: string, folders: readonly string[] = []): Snippet {
  const roots = [contentRoot, ...folders.map((folder) => join(contentRoot, folder))]
  if (!roots.some((root) => isInside(root, join(contentRoot, wanted)))) return { kind: 'outside' }
  const found = findFile(contentRoot, wanted)
  if (found === undefined) return { kind: 'missing' }
  const { source, size } = found
  const file = realpathSync(join(contentRoot, source))
  const root = roots.map(realPath).find((each) => isInside(each, file))
  // A symbolic link must not bring files from outside these folders into an article.
  if (root === undefined) return { kind: 'outside' }
  // If the content folder is the project folder, hidden files contain keys, histories and caches.
  if (isHidden(source.replace(/^(?:\.\.\/)+/, '')) || isHidden(relativePath(root, file)))
    return { kind: 'hidden' }
  if (size > SNIPPET_LIMIT_BYTES) return { kind: 'too-large' }
  const read = readBytes(file)
  if (read.kind === 'problem') return { kind: 'problem', source, hash: '', problem: read.problem }
  return decode(source, read.bytes)
}

/** Returns the digest of the bytes that `readSnippet` would read; '' if it would read none. */
export function hashSnippet(contentRoot: string, source: string): string {
  // The render key has the folders, so an included file was in one of them.
  const snippet = readSnippet(contentRoot, source, [posix.dirname(source)])
  return 'hash' in snippet ? snippet.hash : ''
}

function decode(source: string, bytes: Buffer): Snippet {
  const hash = digest(bytes)
  const decoded = decodeSource(bytes)
  if (decoded.kind === 'problem') {
    // An empty snippet is valid.
    if (decoded.problem.code === 'file-empty')
      return { kind: 'text', source, hash, text: '', lineOffset: 0, whole: '' }
    return { kind: 'problem', source, hash, problem: decoded.problem }
  }
  const split = splitFrontmatter(decoded.text)
  // Without a closing line, `---` is a thematic break.
  return split.kind === 'problem'
    ? { kind: 'text', source, hash, text: decoded.text, lineOffset: 0, whole: decoded.text }
    : { kind: 'text', source, hash, text: split.body, lineOffset: split.lineOffset, whole: decoded.text }
}

/** A text, and the number of lines before it in its file. */
export interface TextPart {
  readonly text: string
  readonly lineOffset: number
}

/** Returns a part of a file. If it does not exist: the whole file for a region, otherwise undefined. */
export function cutPart({ text, lineOffset }: TextPart, part: SnippetPart): TextPart | undefined {
  const lines = text.split('\n')
  const range =
    part.kind === 'lines'
      ? ([(part.from ?? 1) - 1 - lineOffset, (part.to ?? lines.length + lineOffset) - lineOffset] as const)
      : FIND_RANGE[part.kind](lines, part.name)
  if (range === undefined) return undefined
  const [from, to] = range
  const start = Math.max(0, from)
  return { text: lines.slice(start, Math.max(start, to)).join('\n'), lineOffset: lineOffset + start }
}

/** First line, and the line after the last one. */
type LineRange = readonly [from: number, to: number]

const FIND_RANGE = {
  region: regionOf,
  section: sectionOf,
  heading: belowHeading,
  block: blockOf,
} satisfies Record<
  Exclude<SnippetPart['kind'], 'lines'>,
  (lines: readonly string[], name: string) => LineRange | undefined
>

function regionOf(lines: readonly string[], name: string): LineRange {
  const mark = (word: string) => new RegExp(`<!--\\s*#${word}\\s+${name}\\s*-->`)
  const open = lines.findIndex((line) => mark('region').test(line))
  if (open === -1) return [0, lines.length]
  const length = lines.slice(open + 1).findIndex((line) => mark('endregion').test(line))
  return [open + 1, length === -1 ? lines.length : open + 1 + length]
}

const SECTION_MARK = /(?<![;-])-+8<-+[ \t]+\[[ \t]*(start|end)[ \t]*:[ \t]*([A-Za-z][\w-]*)[ \t]*\]/

/** Returns true for a line that marks a section: `--8<-- [start:name]`, usually in a comment. */
export function isSectionMark(line: string): boolean {
  return line.includes('8<-') && SECTION_MARK.test(line)
}

function sectionOf(lines: readonly string[], name: string): LineRange | undefined {
  const marks = lines.map((line) => (line.includes('8<-') ? SECTION_MARK.exec(line) : null))
  const open = marks.findIndex((mark) => mark?.[1] === 'start' && mark[2] === name)
  if (open === -1) return undefined
  const close = marks.findIndex((mark, index) => index > open && mark?.[1] === 'end' && mark[2] === name)
  return [open + 1, close === -1 ? lines.length : close]
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/

/** Returns the range up to the next heading of the same or a higher level. */
function belowHeading(lines: readonly string[], name: string): LineRange | undefined {
  const headings = splitLines(lines.join('\n')).map(({ kind, text }) =>
    kind === 'text' ? HEADING.exec(text) : null,
  )
  const open = headings.findIndex((heading) => heading !== null && alike(heading[2] ?? '') === alike(name))
  const level = headings[open]?.[1]?.length
  if (level === undefined) return undefined
  const next = headings.findIndex((heading, at) => at > open && (heading?.[1]?.length ?? 7) <= level)
  return [open, next === -1 ? lines.length : next]
}

/** Normalises a heading: without the punctuation that its links leave out. */
function alike(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '')
}

const ITEM = /^\s*(?:[-+*]|\d{1,9}[.)])[ \t]/

function blockOf(lines: readonly string[], name: string): LineRange | undefined {
  const isAlone = (line: string) => line.trim() === `^${name}`
  const isNamed = (line: string) => [` ^${name}`, `]]^${name}`].some((end) => line.trimEnd().endsWith(end))
  const last = lines.findIndex((line) => isAlone(line) || isNamed(line))
  const named = lines[last]
  if (named === undefined) return undefined
  // On a line by itself, the name refers to the whole block above it.
  const isWhole = isAlone(named)
  const end = isWhole ? lines.findLastIndex((line, at) => at < last && line.trim() !== '') : last
  const isStart = (line: string, at: number) =>
    at <= end && (lines[at - 1]?.trim() === '' || (!isWhole && ITEM.test(line)))
  return [Math.max(0, lines.findLastIndex(isStart)), last + 1]
}

// In a comment of any language: `// #region name`, `# region name`, `<!-- #region name -->`, `#pragma region name`.
const MARK =
  /^(?:\/\/|\/\*|<!--|\{\/\*|#pragma|::|--|;|%)?[ \t]*#?[ \t]*(end ?region|region)\b[ \t]*([\w*-]*)[ \t]*(?:\*\/\}?|-->)?$/i

/** Returns a region of a code file, without other region marks and common indentation. */
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
