import type { Root } from 'mdast'
import type { Problem, Span } from '../../core/model/diagnostic.ts'
import type { LineMap } from '../includes/line-map.ts'
import { assertShallow } from '../parser/nesting-limit.ts'
import type { MarkdownInput } from './rendered-body.ts'
import { createSourceRanges, type SourceRanges } from './source-ranges.ts'
import type { FrontmatterData } from '../../core/dialects/frontmatter-mapping.ts'

/** A text in a tool's Markdown, before its conversion to plain Markdown. */
export type DialectText =
  | {
      readonly kind: 'text'
      /** The parsed text, to which positions in the tree refer. */
      readonly text: string
      /** Maps ranges in `text` to ranges in the original body; undefined if they are equal. */
      readonly toWritten: ((span: Span) => Span) | undefined
      readonly tree: Root
      /** Problems found while the text was rewritten, at positions in the original. */
      readonly problems: readonly Problem[]
      /** Converts the tree to plain Markdown, in place. */
      readonly convert: (ranges: SourceRanges) => Pick<PlainMarkdown, 'problems' | 'hasElements'>
    }
  | { readonly kind: 'problem'; readonly problem: Problem }

export interface DialectReader {
  /** Reads the body of `source`, whose lines end with line feeds. `values` is its frontmatter as written. */
  readonly read: (body: string, source: string | undefined, values: FrontmatterData) => DialectText
  /** True if terms of definition lists have ids, like headings. */
  readonly namesTerms?: boolean
}

/** A text that can be rendered as plain Markdown. */
export interface PlainMarkdown {
  readonly kind: 'markdown'
  readonly body: string
  readonly ranges: SourceRanges
  /** The tree of `body`, if it was already parsed. */
  readonly read: Root | undefined
  readonly problems: readonly Problem[]
  /** True if the tree contains elements that the allow-list must check. */
  readonly hasElements: boolean
  /** True if `body` differs from the original. */
  readonly isRewritten: boolean
}

/**
 * Converts a text to plain Markdown if there is a dialect.
 *
 * @param ranges those of `body`
 * @throws an error for `isTooDeep`
 */
export function toPlainMarkdown(
  body: string,
  input: MarkdownInput,
  ranges: SourceRanges,
  dialect: DialectReader | undefined,
): PlainMarkdown | { readonly kind: 'problem'; readonly problem: Problem } {
  const plain = { kind: 'markdown', body, ranges, read: undefined, problems: [] } as const
  if (dialect === undefined) return { ...plain, hasElements: false, isRewritten: false }
  const text = dialect.read(body, input.source, input.data ?? {})
  if (text.kind === 'problem') return { kind: 'problem', problem: located(text.problem, ranges) }
  assertShallow(text.tree)
  const { toWritten } = text
  const inText = toWritten === undefined ? ranges : rangesIn(text.text, toWritten, ranges, input)
  const { problems, hasElements } = text.convert(inText)
  return {
    ...plain,
    body: text.text,
    ranges: inText,
    read: text.tree,
    problems: [...text.problems.map((problem) => located(problem, ranges)), ...problems],
    hasElements,
    isRewritten: toWritten !== undefined,
  }
}

function rangesIn(
  text: string,
  toWritten: (span: Span) => Span,
  written: SourceRanges,
  { lineOffset }: MarkdownInput,
): SourceRanges {
  const map: LineMap = { toRange: (span) => rangeIn(toWritten(span), written) }
  return createSourceRanges(text, lineOffset, map)
}

function located({ line, column, end, ...problem }: Problem, ranges: SourceRanges): Problem {
  return { ...problem, ...rangeIn({ line, column, ...(end && { end }) }, ranges) }
}

function rangeIn({ line, column, end }: Span, ranges: SourceRanges) {
  const { end: last, ...range } = ranges.of({
    position: { start: { line, column }, end: end ?? { line, column } },
  })
  return end === undefined || last === undefined ? range : { ...range, end: last }
}
