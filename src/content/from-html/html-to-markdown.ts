import type { Root, Element, ElementContent, Parents, Nodes } from 'hast'
import { fromHtml } from 'hast-util-from-html'
import { sanitize, type Schema } from 'hast-util-sanitize'
import type { Root as Mdast } from 'mdast'
import rehypeRemark from 'rehype-remark'
import { unified } from 'unified'
import { INLINE_TAGS } from '../../core/model/projection.ts'
import { createSchema } from '../markdown/allow-schema.ts'
import type { MarkdownOptions } from '../markdown/rendered-body.ts'
import { markFootnotes } from './html-footnotes.ts'
import { FRAMES, htmlHandlers, linkOfFrame } from './html-handlers.ts'
import { keepAnchors, readdressTree } from './html-addresses.ts'
import { createHtmlStringifier } from './raw-html.ts'
import { isInline, keptAsHtml } from './stand-ins.ts'
import { createMarkdownWriter } from './stringify-markdown.ts'
import { shapeTables } from './table-shape.ts'
import { tidyHtml } from './tidy-html.ts'

interface HtmlToMarkdownOptions {
  /** Converts the URL of a link or image to what an author would write; undefined keeps it. */
  readonly linkOf?: ((url: string) => string | undefined) | undefined
  /** Additional elements that the configuration allows; they stay HTML. */
  readonly allow?: MarkdownOptions['allow'] | undefined
  /** True if alerts can have titles: `> [!TIP] Title`. */
  readonly hasTitledAlerts?: boolean | undefined
  /** Writes the tree in the author's style. Default: our own style. */
  readonly write?: ((tree: Mdast) => string) | undefined
}

// Frozen, so that it can be shared: creating a processor takes as long as converting a short article.
const stringifyHtml = createHtmlStringifier()
const writeMarkdown = createMarkdownWriter()

/**
 * Converts an article's HTML to Markdown with a final line feed; '' if nothing is visible. The HTML is untrusted:
 * comments, scripts and elements that are not allowed are removed, and text is escaped so that neither Markdown nor a
 * site builder interprets it.
 */
export function htmlToMarkdown(html: string, options: HtmlToMarkdownOptions = {}): string {
  return treeToMarkdown(prepareHtml(html, options.allow ?? {}), options)
}

/**
 * Parses an article's HTML to a tree without disallowed elements and editing artefacts.
 *
 * @param edit changes the parsed tree before it is simplified, for example paragraphs in table cells to lines
 */
export function prepareHtml(
  html: string,
  allow: MarkdownOptions['allow'],
  edit?: (tree: Root) => void,
): Root {
  const tree = parseForeignHtml(html, createSchema(allow))
  edit?.(tree)
  readdressTree(tree, () => undefined)
  liftBlocks(tree)
  shapeTables(tree)
  markFootnotes(tree)
  tidyHtml(tree)
  keepAnchors(tree)
  return tree
}

/** Converts a prepared tree, or a part of one, to Markdown. Modifies the tree. */
export function treeToMarkdown(tree: Root, options: HtmlToMarkdownOptions): string {
  const { linkOf, allow, hasTitledAlerts, write = writeMarkdown } = options
  if (linkOf !== undefined) readdressTree(tree, linkOf)
  const handlers = htmlHandlers(stringifyHtml, allow?.tags ?? [], hasTitledAlerts)
  const mdast = unified().use(rehypeRemark, { handlers, newlines: true }).runSync(tree)
  return write(mdast)
}

const HEADING = /^h[1-6]$/
const LINES = new Set(['p', 'div'])

/**
 * Moves marks into the blocks that they surround, and unwraps paragraphs in headings, because editors nest them
 * wrongly. Modifies the tree. Leaves links around blocks, and headings around other blocks, unchanged.
 */
function liftBlocks(parent: Parents): void {
  parent.children = (parent.children as ElementContent[]).flatMap((child): ElementContent[] => {
    if (child.type !== 'element' || child.tagName === 'pre') return [child]
    liftBlocks(child)
    if (!child.children.some(isBlock)) return [child]
    if (HEADING.test(child.tagName)) return [flattenHeading(child)]
    return isInline(child) && child.tagName !== 'a' ? markInside(child, child.children) : [child]
  })
}

function isBlock(node: ElementContent): node is Element {
  // A link around blocks counts as a block.
  return node.type === 'element' && (!isInline(node) || (node.tagName === 'a' && node.children.some(isBlock)))
}

function flattenHeading(heading: Element): Element {
  if (!heading.children.every((child) => !isBlock(child) || LINES.has(child.tagName)))
    return keptAsHtml(heading)
  const space: ElementContent = { type: 'text', value: ' ' }
  const children = heading.children.flatMap((child) =>
    isBlock(child) ? [space, ...child.children, space] : [child],
  )
  const flat = { ...heading, children }
  return children.some(isBlock) ? flattenHeading(flat) : flat
}

/** Puts the mark around each run of inline content in `nodes`, at any depth. */
function markInside(mark: Element, nodes: readonly ElementContent[]): ElementContent[] {
  const marked: ElementContent[] = []
  let run: ElementContent[] = []
  const close = (): void => {
    const isSpace = run.every((node) => node.type === 'text' && node.value.trim() === '')
    if (run.length > 0) marked.push(...(isSpace ? run : [{ ...mark, children: run }]))
    run = []
  }
  for (const node of nodes) {
    if (!isBlock(node)) run.push(node)
    else {
      close()
      marked.push(node.tagName === 'pre' ? node : { ...node, children: markInside(mark, node.children) })
    }
  }
  close()
  return marked
}

const ALIGNED = /(?:^|;)\s*text-align\s*:\s*(left|center|right)\b/i

/**
 * Parses untrusted HTML and keeps what `schema` allows. Removes comments, replaces other elements with their content,
 * and replaces frames and videos with a link.
 */
function parseForeignHtml(html: string, schema: Schema): Root {
  const tree = fromHtml(html, { fragment: true })
  const allowed = new Set(schema.tagNames)
  rewriteChildren(tree, allowed)
  const clean: Nodes = sanitize(tree, { ...schema, allowComments: false })
  return clean.type === 'root' ? clean : { type: 'root', children: [clean] }
}

function rewriteChildren(parent: Parents, allowed: ReadonlySet<string>): void {
  parent.children = (parent.children as ElementContent[]).flatMap((child) => {
    if (child.type === 'text') return [{ type: 'text', value: child.value.replaceAll(/[\0\uFEFF]/g, '') }]
    if (child.type !== 'element') return []
    // Positions are not needed, and would be copied with every copy of the tree.
    delete child.position
    rewriteChildren(child, allowed)
    return rewrite(child, allowed)
  })
}

function rewrite(element: Element, allowed: ReadonlySet<string>): ElementContent[] {
  const { tagName } = element
  if (tagName === 'td' || tagName === 'th') alignCell(element)
  if (allowed.has(tagName)) return [element]
  if (FRAMES.has(tagName)) return linkOfFrame(element)
  // The content stays, separated from its neighbours.
  return [
    INLINE_TAGS.has(tagName) || UNSEEN.has(tagName)
      ? element
      : { ...element, tagName: 'div', properties: {} },
  ]
}

const UNSEEN = new Set(
  'script style template svg math noembed noframes head title textarea select'.split(' '),
)

function alignCell(cell: Element): void {
  const { style } = cell.properties
  const aligned = typeof style === 'string' ? ALIGNED.exec(style)?.[1] : undefined
  if (aligned !== undefined) cell.properties['align'] ??= aligned.toLowerCase()
}
