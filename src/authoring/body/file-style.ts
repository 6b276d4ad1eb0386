import type { Heading, List, Node, Parents, RootContent } from 'mdast'
import { SKIP, visit } from 'unist-util-visit'
import type { MarkdownStyle } from '../../content/from-html/stringify-markdown.ts'
import type { Element } from 'hast'

/** Returns the author's style in `body`, as shown by the first construct of each kind. */
export function findStyle(body: string, nodes: readonly RootContent[]): MarkdownStyle {
  const root: Parents = { type: 'root', children: [...nodes] }
  const style: Partial<Record<keyof MarkdownStyle, unknown>> = {}
  visit(root, (node) => {
    // Constructs in footnotes and quotes also count. HTML has no style.
    if (node.type === 'html') return SKIP
    for (const [key, value] of Object.entries(readStyle(node, textOf(body, node))))
      if (value !== undefined) style[key as keyof MarkdownStyle] ??= value
    return undefined
  })
  return style as MarkdownStyle
}

function textOf(body: string, { position }: Node): string {
  return body.slice(position?.start.offset ?? 0, position?.end.offset ?? 0)
}

function readStyle(node: Parents | RootContent, text: string): MarkdownStyle {
  if (node.type === 'list') return listStyle(node, text)
  if (node.type === 'emphasis') return { emphasis: text.startsWith('_') ? '_' : '*' }
  if (node.type === 'strong') return { strong: text.startsWith('_') ? '_' : '*' }
  if (node.type === 'heading') return headingStyle(node, text)
  if (node.type === 'thematicBreak') return ruleStyle(text)
  // Code may also be indented.
  const fence = node.type === 'code' ? FENCE.exec(text)?.[0] : undefined
  return fence === undefined ? {} : { fence: fence as '`' | '~' }
}

const FENCE = /^[`~]/
const MARKER = /^(?<sign>[-*+]|\d+[.)])(?<space>[ \t]*)/

function listStyle({ ordered, children }: List, text: string): MarkdownStyle {
  const { sign = '-', space = ' ' } = MARKER.exec(text)?.groups ?? {}
  const isWide = space === '\t' || (space.length > 1 && (sign.length + space.length) % 4 === 0)
  const listItemIndent = isWide ? 'tab' : 'one'
  if (ordered !== true) return { bullet: sign as '-' | '*' | '+', listItemIndent }
  const [first, second] = children
  const from = first?.position?.start.offset ?? 0
  const next = second === undefined ? undefined : text.slice((second.position?.start.offset ?? 0) - from)
  return {
    bulletOrdered: sign.endsWith(')') ? ')' : '.',
    listItemIndent,
    ...(next !== undefined && {
      incrementListMarker: Number.parseInt(next, 10) !== Number.parseInt(sign, 10),
    }),
  }
}

function headingStyle({ depth }: Heading, text: string): MarkdownStyle {
  // Only headings of the first two levels can be underlined.
  if (!text.startsWith('#')) return { setext: true }
  return { ...(depth < 3 && { setext: false }), closeAtx: /\s#+[ \t]*$/.test(text) }
}

function ruleStyle(text: string): MarkdownStyle {
  const rule = text.startsWith('*') ? '*' : text.startsWith('_') ? '_' : '-'
  return { rule, ruleRepetition: text.split(rule).length - 1, ruleSpaces: /[ \t]/.test(text.trim()) }
}

/** The tools for adding items of the target to an author's list. */
export interface ListContext {
  readonly body: string
  readonly eol: string
  /** Writes blocks of the target as Markdown with line feeds. */
  readonly write: (nodes: readonly Element[], style?: MarkdownStyle) => string
}

export function startOf({ position }: Node): number {
  return position?.start.offset ?? 0
}

export function endOf({ position }: Node): number {
  return position?.end.offset ?? 0
}

/** Returns the indentation of further lines below the text at `offset`. */
export function indentOf(offset: number, body: string): string {
  return body.slice(body.lastIndexOf('\n', offset - 1) + 1, offset).replaceAll(/\S/g, ' ')
}
