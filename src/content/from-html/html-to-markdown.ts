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
import { htmlHandlers } from './html-handlers.ts'
import { keepAnchors, readdressTree } from './html-addresses.ts'
import { createHtmlStringifier } from './raw-html.ts'
import { isInline, keptAsHtml } from './stand-ins.ts'
import { createMarkdownWriter } from './stringify-markdown.ts'
import { shapeTables } from './table-shape.ts'
import { tidyHtml } from './tidy-html.ts'

interface HtmlToMarkdownOptions {
  /** Turns the address of a link or image back into what an author would write; undefined leaves it. */
  readonly linkOf?: ((url: string) => string | undefined) | undefined
  /** What the configuration allows in addition; such elements stay as HTML. */
  readonly allow?: MarkdownOptions['allow'] | undefined
  /** Alerts may have titles: `> [!TIP] Title`. */
  readonly hasTitledAlerts?: boolean | undefined
  /** Writes the tree in an author's style; in ours by default. */
  readonly write?: ((tree: Mdast) => string) | undefined
}

// Frozen, and so the same for everyone; to make one takes as long as to convert a short article.
const stringifyHtml = createHtmlStringifier()
const writeMarkdown = createMarkdownWriter()

/**
 * The Markdown of an article's HTML, ending in one line feed; '' where nothing is to be seen.
 *
 * The HTML may come from anyone: comments, scripts and what the allow-list lacks are left out, and text stays text,
 * whatever Markdown or a site builder would read in it.
 */
export function htmlToMarkdown(html: string, options: HtmlToMarkdownOptions = {}): string {
  return treeToMarkdown(prepareHtml(html, options.allow ?? {}), options)
}

/**
 * The tree of an article's HTML, cleaned of what we would not keep and of what editors leave behind.
 *
 * @param edit changes the tree as it was parsed, before paragraphs become lines of a table's cell and the like
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

/** The Markdown of a prepared tree or a part of one; the tree is used up. */
export function treeToMarkdown(
  tree: Root,
  { linkOf, allow, hasTitledAlerts, write = writeMarkdown }: HtmlToMarkdownOptions,
): string {
  if (linkOf !== undefined) readdressTree(tree, linkOf)
  const handlers = htmlHandlers(stringifyHtml, allow?.tags ?? [], hasTitledAlerts)
  const mdast = unified().use(rehypeRemark, { handlers, newlines: true }).runSync(tree)
  return write(mdast)
}

const HEADING = /^h[1-6]$/
const LINES = new Set(['p', 'div'])

/**
 * Editors wrap marks around paragraphs and put paragraphs into headings. Marks go inside of the blocks, paragraphs of a
 * heading become its text, in place; a link around blocks and a heading around others stay as they are.
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
  // A link around blocks counts as one.
  return node.type === 'element' && (!isInline(node) || (node.tagName === 'a' && node.children.some(isBlock)))
}

function flattenHeading(heading: Element): Element {
  if (!heading.children.every((child) => !isBlock(child) || LINES.has(child.tagName)))
    return keptAsHtml(heading)
  const space: ElementContent = { type: 'text', value: ' ' }
  const children = heading.children.flatMap((child) =>
    isBlock(child) ? [space, ...child.children, space] : [child],
  )
  return flattenAgain({ ...heading, children })
}

function flattenAgain(heading: Element): Element {
  return heading.children.some(isBlock) ? flattenHeading(heading) : heading
}

/** `nodes` with the mark around every run of inline content, however deep. */
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

// What shows something from elsewhere: a link to it is what Markdown can keep.
const FRAMES = new Set(['iframe', 'video', 'audio', 'embed', 'object'])
const ALIGNED = /(?:^|;)\s*text-align\s*:\s*(left|center|right)\b/i

/**
 * Parses HTML that may come from anyone, and keeps of it what `schema` allows: comments go, what is not allowed is
 * replaced by its content, frames and films by a link to what they show.
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
    // No one asks where it stood, and every copy of the tree would copy that, too.
    delete child.position
    rewriteChildren(child, allowed)
    return rewrite(child, allowed)
  })
}

function rewrite(element: Element, allowed: ReadonlySet<string>): ElementContent[] {
  const { tagName } = element
  if (tagName === 'td' || tagName === 'th') alignCell(element)
  if (allowed.has(tagName)) return [element]
  if (FRAMES.has(tagName)) return linkInstead(element)
  // Its content stays, and stays apart from its neighbours.
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
  const aligned = ALIGNED.exec(textOf(cell.properties['style']))?.[1]
  if (aligned !== undefined) cell.properties['align'] ??= aligned.toLowerCase()
}

function linkInstead(frame: Element): ElementContent[] {
  const href = addressOf(frame)
  if (href === undefined) return []
  const value = textOf(frame.properties['title']).trim() || href
  const space: ElementContent = { type: 'text', value: ' ' }
  return [
    space,
    { type: 'element', tagName: 'a', properties: { href }, children: [{ type: 'text', value }] },
    // Two of them side by side stay apart.
    space,
  ]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function addressOf(frame: Element): string | undefined {
  const { src, data } = frame.properties
  const inner = frame.children.flatMap((child) =>
    child.type === 'element' ? (child.properties['src'] ?? []) : [],
  )
  return [src, data, inner[0]].find((each): each is string => typeof each === 'string' && each.trim() !== '')
}
