// Snippets are inserted as text before parsing, so that definitions, footnotes and headings work across files as in a
// single text. Whether a comment is an include, or text in code, is decided in each file separately.
import type { Root } from 'mdast'
import type { Problem, SourceRange } from '../../core/model/diagnostic.ts'
import type { Dialect, SiteFile } from '../../core/dialects/dialect.ts'
import { endOfOpenCode, fenceFor } from '../../core/dialects/text-lines.ts'
import { appendAll } from '../../core/append-all.ts'
import { isTooDeep } from '../parser/nesting-limit.ts'
import { createLineMap, type LineMap, type LineRun } from './line-map.ts'
import {
  findIncludes,
  type FindToolIncludes,
  type FoundInclude,
  type ReadInclude,
  NO_TOOL_INCLUDES,
  QUOTED_SIGN,
  type TextShape,
  type ToolIncludes,
} from './find-includes.ts'
import { mayInclude, readIncludeComment, mayIncludeInSite, readSiteInclude } from './include-comment.ts'
import { joinSource } from '../source/link-address.ts'
import { cutCode, cutPart, isSectionMark, readSnippet, type Snippet, type TextPart } from './read-snippet.ts'
import { createIncludeProblems, type IncludeProblems } from './include-problems.ts'
import { memoize } from '../../core/memoize.ts'

interface ExpandedBody {
  readonly body: string
  readonly lines: LineMap
  /** Digests of the included files, by source; '' for an unreadable one. */
  readonly includes: ReadonlyMap<string, string>
  readonly problems: readonly Problem[]
}

/**
 * Returns undefined if the body of the article `source` includes nothing and nothing is appended.
 *
 * @param lineOffset number of lines before the body
 */
export type ExpandIncludes = (body: string, source: string, lineOffset: number) => ExpandedBody | undefined

const MOST_LEVELS = 20
const MOST_INCLUDES = 1000
const MOST_CHARACTERS = 2_000_000

/** The expansion of one article. */
interface Expansion extends Context {
  readonly includes: Map<string, string>
  readonly problems: Problem[]
  count: number
  characters: number
}

/** A text that is inserted into the article. */
interface Part {
  readonly text: string
  readonly lineOffset: number
  /** The chain of files, from the article to the file with the text. */
  readonly way: readonly string[]
  /** The included part of each of these files; another part of the same file may be included in it. */
  readonly parts: readonly string[]
}

/**
 * Returns a function that replaces `<!-- include: path -->` with the text of other files. Each file is read once, so
 * the function must not outlive a run.
 *
 * @param parse parses Markdown to its tree, without plugins
 * @param dialect its include comments are supported in addition to ours
 * @param findTool finds the tool's other includes
 * @param appended files whose text is appended to each article, without their includes
 * @param folders other folders whose files may be included, relative to the content folder
 */
export function createIncludeExpander(
  contentRoot: string,
  parse: (text: string) => Root,
  dialect?: Dialect,
  findTool: FindToolIncludes = () => NO_TOOL_INCLUDES,
  appended: readonly SiteFile[] = [],
  folders: readonly string[] = [],
): ExpandIncludes {
  const problemOf = createIncludeProblems(contentRoot)
  const read = memoize((source: string): Snippet => readSnippet(contentRoot, source, folders))
  const hasSnippets = dialect?.text.syntax.includes('snippets') === true
  const readComment: ReadInclude = (html) =>
    readIncludeComment(html) ?? (hasSnippets ? readSiteInclude(html) : undefined)
  const context: Context = { parse, read, readComment, findTool, problemOf }
  return (body, source, lineOffset) => {
    const further = appended.filter(({ name }) => name !== source)
    const isIncluding = mayHoldIncludes(body, dialect)
    if (!isIncluding && further.length === 0) return undefined
    const counts = { count: 0, characters: body.length }
    const expansion: Expansion = { ...context, includes: new Map(), problems: [], ...counts }
    const own = isIncluding
      ? expandPart({ text: body, lineOffset, way: [source], parts: [source] }, expansion)
      : linesOfText({ text: body, lineOffset }, source)
    if (expansion.count === 0 && expansion.includes.size === 0 && further.length === 0) return undefined
    const lines = withAppended(own, source, further)
    const { includes, problems } = expansion
    return { body: joinLines(lines, body), lines: createLineMap(runsOf(lines, source)), includes, problems }
  }
}

/**
 * Puts a comment before each file, which ends a preceding list even if the lines of the file are indented. An open code
 * block is closed first, because it would contain the files.
 */
function withAppended(own: readonly SourceLine[], source: string, files: readonly SiteFile[]): SourceLine[] {
  const lineOffset = own.at(-1)?.line ?? 0
  if (files.length === 0) return [...own]
  const text = own.slice(0, own.findLastIndex((line) => line.text.trim() !== '') + 1)
  const end = endOfOpenCode(text.map((line) => line.text).join('\n'))
  return [
    ...(end === undefined ? own : [...text, ...linesOfText({ text: end, lineOffset }, source)]),
    ...files.flatMap((file) => [
      ...linesOfText({ text: '\n<!---->', lineOffset }, source),
      ...linesOfText({ text: file.text, lineOffset: 0 }, file.name),
    ]),
  ]
}

/** Quick test for includes, including the tool's own syntax. */
export function mayHoldIncludes(body: string, dialect: Dialect | undefined): boolean {
  if (mayInclude(body)) return true
  const syntax = dialect?.text.syntax ?? []
  if (syntax.includes('snippets')) return body.includes('<<<') || mayIncludeInSite(body)
  if (syntax.includes('marked-snippets')) return body.includes('8<-')
  if (syntax.includes('embeds')) return body.includes('![[')
  if (syntax.includes('shortcodes')) return /\{\{[<%][ \t]*include[ \t]/.test(body)
  if (syntax.includes('mdx-files') && QUOTED_SIGN.test(body)) return true
  const hasMdx = syntax.includes('mdx') || syntax.includes('mdx-files')
  return hasMdx && body.includes('import') && /^import[ \t].*(?:\.mdx?['"]|raw-loader!)/m.test(body)
}

interface Context {
  readonly parse: (text: string) => Root
  readonly read: (source: string) => Snippet
  readonly readComment: ReadInclude
  readonly findTool: FindToolIncludes
  readonly problemOf: IncludeProblems
}

function expandPart(part: Part, expansion: Expansion): SourceLine[] {
  const { text, lineOffset, way, parts } = part
  const source = way.at(-1) ?? ''
  const texts = text.split(/\r\n|\n|\r/)
  const { includes, codeLines, droppedLines, absent = [] } = includesIn(texts, part, expansion)
  for (const each of absent) if (!expansion.includes.has(each)) expansion.includes.set(each, '')
  const own: OwnLine = (line, words = texts[line] ?? '', from = 0) => ({
    text: words,
    source,
    line: line + 1 + lineOffset,
    indent: -from,
    isCode: codeLines.has(line),
  })
  const include = (found: FoundInclude): IncludedLines => {
    const range = rangeIn(found, found.line + 1 + lineOffset, way)
    return { found, range, lines: includeOne(found, { way, parts, range }, expansion) }
  }
  const groups = new Map(groupsOf(includes).map((group) => [group.first, group]))
  const lines: SourceLine[] = []
  for (let line = 0; line < texts.length; line++) {
    const group = groups.get(line)
    if (group === undefined && !droppedLines.has(line)) lines.push(own(line))
    else if (group !== undefined) {
      appendAll(lines, expandGroup({ ...group, texts, own }, group.includes.map(include), expansion))
      line = group.last
    }
  }
  return lines
}

/** Creates a line of the text itself, or a part of it from an offset. */
type OwnLine = (line: number, words?: string, from?: number) => SourceLine

interface IncludedLines {
  readonly found: FoundInclude
  readonly range: SourceRange
  readonly lines: readonly SourceLine[]
}

/** Includes that share lines, by 0-based line. */
interface IncludeGroup {
  readonly first: number
  readonly last: number
  readonly includes: readonly FoundInclude[]
}

function groupsOf(includes: readonly FoundInclude[]): readonly IncludeGroup[] {
  const groups: IncludeGroup[] = []
  for (const include of includes.toSorted((a, b) => a.line - b.line || a.at - b.at)) {
    const last = include.tool?.end.line ?? include.line
    const group = groups.at(-1)
    if (group === undefined || group.last !== include.line)
      groups.push({ first: include.line, last, includes: [include] })
    else groups[groups.length - 1] = { ...group, last, includes: [...group.includes, include] }
  }
  return groups
}

function expandGroup(
  { first, last, texts, own }: IncludeGroup & { readonly texts: readonly string[]; readonly own: OwnLine },
  included: readonly IncludedLines[],
  { problems, problemOf }: Expansion,
): readonly SourceLine[] {
  const [one, ...others] = included
  if (one === undefined) return []
  const { found } = one
  const shown = one.lines.length > 0 ? one.lines : [own(first, '')]
  const block = (): SourceLine[] =>
    shown.map((line, at) => indentLine(line, at === 0 ? found.before : found.indent))
  if (found.tool === undefined || found.tool.place === 'line') return block()
  const words = wordsAround(first, last, texts, included)
  const isAlone = others.length === 0 && words[0]?.text === found.before && words[1]?.text.trim() === ''
  // Inside tags, text becomes blocks only between empty lines.
  const blank = own(first, found.indent.trimEnd())
  const isLoose = found.indent === ''
  if (isAlone) return isLoose ? [blank, ...block(), blank] : block()
  if (included.some((each) => each.found.tool?.place === 'inline')) {
    for (const { found: each, range, lines } of included)
      if (lines.length > 1) problems.push(problemOf.betweenWords(each.path, range))
    const joined = words.map(({ text }, at) => `${text}${included[at]?.lines[0]?.text.trim() ?? ''}`)
    return [own(first, joined.join(''))]
  }
  return words.flatMap(({ line, from, text }, at) => {
    const before =
      text.trim() === '' ? [] : [own(line, at === 0 ? text : found.indent + text.trimStart(), from)]
    const lines = included[at]?.lines.map((each) => indentLine(each, found.indent)) ?? []
    return [...before, blank, ...lines, blank]
  })
}

function wordsAround(
  first: number,
  last: number,
  texts: readonly string[],
  included: readonly IncludedLines[],
): readonly { readonly line: number; readonly from: number; readonly text: string }[] {
  let [line, from] = [first, 0]
  const words = included.map(({ found }) => {
    const before = { line, from, text: (texts[line] ?? '').slice(from, found.at) }
    ;[line, from] = [found.tool?.end.line ?? found.line, found.tool?.end.at ?? 0]
    return before
  })
  return [...words, { line: last, from, text: (texts[last] ?? '').slice(from) }]
}

/** Finds the includes. A text that is nested too deeply stays as it is, and the renderer reports it. */
function includesIn(
  texts: readonly string[],
  { way }: Pick<Part, 'way'>,
  { parse, readComment, findTool }: Expansion,
): TextShape & ToolIncludes {
  try {
    const text = texts.join('\n')
    const { includes, codeLines } = findIncludes(parse(text), texts, readComment)
    const tool = findTool(text, { source: way.at(-1) ?? '', isArticle: way.length === 1 })
    return { ...tool, includes: [...includes, ...tool.includes], codeLines }
  } catch (error) {
    if (isTooDeep(error)) return { ...NO_TOOL_INCLUDES, codeLines: new Set() }
    throw error
  }
}

function rangeIn({ at, length }: FoundInclude, line: number, way: readonly string[]): SourceRange {
  const column = at + 1
  const isInArticle = way.length === 1
  const source = way.at(-1)
  return {
    line,
    column,
    end: { line, column: column + length },
    ...(!isInArticle && source !== undefined && { source }),
  }
}

function includeOne(
  { path, part, tool }: FoundInclude,
  { way, parts, range }: Pick<Part, 'way' | 'parts'> & { readonly range: SourceRange },
  expansion: Expansion,
): SourceLine[] {
  const { problemOf } = expansion
  const from = way.at(-1) ?? ''
  const fail = (problem: Problem): SourceLine[] => {
    expansion.problems.push(problem)
    return []
  }
  expansion.count++
  const wanted = joinSource(from, path) ?? (path.startsWith('/../') ? path.slice(1) : undefined)
  if (wanted === undefined) return fail(problemOf.outside(path, range))
  const snippet = expansion.read(wanted)
  const source = 'source' in snippet ? snippet.source : wanted
  expansion.includes.set(source, 'hash' in snippet ? snippet.hash : '')
  const named = part === undefined ? source : `${source} ${JSON.stringify(part)}`
  // In code, nothing is included.
  const begin = (tool?.form.kind ?? 'markdown') === 'markdown' ? parts.indexOf(named) : -1
  if (begin !== -1) return fail(problemOf.circular([...way.slice(begin), source], range))
  switch (snippet.kind) {
    case 'missing':
      return fail(problemOf.missing({ path, wanted, from }, range))
    case 'outside':
      return fail(problemOf.outside(path, range))
    case 'hidden':
      return fail(problemOf.hidden(path, range))
    case 'too-large':
      return fail(problemOf.tooLarge(range))
    case 'problem':
      return fail({ ...snippet.problem, source })
    case 'text':
  }
  if (tool?.form.kind === 'code') {
    const code = fencedLines(snippet, source, tool.form, part, { from, range })
    expansion.characters += snippet.whole.length
    return isTooMuch(expansion, way) ? fail(problemOf.tooLarge(range)) : code
  }
  const isCode = tool?.form.kind === 'lines'
  const whole = isCode ? { text: snippet.whole, lineOffset: 0 } : snippet
  const included = part === undefined ? whole : cutPart(whole, part)
  if (included === undefined) return fail(problemOf.noPart(part, source, range))
  expansion.characters += included.text.length
  if (isTooMuch(expansion, way)) return fail(problemOf.tooLarge(range))
  const { text, lineOffset } = included
  if (isCode) return linesOfCode(included, source).filter((line) => !isSectionMark(line.text))
  return trimBlank(
    expandPart({ text, lineOffset, way: [...way, source], parts: [...parts, named] }, expansion),
  )
}

/** Returns a file as a code block. */
function fencedLines(
  { whole }: Extract<Snippet, { readonly kind: 'text' }>,
  source: string,
  form: Extract<NonNullable<FoundInclude['tool']>['form'], { readonly kind: 'code' }>,
  region: FoundInclude['part'],
  at: { readonly from: string; readonly range: SourceRange },
): SourceLine[] {
  const code = region?.kind === 'region' ? cutCode(whole, region.name) : { text: whole, lineOffset: 0 }
  const fence = fenceFor(code.text)
  const mark = (words: string): SourceLine => ({
    text: words,
    source: at.from,
    line: at.range.line,
    indent: 0,
    isCode: false,
  })
  return [
    mark(`${fence}${form.language}${form.meta === '' ? '' : ` ${form.meta}`}`),
    ...linesOfCode(code, source),
    mark(fence),
  ]
}

function linesOfCode({ text, lineOffset }: TextPart, source: string): SourceLine[] {
  return linesOfText({ text: text.replace(/(?:\r\n|\n|\r)+$/, ''), lineOffset }, source).map((line) => ({
    ...line,
    isCode: true,
  }))
}

function linesOfText({ text, lineOffset }: TextPart, source: string): SourceLine[] {
  return text
    .split(/\r\n|\n|\r/)
    .map((line, index) => ({ text: line, source, line: lineOffset + index + 1, indent: 0, isCode: false }))
}

function isTooMuch({ count, characters }: Expansion, way: readonly string[]): boolean {
  return way.length > MOST_LEVELS || count > MOST_INCLUDES || characters > MOST_CHARACTERS
}

/** Removes empty lines at both ends, which would make lists loose and end tables. */
function trimBlank(lines: readonly SourceLine[]): SourceLine[] {
  const isText = ({ text }: SourceLine): boolean => text.trim() !== ''
  return lines.slice(Math.max(0, lines.findIndex(isText)), lines.findLastIndex(isText) + 1)
}

function joinLines(lines: readonly SourceLine[], body: string): string {
  const eol = /\r\n|\n|\r/.exec(body)?.[0] ?? '\n'
  return lines.map(({ text }) => text).join(eol)
}

function runsOf(lines: readonly SourceLine[], article: string): LineRun[] {
  const runs: LineRun[] = []
  lines.forEach(({ source, line, indent }, index) => {
    const last = runs.at(-1)
    const start = index + 1
    const own = source === article ? undefined : source
    const continues =
      last !== undefined &&
      last.source === own &&
      last.indent === indent &&
      line - last.line === start - last.start
    if (!continues) runs.push({ start, source: own, line, indent })
  })
  return runs
}

/** A line of a text that consists of several files. */
interface SourceLine {
  readonly text: string
  readonly source: string
  /** 1-based line in that file. */
  readonly line: number
  /** Number of characters inserted before the file's text. */
  readonly indent: number
  /** True inside fenced code. */
  readonly isCode: boolean
}

const CODE_INDENT = 4

/** Indents a line for a list or quote. */
function indentLine(line: SourceLine, before: string): SourceLine {
  if (before === '') return line
  if (line.text.trim() === '') return { ...line, text: before.trimEnd() }
  const text = line.isCode ? line.text : spaceOut(line.text)
  const indent = line.indent + before.length + text.length - line.text.length
  return { ...line, text: before + text, indent }
}

/** Replaces tabs in the indentation with spaces, because a tab would be narrower after an indent. */
function spaceOut(text: string): string {
  let column = 0
  let at = 0
  while (column < CODE_INDENT && (text[at] === ' ' || text[at] === '\t')) {
    column += text[at] === '\t' ? CODE_INDENT - (column % CODE_INDENT) : 1
    at++
  }
  return ' '.repeat(column) + text.slice(at)
}
