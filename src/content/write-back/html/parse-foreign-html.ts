import type { Element, ElementContent, Nodes, Parents, Root } from 'hast'
import { fromHtml } from 'hast-util-from-html'
import { sanitize, type Schema } from 'hast-util-sanitize'
import { INLINE_TAGS } from '../../../core/model/projection.ts'

// What shows something from elsewhere: a link to it is what Markdown can keep.
const FRAMES = new Set(['iframe', 'video', 'audio', 'embed', 'object'])
const ALIGNED = /(?:^|;)\s*text-align\s*:\s*(left|center|right)\b/i

/**
 * Parses HTML that may come from anyone, and keeps of it what `schema` allows: comments go, what is not allowed is
 * replaced by its content, frames and films by a link to what they show.
 */
export function parseForeignHtml(html: string, schema: Schema): Root {
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
    // Nobody asks where it stood, and every copy of the tree would copy that, too.
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
