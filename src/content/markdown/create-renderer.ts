import GithubSlugger from 'github-slugger'
import type { Element, Root } from 'hast'
import type { Problem } from '../../model/diagnostic.ts'
import { projectHast, projectHtml } from '../../model/projection.ts'
import { createSchema } from './allow-schema.ts'
import { annotateTree } from './annotate-tree.ts'
import { checkFragments } from './check-fragments.ts'
import { cleanHtml, parseRawHtml } from './clean-html.ts'
import { createProcessor, type MarkdownProcessor } from './create-processor.ts'
import { dropTitle } from './drop-title.ts'
import { isMarkerComment, markerProblem, withoutCommentStarts } from './marker-like.ts'
import { mdastToHast, type HastDraft } from './mdast-to-hast.ts'
import { firstParagraphOf, textOf } from './plain-text.ts'
import type { MarkdownInput, MarkdownOptions, RenderedBody } from './rendered-body.ts'
import type { MarkdownParser } from './resolve-parser.ts'
import { readSlotToken, splitAtSlots } from './slot-template.ts'
import { createSourcePlaces, type SourcePlaces } from './source-places.ts'
import { isWellNested } from './well-nested.ts'

export type RenderMarkdown = (input: MarkdownInput) => RenderedBody

/** What is known of one document besides its tree. */
interface Rendering {
  readonly input: MarkdownInput
  readonly places: SourcePlaces
  readonly problems: Problem[]
}

/**
 * Makes the function that turns the Markdown of one article into the template of its HTML. The template depends on the
 * input and the options alone, so it can be cached by their hash. Throws `CONFIG_INVALID` where one of
 * `remarkPlugins` fails or is asynchronous.
 *
 * With the native parser, let the event loop turn now and then between documents: see `parseNatively`.
 */
export function createRenderer(
  options: Pick<MarkdownOptions, 'remarkPlugins' | 'allow'>,
  parser: MarkdownParser,
): RenderMarkdown {
  const processor = createProcessor(parser, options.remarkPlugins)
  const schema = createSchema(options.allow)
  const hasPlugins = options.remarkPlugins.length > 0

  return (input) => {
    // Parsers, HTML and databases disagree about NUL; CommonMark says what stands for it.
    const body = input.body.replaceAll('\0', '\uFFFD')
    const places = createSourcePlaces(body, input.lineOffset)
    const rendering: Rendering = { input, places, problems: [] }
    const { tree, hasRaw, comments } = mdastToHast(processor.parse(body))
    reportMarkers(comments, rendering)
    // Without raw HTML and plugins the tree holds nothing that the allow-list lacks: a test keeps it so.
    if (!hasRaw && !hasPlugins) return finish(tree, processor, rendering, true)
    const parsed = hasRaw ? parseRawHtml(tree, body) : tree
    const clean = cleanHtml(parsed, schema, places, rendering.problems)
    return finish(clean, processor, rendering, isWellNested(clean))
  }
}

function reportMarkers(comments: HastDraft['comments'], { places, problems }: Rendering): void {
  for (const comment of comments) {
    if (isMarkerComment(comment.value)) problems.push(markerProblem(places.of(comment)))
  }
}

function finish(
  tree: Root,
  processor: MarkdownProcessor,
  { input: { title, nonce }, places, problems }: Rendering,
  survivesParsing: boolean,
): RenderedBody {
  const slugger = new GithubSlugger()
  const titleAnchor = anchorOf(dropTitle(tree, title), slugger)
  const { headings, anchors, slots, fragmentLinks } = annotateTree(tree, { slugger, nonce, places }, problems)
  // Whoever links to the title is led to the top of the page: that is where it stands, though not in this HTML.
  if (titleAnchor !== undefined) anchors.unshift(titleAnchor)
  checkFragments(fragmentLinks, { anchors, titleAnchor, places, problems })
  const html = withoutCommentStarts(processor.stringify(tree))
  const { textHash, targets } = survivesParsing ? projectHast(tree) : projectHtml(html)
  return {
    html: splitAtSlots(html, nonce, slots.length),
    slots,
    headings,
    anchors,
    firstParagraph: firstParagraphOf(tree),
    textHash,
    targets: targets.map((target) => readSlotToken(nonce, target) ?? target),
    problems: problems.toSorted((a, b) => a.line - b.line || a.column - b.column),
  }
}

function anchorOf(heading: Element | undefined, slugger: GithubSlugger): string | undefined {
  if (heading === undefined) return undefined
  const { id } = heading.properties
  const anchor = typeof id === 'string' ? id : slugger.slug(textOf(heading).normalize('NFC'))
  return anchor === '' ? undefined : anchor
}
