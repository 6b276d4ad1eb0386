import type { RenderMarkdown } from '../../content/markdown/create-renderer.ts'
import { renderPart } from './render-part.ts'
import type { SourceBlock } from './source-blocks.ts'
import { treeToMarkdown } from '../../content/from-html/html-to-markdown.ts'
import { type MarkdownStyle, createMarkdownWriter } from '../../content/from-html/stringify-markdown.ts'

/** Index of the leading heading that repeats the title and is not sent; -1 where there is none. */
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

/** `title` as a heading of Markdown. */
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
