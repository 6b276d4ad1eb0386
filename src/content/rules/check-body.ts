// The rules that depend only on the text of one article. Their results are cached with the file's template.
import type { Element, Parents, Root as HtmlRoot } from 'hast'
import type { Nodes, Root } from 'mdast'
import type { EmbedHost } from '../../core/embed-hosts.ts'
import { groupBy } from '../../core/group-by.ts'
import type { Problem, TextChange } from '../../core/model/diagnostic.ts'
import { textOf } from '../markdown/plain-text.ts'
import type { SourceRanges } from '../markdown/source-ranges.ts'
import { trailingSpaceProblem } from '../frontmatter/fixes.ts'
import { endsWithSpace } from '../source/line-starts.ts'
import type { BodyView } from '../markdown/rendered-body.ts'
import {
  htmlImageAltMissing,
  htmlLinkTextEmpty,
  type HeadingRange,
  type HtmlRule,
  htmlUrlUnusable,
} from './element-rules.ts'
import { createWordVisitor, toolSyntax } from './tool-syntax.ts'
import { createRuleVisitor } from './walk-markdown.ts'

/**
 * Returns the problems in a text, in no particular order.
 *
 * @param mayBeOfTool true if the syntax of tools is text
 */
export function checkBody(view: BodyView, embeds: readonly EmbedHost[], mayBeOfTool: boolean): Problem[] {
  const { mdast, tree, hasRaw, isTitleDropped, body, isRewritten, ranges } = view
  const problems: Problem[] = []
  const rules = createRuleVisitor(ranges, problems, embeds)
  const words = mayBeOfTool ? createWordVisitor(body) : undefined
  const held = isRewritten || !mayEndWithSpace(body) ? undefined : createHoldVisitor()
  const visit = (node: Nodes, parent?: Nodes): void => {
    rules.enter(node, parent)
    held?.enter(node)
    words?.enter(node)
    if ('children' in node) for (const child of node.children) visit(child, node)
    words?.leave(node)
  }
  visit(mdast)
  const { headings, written } = rules
  const sent = hasRaw ? walkHtml(tree, written, ranges, problems) : headings.slice(isTitleDropped ? 1 : 0)
  problems.push(
    ...headingSkipped(sent),
    ...headingSecondH1(sent),
    ...fileTooLarge(body, ranges),
    ...(held ? trailingSpace(view, held.linesOf(mdast)) : []),
  )
  return words ? [...toolSyntax(view, words.read()), ...problems] : problems
}

/** Reports headings of level 1 that are sent: the page already shows the article's title as one. */
function headingSecondH1(headings: readonly HeadingRange[]): Problem[] {
  return headings.flatMap(({ depth, isPicture, at }) => {
    if (depth !== 1) return []
    const message = 'The title is already the heading of level 1; this is a second one.'
    const hint = isPicture
      ? 'A picture is no heading: remove the # before it, and write its text as alt text.'
      : 'Start sections with ##, or make the heading identical to `title`.'
    return [{ code: 'heading-second-h1', ...at, message, hint }]
  })
}

// About 40,000 English words, which take three hours to read. A larger text is a changelog, a log or data. In parts, it
// is easier to search, to display on phones and to review.
const LIMIT_BYTES = 250_000

/** Reports a text that is too long for one article. */
function fileTooLarge(body: string, ranges: SourceRanges): Problem[] {
  // A text has at most three bytes per code unit, so most need not be measured.
  if (body.length * 3 <= LIMIT_BYTES) return []
  const bytes = Buffer.byteLength(body)
  if (bytes <= LIMIT_BYTES) return []
  const { line, column } = ranges.of({})
  const message = `The text has ${Math.round(bytes / 1000)} kB; the recommended maximum is ${LIMIT_BYTES / 1000} kB.`
  return [{ code: 'file-too-large', line, column, message, hint: 'Split it into several articles.' }]
}

/** Reports headings more than one level below the previous one. The title counts as level 1. */
function headingSkipped(headings: readonly HeadingRange[]): Problem[] {
  return headings.flatMap(({ depth, at }, index) => {
    const before = headings[index - 1]?.depth
    const expected = (before ?? 1) + 1
    if (depth <= expected) return []
    const above = before === undefined ? 'the title' : `a heading of level ${before}`
    return [
      {
        code: 'heading-skipped',
        ...at,
        message: `A heading of level ${depth} follows ${above}: level ${expected} is skipped.`,
        hint: `Change it to level ${expected}: ${'#'.repeat(expected)} in Markdown.`,
      },
    ]
  })
}

const RULES = groupBy<HtmlRule, string>(
  [htmlImageAltMissing, htmlLinkTextEmpty, ...htmlUrlUnusable],
  ({ tagName }) => tagName,
)

const HEADING = /^h([1-6])$/

/**
 * Calls the HTML rules for every element written as HTML, and returns all headings.
 *
 * @param written start offsets of the nodes that come from Markdown
 */
function walkHtml(
  tree: HtmlRoot,
  written: ReadonlySet<number | undefined>,
  ranges: SourceRanges,
  problems: Problem[],
): HeadingRange[] {
  const headings: HeadingRange[] = []
  const isWritten = ({ position }: Element) => written.has(position?.start.offset)
  const rangeOf = (element: Element) =>
    isWritten(element) ? ranges.of(element) : ranges.ofTag(element, element.tagName)
  const visit = (parent: Parents): void => {
    for (const child of parent.children) {
      if (child.type !== 'element') continue
      const depth = HEADING.exec(child.tagName)?.[1]
      if (depth !== undefined && child.properties['id'] !== 'footnote-label')
        headings.push({
          depth: Number(depth),
          isPicture: child.children.length > 0 && textOf(child).trim() === '',
          at: rangeOf(child),
        })
      const rules = RULES.get(child.tagName)
      if (rules !== undefined && child.position !== undefined && !isWritten(child))
        for (const rule of rules) problems.push(...rule.check(child, rangeOf))
      visit(child)
    }
  }
  visit(tree)
  return headings
}

const TRAILING = /[ \t]+$/
const LINE_END = /\r\n|\n|\r/
/** Raw HTML with significant white space. */
const OPENS = /<(pre|textarea)\b/i
const CLOSES = /<\/(pre|textarea)\s*>/i

function mayEndWithSpace(body: string): boolean {
  // Line breaks are found faster than white space.
  return /[\r\n](?<=[ \t][\r\n])/.test(body) || endsWithSpace(body)
}

/** Reports trailing white space, except on the lines `held`, where it is significant. */
function trailingSpace({ body, ranges }: BodyView, held: ReadonlySet<number>): Problem[] {
  const changes: TextChange[] = []
  for (const [index, text] of body.split(LINE_END).entries()) {
    if (!endsWithSpace(text)) continue
    const line = index + 1
    const column = text.search(TRAILING) + 1
    if (held.has(line) || !isFree(text, line)) continue
    const end = { line, column: text.length + 1 }
    const place = ranges.of({ position: { start: { line, column }, end } })
    if (place.source === undefined && place.end !== undefined)
      changes.push({ start: { line: place.line, column: place.column }, end: place.end, text: '' })
  }
  return trailingSpaceProblem(changes)
}

function isFree(text: string, line: number): boolean {
  // After a backslash, the space prevents a line break. Text after the line that closes the frontmatter is the first
  // line here, but has another position.
  return !/\\[ \t]+$/.test(text) && (line > 1 || text.trim() !== '')
}

/** Creates the visitor that finds lines whose end is significant: two spaces for a line break, code and raw HTML. */
function createHoldVisitor() {
  const held = new Set<number>()
  const hold = (from: number, to: number) => {
    for (let line = from; line <= to; line++) held.add(line)
  }
  let openedOn: number | undefined
  const enter = (node: Nodes): void => {
    if (!node.position) return
    const { start, end } = node.position
    if (node.type === 'break') hold(start.line, start.line)
    else if (node.type === 'inlineCode') hold(start.line, end.line - 1)
    else if (node.type === 'code') hold(start.line, end.line)
    else if (node.type === 'html') {
      hold(start.line, end.line)
      if (openedOn === undefined && OPENS.test(node.value)) openedOn = start.line
      if (openedOn !== undefined && CLOSES.test(node.value)) {
        hold(openedOn, end.line)
        openedOn = undefined
      }
    }
  }
  const linesOf = ({ position }: Root): ReadonlySet<number> => {
    if (openedOn !== undefined) hold(openedOn, position?.end.line ?? openedOn)
    return held
  }
  return { enter, linesOf }
}
