import type { Root } from 'mdast'
import type { Problem, Span } from '../../core/model/diagnostic.ts'
import type { LineMap } from '../includes/line-map.ts'
import { assertShallow } from '../parser/nesting-limit.ts'
import type { MarkdownInput } from './rendered-body.ts'
import { createSourceRanges, type SourceRanges } from './source-ranges.ts'
import type { FrontmatterData } from '../../core/dialects/frontmatter-mapping.ts'

/** A text in the Markdown of a tool, on its way to plain Markdown. */
export type DialectText =
  | {
      readonly kind: 'text'
      /** What was parsed: places in the tree are places in it. */
      readonly text: string
      /** From places in `text` to places in the body as it was written; undefined where they are the same. */
      readonly toWritten: ((span: Span) => Span) | undefined
      readonly tree: Root
      /** What the rewriting of the text found, with places as written. */
      readonly problems: readonly Problem[]
      /** Makes plain Markdown of the tree, in place. */
      readonly convert: (ranges: SourceRanges) => Pick<MarkdownDraft, 'problems' | 'hasElements'>
    }
  | { readonly kind: 'problem'; readonly problem: Problem }

export interface DialectReader {
  /** Reads the body of `source`, whose lines end with line feeds; `values`: its frontmatter as it is written. */
  readonly read: (body: string, source: string | undefined, values: FrontmatterData) => DialectText
}

/** A text that is ready to be rendered as plain Markdown. */
export interface MarkdownDraft {
  readonly kind: 'draft'
  readonly body: string
  readonly ranges: SourceRanges
  /** The tree of `body`, where it was parsed already. */
  readonly read: Root | undefined
  readonly problems: readonly Problem[]
  /** Whether the tree holds elements that only the allow-list may let through. */
  readonly hasElements: boolean
  /** Whether `body` is no longer what its author wrote. */
  readonly isRewritten: boolean
}

type ReadDraft = MarkdownDraft | { readonly kind: 'problem'; readonly problem: Problem }

/**
 * Takes what is not plain Markdown out of a text, as far as there is a dialect.
 *
 * @param ranges those of `body`
 * @throws what `isTooDeep` knows
 */
export function readDraft(
  body: string,
  input: MarkdownInput,
  ranges: SourceRanges,
  dialect: DialectReader | undefined,
): ReadDraft {
  const plain = { kind: 'draft', body, ranges, read: undefined, problems: [] } as const
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
