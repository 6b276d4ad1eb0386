// Every rule that one article's text alone decides; what they find is kept with the file's template.
import type { Element, Parents, Root } from 'hast'
import type { Nodes } from 'mdast'
import type { Problem, TextChange } from '../../core/model/diagnostic.ts'
import type { SourceRanges } from '../markdown/source-ranges.ts'
import { trailingSpaceProblem } from '../frontmatter/fixes.ts'
import type { BodyView } from '../markdown/rendered-body.ts'
import {
  htmlImageAltMissing,
  htmlLinkTextEmpty,
  type HeadingRange,
  type HtmlRule,
  htmlUrlTooLong,
} from './element-rules.ts'
import { walkMarkdown, startKey } from './walk-markdown.ts'

/** What the rules on one text find, in no order. */
export function checkBody({
  mdast,
  tree,
  hasRaw,
  isTitleDropped,
  body,
  isRewritten,
  ranges,
}: BodyView): Problem[] {
  const problems: Problem[] = []
  const { headings, written } = walkMarkdown(mdast, ranges, problems)
  const sent = hasRaw ? walkHtml(tree, written, ranges, problems) : headings.slice(isTitleDropped ? 1 : 0)
  problems.push(
    ...checkHeadings(sent),
    ...fileTooLarge(body, ranges),
    ...(isRewritten ? [] : trailingSpace({ mdast, body, ranges })),
  )
  return problems
}

function checkHeadings(headings: readonly HeadingRange[]): Problem[] {
  return [...headingSkipped(headings), ...headingSecondH1(headings)]
}

/** A heading of the first level that is sent: the page shows the article's title as one already. */
function headingSecondH1(headings: readonly HeadingRange[]): Problem[] {
  return headings.flatMap(({ depth, ...span }) => {
    if (depth !== 1) return []
    const message = 'The title is already the heading of level 1; this is a second one.'
    const hint = 'Start sections with ##, or make the heading identical to `title`.'
    return [{ code: 'heading-second-h1', ...span, message, hint }]
  })
}

// About 40,000 words of English: three hours of reading, a short book. What is larger is a changelog, a log or data,
// which search, browsers on phones and those who review the text all do better with in parts.
const LIMIT_BYTES = 250_000

/** A text that no one reads as one article. */
function fileTooLarge(body: string, ranges: SourceRanges): Problem[] {
  // No text has more bytes than three per code unit, so most need not be measured.
  if (body.length * 3 <= LIMIT_BYTES) return []
  const bytes = Buffer.byteLength(body)
  if (bytes <= LIMIT_BYTES) return []
  const { line, column } = ranges.of({})
  const message = `The text has ${Math.round(bytes / 1000)} kB; the recommended maximum is ${LIMIT_BYTES / 1000} kB.`
  return [{ code: 'file-too-large', line, column, message, hint: 'Split it into several articles.' }]
}

/** A heading more than one level below the one before it; the first one counts from the title, which is the first level. */
function headingSkipped(headings: readonly HeadingRange[]): Problem[] {
  return headings.flatMap(({ depth, ...span }, index) => {
    const before = headings[index - 1]?.depth
    const expected = (before ?? 1) + 1
    if (depth <= expected) return []
    const above = before === undefined ? 'the title' : `a heading of level ${before}`
    return [
      {
        code: 'heading-skipped',
        ...span,
        message: `A heading of level ${depth} follows ${above}: level ${expected} is skipped.`,
        hint: `Change it to level ${expected}: ${'#'.repeat(expected)} in Markdown.`,
      },
    ]
  })
}

const RULES: readonly HtmlRule[] = [htmlImageAltMissing, htmlLinkTextEmpty, ...htmlUrlTooLong]

const HEADING = /^h([1-6])$/

/**
 * Shows every element that was written as HTML to the rules that want it, and returns all headings, however they were
 * written; `written` tells what Markdown made.
 */
function walkHtml(
  tree: Root,
  written: ReadonlySet<string>,
  ranges: SourceRanges,
  problems: Problem[],
): HeadingRange[] {
  const headings: HeadingRange[] = []
  const rangeOf = (element: Element) =>
    written.has(startKey(element)) ? ranges.of(element) : ranges.ofTag(element, element.tagName)
  const visit = (parent: Parents): void => {
    for (const child of parent.children) {
      if (child.type !== 'element') continue
      const depth = HEADING.exec(child.tagName)?.[1]
      if (depth !== undefined && child.properties['id'] !== 'footnote-label')
        headings.push({ depth: Number(depth), ...rangeOf(child) })
      for (const rule of RULES)
        if (rule.tagName === child.tagName && child.position !== undefined && !written.has(startKey(child)))
          problems.push(...rule.check(child, rangeOf))
      visit(child)
    }
  }
  visit(tree)
  return headings
}

const TRAILING = /[ \t]+$/
const LINE_END = /\r\n|\n|\r/
/** Raw HTML in which white space shows. */
const OPENS = /<(pre|textarea)\b/i
const CLOSES = /<\/(pre|textarea)\s*>/i

/**
 * White space at ends of lines that says nothing: two spaces that break a line, and all that stands in code and raw
 * HTML, stay.
 */
function trailingSpace({ mdast, body, ranges }: Pick<BodyView, 'mdast' | 'body' | 'ranges'>): Problem[] {
  if (!/[ \t](?:[\r\n]|$)/.test(body)) return []
  let held: ReadonlySet<number> | undefined
  const changes: TextChange[] = []
  for (const [index, text] of body.split(LINE_END).entries()) {
    const line = index + 1
    const column = text.search(TRAILING) + 1
    if (column === 0 || !isFree(text, line)) continue
    held ??= heldLines(mdast)
    if (held.has(line)) continue
    const end = { line, column: text.length + 1 }
    const place = ranges.of({ position: { start: { line, column }, end } })
    if (place.source === undefined && place.end !== undefined) {
      changes.push({ start: { line: place.line, column: place.column }, end: place.end, text: '' })
    }
  }
  return trailingSpaceProblem(changes)
}

function isFree(text: string, line: number): boolean {
  // Behind a backslash, the space is what keeps it from breaking the line. What stands behind the line that closes the
  // frontmatter is the first line here, and has another place.
  return !/\\[ \t]+$/.test(text) && (line > 1 || text.trim() !== '')
}

/** Lines whose end belongs to something that keeps its white space. */
function heldLines(mdast: Nodes): ReadonlySet<number> {
  const held = new Set<number>()
  const hold = (from: number, to: number) => {
    for (let line = from; line <= to; line++) held.add(line)
  }
  let openedOn: number | undefined
  const visit = (node: Nodes): void => {
    if ('children' in node) for (const child of node.children) visit(child)
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
  visit(mdast)
  if (openedOn !== undefined) hold(openedOn, mdast.position?.end.line ?? openedOn)
  return held
}
