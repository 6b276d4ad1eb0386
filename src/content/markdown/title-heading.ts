// The heading that is the title of an article: pages show the title themselves, so the text must not repeat it.
import type { Element, ElementContent, Root, RootContent } from 'hast'
import { isTooLongName, NAME_LENGTH_RULE } from '../../api/contract/fields.ts'
import type { Problem } from '../../core/model/diagnostic.ts'
import { collapseSpace, textOf } from './plain-text.ts'
import type { MarkdownInput } from './rendered-body.ts'
import type { SourceRanges } from './source-ranges.ts'

interface TitleOptions extends Pick<MarkdownInput, 'title' | 'titleStartsText'> {
  readonly ranges: SourceRanges
  readonly problems: Problem[]
}

/**
 * Finds the title in the first heading, unless the frontmatter has it, and removes the heading that repeats it from
 * `tree`.
 */
export function takeTitle(tree: Root, { title, titleStartsText, ranges, problems }: TitleOptions) {
  const leadingTitle = title === undefined ? findTitle(tree, titleStartsText === true) : undefined
  const dropped = dropTitle(tree, title ?? leadingTitle ?? '')
  // A title in the frontmatter is checked there.
  if (leadingTitle !== undefined && isTooLongName(leadingTitle)) {
    const heading = tree.children.find((child) => child.type === 'element' && child.tagName === 'h1')
    problems.push({
      code: 'title-too-long',
      message: `The heading that is the title ${NAME_LENGTH_RULE}.`,
      hint: 'Shorten it, or add a shorter title to the frontmatter.',
      ...ranges.of(dropped ?? heading ?? tree),
    })
  }
  return { leadingTitle, dropped }
}

/** Returns the text of the first top-level heading of level 1. One that must start the text must also be removable. */
function findTitle(tree: Root, isStart: boolean): string | undefined {
  const isTitle = (child: RootContent) => child.type === 'element' && child.tagName === 'h1'
  const heading = tree.children.find((child) => (isStart ? !isPicture(child) : isTitle(child)))
  const isTaken = heading?.type === 'element' && isTitle(heading) && (!isStart || isPlain(heading))
  const text = isTaken ? collapseSpace(textOf(heading)).trim() : ''
  return text === '' ? undefined : text
}

function normalise(text: string): string {
  return collapseSpace(text).normalize('NFC')
}

/**
 * Removes the first heading `# Title` from `tree` if it equals `title`, and returns it. Only pictures may precede it. A
 * heading with a picture or a link stays, because they would be lost.
 */
function dropTitle(tree: Root, title: string): Element | undefined {
  const isSpace = (child: RootContent | undefined) => child?.type === 'text' && child.value.trim() === ''
  const index = tree.children.findIndex((child) => !isPicture(child))
  const first = tree.children[index]
  if (first?.type !== 'element' || first.tagName !== 'h1' || !isPlain(first)) return undefined
  if (normalise(textOf(first)) !== normalise(title)) return undefined
  const start = tree.children.slice(0, index).every(isSpace) ? 0 : index
  tree.children.splice(start, index - start + (isSpace(tree.children[index + 1]) ? 2 : 1))
  return first
}

const PICTURE_TAGS = new Set(['p', 'div', 'a', 'picture', 'source', 'img', 'br'])

/** Returns true if `node` shows only pictures or nothing, but no text: a line of badges, or an anchor. */
function isPicture(node: RootContent | ElementContent): boolean {
  if (node.type !== 'element') return node.type !== 'text' || node.value.trim() === ''
  return PICTURE_TAGS.has(node.tagName) && node.children.every(isPicture)
}

const PLAIN_TAGS = new Set(
  'em strong code del ins b i u s mark small sub sup kbd samp var tt q abbr span br wbr'.split(' '),
)

/** Returns true if `element` contains only text and emphasis. */
function isPlain({ children }: Element): boolean {
  return children.every((child) => {
    if (child.type !== 'element') return true
    const isAnchor = child.tagName === 'a' && child.properties['href'] === undefined
    return (isAnchor || PLAIN_TAGS.has(child.tagName)) && isPlain(child)
  })
}
