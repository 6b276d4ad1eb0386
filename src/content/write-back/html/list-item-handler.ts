import type { Element, ElementContent } from 'hast'
import type { ListItem } from 'mdast'
import type { Options } from 'rehype-remark'

type State = Parameters<NonNullable<NonNullable<Options['handlers']>[string]>>[0]
type Block = ListItem['children'][number]

/** An item of a list: tight, unless its text stands in paragraphs or its parts cannot follow each other line by line. */
export function listItemHandler(state: State, element: Element): ListItem {
  const { box, children: content } = takeCheckbox(element)
  const children = state.toFlow(state.all({ ...element, children: [...content] })) as Block[]
  const hasParagraph = content.some((child) => child.type === 'element' && child.tagName === 'p')
  return {
    type: 'listItem',
    checked: box === undefined ? null : Boolean(box.properties['checked']),
    spread: hasParagraph || !children.every((block, index) => mayFollow(children[index - 1], block)),
    children,
  }
}

export interface BoxedItem {
  readonly box: Element | undefined
  /** What the item holds without its box. */
  readonly children: readonly ElementContent[]
}

/** Takes the check box off that an item, or its first paragraph, begins with. */
export function takeCheckbox(element: Element): BoxedItem {
  const [first, ...others] = element.children
  if (first?.type !== 'element') return { box: undefined, children: element.children }
  if (first.tagName === 'input') return { box: first, children: others }
  if (first.tagName !== 'p') return { box: undefined, children: element.children }
  const { box, children } = takeCheckbox(first)
  return { box, children: [{ ...first, children: [...children] }, ...others] }
}

/** Whether a block may begin on the line below another one and still is a block of its own. */
function mayFollow(before: Block | undefined, block: Block): boolean {
  if (before === undefined) return true
  if (!['paragraph', 'heading', 'code'].includes(before.type)) return false
  if (block.type !== 'list') return ['blockquote', 'code', 'heading'].includes(block.type)
  // A list with another number, or with nothing behind its first sign, would go on as text.
  return (block.start ?? 1) === 1 && (block.children[0]?.children.length ?? 0) > 0
}
