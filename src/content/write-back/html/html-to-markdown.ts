import type { Root } from 'hast'
import type { Root as Mdast } from 'mdast'
import rehypeRemark from 'rehype-remark'
import { unified } from 'unified'
import { createSchema } from '../../markdown/allow-schema.ts'
import type { MarkdownOptions } from '../../markdown/rendered-body.ts'
import { markFootnotes } from './html-footnotes.ts'
import { htmlHandlers } from './html-handlers.ts'
import { keepAnchors } from './keep-anchors.ts'
import { liftBlocks } from './lift-blocks.ts'
import { parseForeignHtml } from './parse-foreign-html.ts'
import { createHtmlStringifier } from './raw-html.ts'
import { readdress } from './readdress.ts'
import { createMarkdownWriter } from './stringify-markdown.ts'
import { shapeTables } from './table-shape.ts'
import { tidyHtml } from './tidy-html.ts'

export interface HtmlToMarkdownOptions {
  /** Turns the address of a link or image back into what an author would write; undefined leaves it. */
  readonly linkOf?: ((url: string) => string | undefined) | undefined
  /** What the configuration allows in addition; such elements stay as HTML. */
  readonly allow?: MarkdownOptions['allow'] | undefined
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
  readdress(tree, () => undefined)
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
  { linkOf, allow, write = writeMarkdown }: HtmlToMarkdownOptions,
): string {
  if (linkOf !== undefined) readdress(tree, linkOf)
  const handlers = htmlHandlers(stringifyHtml, allow?.tags ?? [])
  const mdast = unified().use(rehypeRemark, { handlers, newlines: true }).runSync(tree)
  return write(mdast)
}
