// Snippets are put in at the level of text, before anything is parsed: so definitions, footnotes and headings work across
// files, as if all had been written in one. Whether a comment is one, or text in code, each file says by itself.
import type { Root } from 'mdast'
import type { Problem } from '../../model/diagnostic.ts'
import type { PresetName } from '../../model/preset-name.ts'
import { isTooDeep } from '../markdown/nesting-limit.ts'
import { createLineMap, type LineMap, type LineRun } from './line-map.ts'
import { findIncludes, type FoundInclude, type ReadInclude, type TextShape } from './find-includes.ts'
import { mayInclude, readIncludeComment, resolveInclude } from './include-comment.ts'
import { createIncludeProblems, type IncludePlace, type IncludeProblems } from './include-problems.ts'
import { indentLine, type TextLine } from './text-line.ts'
import { readSnippet, type Snippet } from './read-snippet.ts'
import { cutPart, mayIncludeInSite, readSiteInclude } from './site-include.ts'

export interface ExpandedBody {
  readonly body: string
  readonly lines: LineMap
  /** Digests of the included files, by source; '' for one that could not be read. */
  readonly includes: ReadonlyMap<string, string>
  readonly problems: readonly Problem[]
}

/** Undefined where the body of the article `source` has nothing to include; `lineOffset`: lines of the file before it. */
export type ExpandIncludes = (body: string, source: string, lineOffset: number) => ExpandedBody | undefined

const MOST_LEVELS = 20
const MOST_INCLUDES = 1000
const MOST_CHARACTERS = 2_000_000

/** What was included in one article so far. */
interface Expansion {
  readonly includes: Map<string, string>
  readonly problems: Problem[]
  count: number
  characters: number
}

/** A text on its way into the article. */
interface Part {
  readonly text: string
  readonly lineOffset: number
  /** The files that lead here, the article first and the one that holds the text last. */
  readonly way: readonly string[]
}

/**
 * Makes the function that puts the text of other files in the place of `<!-- include: path -->`. Files are read once;
 * it must not outlive a run.
 *
 * @param parse Markdown to its tree, without plugins
 * @param dialect whose includes are understood beside ours
 */
export function createIncludeExpander(
  contentRoot: string,
  parse: (text: string) => Root,
  dialect?: PresetName,
): ExpandIncludes {
  const problemOf = createIncludeProblems(contentRoot)
  const snippets = new Map<string, Snippet>()
  const read = (source: string): Snippet => {
    const snippet = snippets.get(source) ?? readSnippet(contentRoot, source)
    snippets.set(source, snippet)
    return snippet
  }
  const isVitepress = dialect === 'vitepress'
  const readComment: ReadInclude = (html) =>
    readIncludeComment(html) ?? (isVitepress ? readSiteInclude(html) : undefined)
  const context: Context = { parse, read, readComment, problemOf }
  return (body, source, lineOffset) => {
    if (!mayInclude(body) && !(isVitepress && mayIncludeInSite(body))) return undefined
    const expansion: Expansion = { includes: new Map(), problems: [], count: 0, characters: body.length }
    const lines = expandPart({ text: body, lineOffset, way: [source] }, expansion, context)
    if (expansion.count === 0) return undefined
    const { includes, problems } = expansion
    return { body: joinLines(lines, body), lines: createLineMap(runsOf(lines, source)), includes, problems }
  }
}

interface Context {
  readonly parse: (text: string) => Root
  readonly read: (source: string) => Snippet
  readonly readComment: ReadInclude
  readonly problemOf: IncludeProblems
}

function expandPart({ text, lineOffset, way }: Part, expansion: Expansion, context: Context): TextLine[] {
  const source = way.at(-1) ?? ''
  const texts = text.split(/\r\n|\n|\r/)
  const { includes, codeLines } = includesIn(text, texts, context)
  const byLine = new Map(includes.map((include) => [include.line, include]))
  return texts.flatMap((each, index) => {
    const line = index + 1 + lineOffset
    const include = byLine.get(index)
    if (include === undefined) return [{ text: each, source, line, indent: 0, isCode: codeLines.has(index) }]
    const place = placeOf(include, line, way)
    const included = includeOne(include, { way, place }, expansion, context)
    const lines = included.length > 0 ? included : [{ text: '', source, line, indent: 0, isCode: false }]
    return lines.map((one, at) => indentLine(one, at === 0 ? include.before : include.indent))
  })
}

/** What is nested too deeply is left as it is: whoever renders the article reports it. */
function includesIn(text: string, texts: readonly string[], { parse, readComment }: Context): TextShape {
  try {
    return findIncludes(parse(text), texts, readComment)
  } catch (error) {
    if (isTooDeep(error)) return { includes: [], codeLines: new Set() }
    throw error
  }
}

function placeOf({ at, length }: FoundInclude, line: number, way: readonly string[]): IncludePlace {
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
  { path, part }: FoundInclude,
  { way, place }: { readonly way: readonly string[]; readonly place: IncludePlace },
  expansion: Expansion,
  context: Context,
): TextLine[] {
  const from = way.at(-1) ?? ''
  const fail = (problem: Problem): TextLine[] => {
    expansion.problems.push(problem)
    return []
  }
  expansion.count++
  const wanted = resolveInclude(path, from)
  if (wanted === undefined) return fail(context.problemOf.outside(path, place))
  const snippet = context.read(wanted)
  const source = 'source' in snippet ? snippet.source : wanted
  expansion.includes.set(source, 'hash' in snippet ? snippet.hash : '')
  const begin = way.indexOf(source)
  if (begin !== -1) return fail(context.problemOf.circular([...way.slice(begin), source], place))
  switch (snippet.kind) {
    case 'missing':
      return fail(context.problemOf.missing({ path, wanted, from }, place))
    case 'outside':
      return fail(context.problemOf.outside(path, place))
    case 'hidden':
      return fail(context.problemOf.hidden(path, place))
    case 'too-large':
      return fail(context.problemOf.tooLarge(place))
    case 'problem':
      return fail({ ...snippet.problem, source })
    case 'text':
  }
  const included = part === undefined ? snippet : cutPart(snippet, part)
  expansion.characters += included.text.length
  if (isTooMuch(expansion, way)) return fail(context.problemOf.tooLarge(place))
  const { text, lineOffset } = included
  return trimBlank(expandPart({ text, lineOffset, way: [...way, source] }, expansion, context))
}

function isTooMuch({ count, characters }: Expansion, way: readonly string[]): boolean {
  return way.length > MOST_LEVELS || count > MOST_INCLUDES || characters > MOST_CHARACTERS
}

/** Without the empty lines at both ends, which would make lists loose and end tables. */
function trimBlank(lines: readonly TextLine[]): TextLine[] {
  const isText = ({ text }: TextLine): boolean => text.trim() !== ''
  return lines.slice(Math.max(0, lines.findIndex(isText)), lines.findLastIndex(isText) + 1)
}

function joinLines(lines: readonly TextLine[], body: string): string {
  const eol = /\r\n|\n|\r/.exec(body)?.[0] ?? '\n'
  return lines.map(({ text }) => text).join(eol)
}

function runsOf(lines: readonly TextLine[], article: string): LineRun[] {
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
