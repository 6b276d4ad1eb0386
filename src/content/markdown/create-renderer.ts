import GithubSlugger from 'github-slugger'
import type { Element, Root } from 'hast'
import type { VFile } from 'vfile'
import type { Problem } from '../../core/model/diagnostic.ts'
import { projectHast, projectHtml } from '../../core/model/projection.ts'
import { type DialectReader, type PlainMarkdown, toPlainMarkdown } from './to-plain-markdown.ts'
import { isAlmostInclude, mayInclude } from '../includes/include-comment.ts'
import { appendAll } from '../../core/append-all.ts'
import { createSchema } from './allow-schema.ts'
import { annotateTree } from './annotate-tree.ts'
import {
  cleanHtml,
  parseRawHtml,
  isMarkerComment,
  markerProblem,
  withoutCommentStarts,
  isWellNested,
} from './clean-html.ts'
import { createProcessor, type MarkdownProcessor } from './create-processor.ts'
import { type IgnoredLines, readIgnoreComments } from './ignore-comments.ts'
import { mdastToHast, type Definitions, type HastDraft } from './mdast-to-hast.ts'
import { firstParagraphOf, textOf } from './plain-text.ts'
import { isTooDeep, nestingProblem } from '../parser/nesting-limit.ts'
import type { MarkdownInput, MarkdownOptions, RenderedBody, BodyView } from './rendered-body.ts'
import type { MarkdownParser } from '../parser/resolve-parser.ts'
import { readSlotToken, splitAtSlots } from './slot-template.ts'
import { createSourceRanges, type SourceRanges } from './source-ranges.ts'
import { misplacedInclude, misspeltInclude } from '../includes/include-problems.ts'
import { checkFragments } from './anchors.ts'
import { takeTitle } from './title-heading.ts'

export type RenderMarkdown = (input: MarkdownInput) => RenderedBody

export interface RendererParts {
  /** Checks the rules on a text that will be sent. */
  readonly check: (view: BodyView) => readonly Problem[]
  /** Highlights code with a language in a finished tree, in place. Undefined: no highlighting. */
  readonly highlight?: ((tree: Root) => void) | undefined
  /** Undefined: texts are plain Markdown. */
  readonly dialect?: DialectReader | undefined
}

interface Rendering {
  readonly input: MarkdownInput
  readonly ranges: SourceRanges
  readonly problems: Problem[]
  readonly ignored: readonly IgnoredLines[]
  readonly definitions: Definitions
  /** The data that rules check in addition to the finished tree. */
  readonly written: Pick<BodyView, 'mdast' | 'body' | 'hasRaw' | 'isRewritten'>
}

/**
 * Returns the function that converts the Markdown of an article to the template of its HTML. The template depends only
 * on the input and the options, so it can be cached by their hash. Throws `CONFIG_INVALID` if one of `remarkPlugins`
 * fails or is asynchronous.
 *
 * With the native parser, let the event loop turn from time to time between documents: see `parseNatively`.
 */
export function createRenderer(
  options: Pick<MarkdownOptions, 'remarkPlugins' | 'allow'>,
  parser: MarkdownParser,
  { check, highlight, dialect }: RendererParts,
): RenderMarkdown {
  const processor = createProcessor(parser, options.remarkPlugins)
  const schema = createSchema(options.allow)
  const hasPlugins = options.remarkPlugins.length > 0
  const tools: Tools = { processor, check, highlight, namesTerms: dialect?.namesTerms === true }

  return (input) => {
    // Parsers, HTML and databases treat NUL differently; CommonMark defines the replacement. Line endings are
    // normalised, so that an article is the same from a checkout on Windows.
    const body = input.body.replaceAll('\0', '\uFFFD').replaceAll('\r\n', '\n')
    const ranges = createSourceRanges(body, input.lineOffset, input.lines)
    try {
      const markdown = toPlainMarkdown(body, input, ranges, dialect)
      return markdown.kind === 'problem' ? withoutText(markdown.problem) : render(markdown, input)
    } catch (error) {
      if (isTooDeep(error)) return withoutText(nestingProblem(error, (node) => ranges.of(node)))
      throw error
    }
  }

  function render({ body, ranges, read, ...plain }: PlainMarkdown, input: MarkdownInput): RenderedBody {
    const { mdast, messages } = processor.parse(body, input.source, read)
    const { tree, comments, definitions, ...found } = mdastToHast(
      mdast,
      input.lines && ((node) => ranges.of(node).source),
    )
    const hasRaw = found.hasRaw || plain.hasElements
    const { ignored, problems: ofIgnores } = readIgnoreComments(mdast, body, ranges)
    const ofPlugins = messages.map((message) => pluginProblem(message, ranges))
    const problems = [...plain.problems, ...ofPlugins, ...ofIgnores]
    const written = { mdast, body, hasRaw, isRewritten: plain.isRewritten }
    const rendering: Rendering = { input, ranges, problems, ignored, written, definitions }
    reportComments(comments, rendering)
    // Without raw HTML and plugins, the tree contains nothing that the allow-list lacks; a test ensures this.
    if (!hasRaw && !hasPlugins) return finish(tree, tools, rendering, true)
    const { parsed, isNested } = hasRaw ? parseRawHtml(tree, body) : { parsed: tree, isNested: false }
    const clean = cleanHtml(parsed, schema, { ranges, problems, isNested, isOfSite: dialect !== undefined })
    return finish(clean, tools, rendering, (isNested && clean === parsed) || isWellNested(clean))
  }
}

function withoutText(problem: Problem): RenderedBody {
  return {
    html: [''],
    slots: [],
    externals: [],
    headings: [],
    anchors: [],
    firstParagraph: '',
    textHash: '',
    targets: [],
    problems: [problem],
  }
}

/** Reports comments that were meant to have an effect. Comments are not sent. */
function reportComments(comments: HastDraft['comments'], { ranges, problems }: Rendering): void {
  for (const comment of comments) {
    if (isMarkerComment(comment.value)) problems.push(markerProblem(ranges.of(comment)))
    if (isAlmostInclude(comment.value)) problems.push(misspeltInclude(ranges.of(comment)))
    else if (mayInclude(comment.value)) problems.push(misplacedInclude(ranges.of(comment)))
  }
}

interface Tools extends Omit<RendererParts, 'dialect'> {
  readonly processor: MarkdownProcessor
  readonly namesTerms: boolean
}

function finish(
  tree: Root,
  { processor, check, highlight, namesTerms }: Tools,
  { input, ranges, problems, ignored, written, definitions }: Rendering,
  survivesParsing: boolean,
): RenderedBody {
  const { title, titleStartsText, nonce, source } = input
  const slugger = new GithubSlugger()
  const { leadingTitle, dropped } = takeTitle(tree, { title, titleStartsText, ranges, problems })
  appendAll(problems, check({ ...written, tree, source, ranges, isTitleDropped: dropped !== undefined }))
  const titleAnchor = anchorOf(dropped, slugger)
  const { headings, anchors, slots, externals, fragmentLinks } = annotateTree(
    tree,
    { slugger, nonce, ranges, definitions, namesTerms, titleAnchor },
    problems,
  )
  checkFragments(fragmentLinks, { anchors, titleAnchor, ranges, definitions, problems })
  // The last step, so that an author cannot use its classes.
  highlight?.(tree)
  const html = withoutCommentStarts(processor.stringify(tree))
  const { textHash, targets } = survivesParsing ? projectHast(tree) : projectHtml(html)
  return {
    html: splitAtSlots(html, nonce, slots.length),
    slots,
    externals,
    headings,
    anchors,
    ...(leadingTitle !== undefined && { leadingTitle }),
    firstParagraph: firstParagraphOf(tree),
    textHash,
    targets: targets.map((target) => readSlotToken(nonce, target) ?? target),
    problems: problems.toSorted((a, b) => a.line - b.line || a.column - b.column),
    ...(ignored.length > 0 && { ignored }),
  }
}

function anchorOf(heading: Element | undefined, slugger: GithubSlugger): string | undefined {
  if (heading === undefined) return undefined
  const { id } = heading.properties
  const anchor = typeof id === 'string' ? id : slugger.slug(textOf(heading).normalize('NFC'))
  return anchor === '' ? undefined : anchor
}

type PluginMessage = VFile['messages'][number]

function pluginProblem({ reason, place, source, ruleId, url }: PluginMessage, ranges: SourceRanges): Problem {
  const name = [source, ruleId].filter((part) => part !== undefined && part !== '').join(':')
  const hint = url === undefined ? undefined : `See ${url}`
  return {
    code: 'plugin-message',
    ...ranges.of({ position: positionOf(place) }),
    message: name === '' ? reason : `${reason} (${name})`,
    ...(hint !== undefined && { hint }),
  }
}

function positionOf(place: PluginMessage['place']) {
  if (place === undefined) return undefined
  return 'start' in place ? place : { start: place, end: place }
}
