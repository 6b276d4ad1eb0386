import type { Element, ElementContent } from 'hast'
import type { Blockquote, Html, Paragraph } from 'mdast'
import type { Options } from 'rehype-remark'

type State = Parameters<NonNullable<NonNullable<Options['handlers']>[string]>>[0]

const KIND = /^markdown-alert-(note|tip|important|warning|caution)$/

/** A `> [!NOTE]` for the element that our renderer makes of one; undefined for every other element. */
export function alertHandler(state: State, element: Element): Blockquote | undefined {
  const kind = classesOf(element).flatMap((name) => KIND.exec(name)?.[1] ?? [])[0]
  if (kind === undefined) return undefined
  const rest = element.children.filter((child) => !isTitle(child))
  const [first, ...others] = state.toFlow(state.all({ ...element, children: rest })) as Blockquote['children']
  const mark: Html = { type: 'html', value: `[!${kind.toUpperCase()}]` }
  // The first paragraph begins on the line below the mark; anything else is set apart by an empty line.
  const opening: Paragraph =
    first?.type === 'paragraph'
      ? { ...first, children: [mark, { type: 'text', value: '\n' }, ...first.children] }
      : { type: 'paragraph', children: [mark] }
  const after = first === undefined || first.type === 'paragraph' ? others : [first, ...others]
  return { type: 'blockquote', children: [opening, ...after] }
}

function isTitle(node: ElementContent): boolean {
  return node.type === 'element' && classesOf(node).includes('markdown-alert-title')
}

function classesOf({ properties }: Element): string[] {
  const names = properties['className']
  return Array.isArray(names) ? names.join(' ').split(' ') : []
}
