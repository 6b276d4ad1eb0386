// Comments that disable rules for some lines: `<!-- kb-ignore-next-line bare-url: the URL is the point -->`.
import type { Html, Nodes, Root } from 'mdast'
import type { Problem, SourceRange } from '../../core/model/diagnostic.ts'
import { DIAGNOSTICS, type RuleCode, RULES } from '../../core/model/diagnostic-codes.ts'
import { nearest } from '../../core/nearest.ts'
import type { SourceRanges } from './source-ranges.ts'

/** Lines in which a rule is disabled, and the comment that disables it. */
export interface IgnoredLines extends SourceRange {
  readonly code: RuleCode
  /** The first and last line, in the file of the comment. */
  readonly from: number
  readonly to: number
}

export interface IgnoreComments {
  readonly ignored: readonly IgnoredLines[]
  /** Problems of comments without an effect. */
  readonly problems: readonly Problem[]
}

const COMMENT = /(?:<!--|\/\*)\s*kb-ignore(?<form>[\w-]*)(?<rest>[^]*?)(?:-->|\*\/)/g

/** Quick test for such a comment in an MDX expression. */
export function mayIgnore(text: string): boolean {
  return text.includes('kb-ignore')
}

/** Reads the comments in the HTML of a text. Comments in code are text. */
export function readIgnoreComments(mdast: Root, body: string, ranges: SourceRanges): IgnoreComments {
  const ignored: IgnoredLines[] = []
  const problems: Problem[] = []
  if (!mayIgnore(body)) return { ignored, problems }
  const nextLine = createNextLine(body, ranges)
  const open = new Map<string, Pick<IgnoredLines, 'code'> & SourceRange>()
  const report = (range: SourceRange, message: string, hint: string) =>
    void problems.push({ code: 'ignore-invalid', ...range, message, hint })

  for (const node of htmlNodes(mdast)) {
    for (const { 0: text, index, groups: { form = '', rest = '' } = {} } of ranges
      .textOf(node)
      .matchAll(COMMENT)) {
      const range = ranges.within(node, index, index + text.length)
      if (!FORMS.has(form)) {
        report(range, `There is no comment "kb-ignore${form}".`, FORMS_HINT)
        continue
      }
      for (const code of readCodes(rest, (message, hint) => report(range, message, hint))) {
        if (form === '-next-line') ignored.push({ code, ...range, ...nextLine(range) })
        else if (form === '-start') openBlock(code, range)
        else closeBlock(code, range)
      }
    }
  }
  for (const { code, ...range } of open.values())
    report(range, `The comment has no end.`, `Add <!-- kb-ignore-end ${code} --> after the text.`)
  return { ignored, problems }

  function openBlock(code: RuleCode, start: SourceRange): void {
    const outer = open.get(blockOf(code, start))
    if (outer === undefined) open.set(blockOf(code, start), { code, ...start })
    else
      report(
        start,
        `The comment starts a block for ${code} in another one, which starts on line ${outer.line}.`,
        'Remove the comment, or end the other block before it.',
      )
  }

  function closeBlock(code: RuleCode, end: SourceRange): void {
    const start = open.get(blockOf(code, end))
    open.delete(blockOf(code, end))
    if (start === undefined)
      report(
        end,
        'The comment ends nothing.',
        `Add <!-- kb-ignore-start ${code} --> before the text, in the same file.`,
      )
    else ignored.push({ ...start, from: start.line, to: end.line })
  }
}

/** Returns the key of a block. Included files have their own blocks. */
function blockOf(code: RuleCode, { source = '' }: SourceRange): string {
  return `${source}\0${code}`
}

const FORMS: ReadonlySet<string> = new Set(['-next-line', '-start', '-end'])
const FORMS_HINT = 'Use kb-ignore-next-line, or kb-ignore-start and kb-ignore-end.'

function htmlNodes(node: Nodes): Html[] {
  if (node.type === 'html') return [node]
  return 'children' in node ? node.children.flatMap(htmlNodes) : []
}

/** Reads the rule codes. The text after a colon is for readers. */
function readCodes(rest: string, report: (message: string, hint: string) => void): RuleCode[] {
  const words = (rest.split(':', 1)[0] ?? '').split(/[\s,]+/).filter((word) => word !== '')
  if (words.length === 0) report('The comment names no rule.', 'Add its code, such as bare-url.')
  return words.flatMap((word) => {
    if (isRule(word)) return [word]
    if (Object.hasOwn(DIAGNOSTICS, word))
      report(
        `The problem ${word} is no rule and cannot be ignored.`,
        'Fix the problem, and remove this code.',
      )
    else report(`There is no rule "${word}".`, hintFor(word))
    return []
  })
}

function isRule(word: string): word is RuleCode {
  return Object.hasOwn(RULES, word)
}

function hintFor(word: string): string {
  const meant = nearest(word, Object.keys(RULES))
  return meant === undefined
    ? 'The output of kb check names the rule of each problem. Put a colon before a reason.'
    : `Did you mean ${meant}?`
}

/** Finds the next line of the same file that is neither blank nor only such a comment. */
function createNextLine(body: string, ranges: SourceRanges) {
  const lines = body.replaceAll(COMMENT, (comment) => comment.replace(/[^\n]/g, ' ')).split('\n')
  const places = lines.map((_, index) => {
    const start = { line: index + 1, column: 1 }
    return ranges.of({ position: { start, end: start } })
  })
  return ({ line, end, source }: SourceRange): Pick<IgnoredLines, 'from' | 'to'> => {
    const last = end?.line ?? line
    const next = places.find(
      (place, index) =>
        place.source === source && place.line > last && (lines[index] ?? '').replace(/[{}>\s]/g, '') !== '',
    )
    const to = next?.line ?? last
    return { from: to, to }
  }
}
