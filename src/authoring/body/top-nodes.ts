import type { Element, ElementContent } from 'hast'
import { GAP_TAG, isInline } from '../../content/from-html/stand-ins.ts'
import type { RenderMarkdown } from '../../content/markdown/create-renderer.ts'
import type { SourceBlock } from './source-blocks.ts'
import { treeToMarkdown } from '../../content/from-html/html-to-markdown.ts'
import { type MarkdownStyle, createMarkdownWriter } from '../../content/from-html/stringify-markdown.ts'
import { digest } from '../../core/digest.ts'
import type { RenderedBody } from '../../content/markdown/rendered-body.ts'

/** The blocks of a list of nodes: unwraps plain `div`s of editors, and puts loose text into paragraphs. */
export function topNodes(nodes: readonly ElementContent[]): Element[] {
  const blocks: Element[] = []
  let loose: ElementContent[] = []
  const close = (): void => {
    if (loose.some((node) => node.type !== 'text' || node.value.trim() !== ''))
      blocks.push({ type: 'element', tagName: 'p', properties: {}, children: loose })
    loose = []
  }
  for (const node of nodes) {
    if (node.type !== 'element' || isInline(node)) loose.push(node)
    else {
      close()
      if (isPlainWrapper(node)) blocks.push(...topNodes(node.children))
      else if (node.tagName !== GAP_TAG) blocks.push(node)
    }
  }
  close()
  return blocks
}

function isPlainWrapper({ tagName, properties }: Element): boolean {
  const isWrapper = tagName === 'div' || tagName === 'section'
  return (
    isWrapper &&
    properties['className'] === undefined &&
    !['center', 'right'].includes(String(properties['align']))
  )
}

// Elements that a service may remove without their content.
const HOLDERS = new Set(['div', 'section', 'details', 'center'])

/** The smallest blocks that are compared: alerts, details and similar elements are replaced by their content. */
export function unitsOf(block: Element): Element[] {
  if (!HOLDERS.has(block.tagName)) return [block]
  const inner = topNodes(block.children).flatMap(unitsOf)
  return inner.length === 0 ? [block] : inner
}

/** Index of the first heading that repeats the title and is not sent; -1 if there is none. */
export function findTitle(
  body: string,
  blocks: readonly SourceBlock[],
  title: string,
  render: RenderMarkdown,
): number {
  const index = blocks.findIndex(
    ({ node }) => !UNSEEN.has(node.type) && !(node.type === 'html' && isComment(node.value)),
  )
  const block = blocks[index]
  if (block === undefined || !isHeading(block)) return -1
  const isSent = renderPart(body.slice(0, block.to), title, render).html.join('').trim() !== ''
  return isSent ? -1 : index
}

const UNSEEN = new Set(['definition', 'footnoteDefinition'])
const isComment = (html: string): boolean => html.trimStart().startsWith('<!--')

function isHeading({ node }: SourceBlock): boolean {
  if (node.type === 'heading') return node.depth === 1
  return node.type === 'html' && /^\s*<h1[\s>]/i.test(node.value)
}

/** `title` as a Markdown heading. */
export function writeTitle(title: string, style: MarkdownStyle): string {
  const heading = {
    type: 'element',
    tagName: 'h1',
    properties: {},
    children: [{ type: 'text', value: title }],
  } as const
  return treeToMarkdown(
    { type: 'root', children: [{ ...heading, children: [...heading.children] }] },
    { write: createMarkdownWriter(style) },
  ).trimEnd()
}

/** Renders a body or a part of one like the sync. */
export function renderPart(body: string, title: string, render: RenderMarkdown): RenderedBody {
  return render({ body, title, lineOffset: 0, nonce: digest(body) })
}
