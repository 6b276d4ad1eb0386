import type { Element, ElementContent } from 'hast'
import type {
  Blockquote,
  BlockContent,
  FootnoteDefinition,
  Html,
  ListItem,
  Paragraph,
  PhrasingContent,
} from 'mdast'
import type { Options } from 'rehype-remark'
import { isAnchor } from './html-addresses.ts'
import { GAP_TAG, HTML_TAG, isInline, NOTE_REF_TAG, NOTE_TAG } from './stand-ins.ts'
import { rawBlock, rawInline, type StringifyHtml, tagsOf } from './raw-html.ts'
import { textOfCode } from './text-of-code.ts'
import { INLINE_TAGS } from '../../core/model/projection.ts'

type HtmlHandlers = NonNullable<Options['handlers']>
type Handler = NonNullable<HtmlHandlers[string]>
type State = Parameters<Handler>[0]

const WRAPPERS = 'abbr bdi bdo cite dfn ins kbd mark q rp rt ruby samp small sub sup time tt u var'.split(' ')
const BLOCKS = ['audio', 'dl', 'figure', 'video']
const TEMPLATE = /\{[{%#]/

/** Handlers for elements whose content the library's own handlers would lose. */
export function htmlHandlers(
  stringify: StringifyHtml,
  allowedTags: readonly string[],
  hasTitledAlerts = false,
): HtmlHandlers {
  const raw = (_state: State, element: Element): Html => rawBlock(element, stringify)
  const within = (_state: State, element: Element): Html => rawInline(element, stringify)
  const wrapped = (state: State, element: Element) => wrapInline(state, element, stringify)
  return {
    ...Object.fromEntries(WRAPPERS.map((tag) => [tag, wrapped])),
    ...Object.fromEntries(BLOCKS.map((tag) => [tag, raw])),
    ...Object.fromEntries(allowedTags.map((tag) => [tag, INLINE_TAGS.has(tag) ? wrapped : raw])),
    a: (state, element) => linkOrAnchor(state, element, stringify),
    aside: (state, element) => betweenTags(state, element, stringify),
    br: (state, element) => (state.inTable ? rawInline(element, stringify) : { type: 'break' }),
    code: (state, element) => codeInline(state, element, stringify),
    details: (state, element) => detailsBlock(state, element, stringify),
    div: (state, element) =>
      alertHandler(state, element, hasTitledAlerts) ?? aligned(state, element, stringify),
    figure: (state, element) =>
      element.children.some(isElement('figcaption'))
        ? rawBlock(element, stringify)
        : state.toFlow(state.all(element)),
    img: (_state, element) => image(element, stringify),
    input: () => undefined,
    li: listItemHandler,
    p: (state, element) => aligned(state, element, stringify),
    picture: within,
    pre: (_state, element) => codeBlock(element, stringify),
    [HTML_TAG]: (_state, { children }) =>
      children.flatMap((child) => (child.type === 'element' ? [rawBlock(child, stringify)] : [])),
    wbr: within,
    // Empty paragraphs are removed at the end.
    [GAP_TAG]: () => ({ type: 'paragraph', children: [] }),
    [NOTE_TAG]: footnote,
    [NOTE_REF_TAG]: (_state, { properties }) => {
      const label = String(properties['title'])
      return { type: 'footnoteReference', identifier: label, label }
    },
  }
}

function wrapInline(state: State, element: Element, stringify: StringifyHtml) {
  const children = state.all(element)
  // Block elements inside (an `ins` can contain paragraphs) would be moved out of it.
  if (hasBlock(element)) return children
  const [open, close] = tagsOf(element, stringify)
  return [open, ...children, close] as PhrasingContent[]
}

function linkOrAnchor(state: State, element: Element, stringify: StringifyHtml) {
  const { href, title } = element.properties
  if (href !== undefined) {
    if (hasBlock(element)) return rawBlock(inDivision(element), stringify)
    const children = state.all(element) as PhrasingContent[]
    return { type: 'link', url: textOf(href), title: titleOf(title), children } as const
  }
  return isAnchor(element) ? wrapInline(state, element, stringify) : state.all(element)
}

/** A line that starts with an inline tag is not an HTML block. */
function inDivision(element: Element): Element {
  return { type: 'element', tagName: 'div', properties: {}, children: [element] }
}

/** Code that contains elements, or syntax that a site builder would evaluate, stays an HTML element. */
function codeInline(state: State, element: Element, stringify: StringifyHtml) {
  const text = textOfCode(element)
  if (text === '') return state.all(element)
  const plain = !hasMarkup(element, INLINE_MARKUP) && !TEMPLATE.test(text)
  return plain
    ? ({ type: 'inlineCode', value: text } as const)
    : wrapInline(state, { ...element, properties: {} }, stringify)
}

function codeBlock(element: Element, stringify: StringifyHtml) {
  if (hasMarkup(element, MARKUP) || TEMPLATE.test(textOfCode(element))) return rawBlock(element, stringify)
  return { type: 'code', lang: languageOf(element), value: textOfCode(element).replace(/\n$/, '') } as const
}

function detailsBlock(state: State, element: Element, stringify: StringifyHtml) {
  const [open, close] = tagsOf(element, stringify)
  const summary = element.children.find(isElement('summary'))
  const rest = element.children.filter((child) => child !== summary)
  const head = summary === undefined ? '' : `\n${rawBlock(summary, stringify).value}`
  const content = state.toFlow(state.all({ ...element, children: rest }))
  return [block(`${open.value}${head}`), ...content, block(close.value)] as BlockContent[]
}

function aligned(state: State, element: Element, stringify: StringifyHtml) {
  const { align } = element.properties
  const isParagraph = element.tagName === 'p'
  if (align === 'center' || align === 'right') {
    const shell: Element = { ...element, properties: { align } }
    if (isParagraph) return rawBlock(shell, stringify)
    return betweenTags(state, shell, stringify)
  }
  return isParagraph ? paragraphOf(state, element) : state.toFlow(state.all(element))
}

function betweenTags(state: State, element: Element, stringify: StringifyHtml) {
  const [open, close] = tagsOf(element, stringify)
  return [block(open.value), ...state.toFlow(state.all(element)), block(close.value)] as BlockContent[]
}

function paragraphOf(state: State, element: Element) {
  const children = state.all(element) as PhrasingContent[]
  // A line break at the end of a paragraph is not visible.
  while (children.at(-1)?.type === 'break') children.pop()
  return children.length === 0 ? undefined : ({ type: 'paragraph', children } as const)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function titleOf(title: unknown): string | null {
  const text = textOf(title).replaceAll(/\s+/g, ' ').trim()
  return text === '' ? null : text
}

function languageOf(pre: Element): string | null {
  const names = pre.children.flatMap((child) =>
    child.type === 'element' && child.tagName === 'code' ? (child.properties['className'] ?? []) : [],
  )
  const language = names.flatMap((name) => /^language-([\w#+.-]+)$/.exec(textOf(name))?.[1] ?? [])[0]
  return language ?? null
}

function image(element: Element, stringify: StringifyHtml) {
  const { src, alt, title, ...others } = element.properties
  if (src === undefined) return { type: 'text', value: textOf(alt) } as const
  const kept = Object.entries(others).filter(([key]) => IMAGE_PROPERTIES.has(key))
  if (kept.length === 0)
    return { type: 'image', url: textOf(src), alt: textOf(alt), title: titleOf(title) } as const
  const properties = { src, ...(alt === undefined ? {} : { alt }), ...(title === undefined ? {} : { title }) }
  return rawInline({ ...element, properties: { ...properties, ...Object.fromEntries(kept) } }, stringify)
}

const IMAGE_PROPERTIES = new Set(['width', 'height', 'align', 'srcSet', 'sizes'])

function footnote(state: State, element: Element): FootnoteDefinition {
  const label = String(element.properties['title'])
  return { type: 'footnoteDefinition', identifier: label, label, children: state.toFlow(state.all(element)) }
}

const block = (value: string): Html => ({ type: 'html', value })

const isElement =
  (tagName: string) =>
  (node: ElementContent): node is Element =>
    node.type === 'element' && node.tagName === tagName

function hasBlock(element: Element): boolean {
  return element.children.some((child) => child.type === 'element' && (!isInline(child) || hasBlock(child)))
}

/** Returns true if code contains links, images or other elements that a code span or block cannot express. */
function hasMarkup(element: Element, tags: ReadonlySet<string>): boolean {
  return element.children.some(
    (child) => child.type === 'element' && (tags.has(child.tagName) || hasMarkup(child, tags)),
  )
}

const MARKUP = new Set(['a', 'img', 'sub', 'sup'])
/** In code blocks, `mark` comes from a highlighter; in inline code, from the author. */
const INLINE_MARKUP = new Set([...MARKUP, 'strong', 'em', 'del'])

const KIND = /^markdown-alert-(note|tip|important|warning|caution)$/

/**
 * Converts the element that our renderer creates for `> [!NOTE]` back; undefined for any other element.
 *
 * @param isTitled true if a title other than the name of the kind may follow the mark
 */
function alertHandler(state: State, element: Element, isTitled: boolean): Blockquote | undefined {
  const kind = classesOf(element).flatMap((name) => KIND.exec(name)?.[1] ?? [])[0]
  if (kind === undefined) return undefined
  const rest = element.children.filter((child) => !isTitle(child))
  const [first, ...others] = state.toFlow(state.all({ ...element, children: rest })) as Blockquote['children']
  const title = isTitled
    ? element.children.filter(isTitle).flatMap((each) => alertTitle(state, each, kind))
    : []
  const mark: Html = { type: 'html', value: `[!${kind.toUpperCase()}]${title.length === 0 ? '' : ' '}` }
  // The first paragraph starts on the line below the mark; an empty line separates other blocks.
  const opening: Paragraph =
    first?.type === 'paragraph'
      ? { ...first, children: [mark, ...title, { type: 'text', value: '\n' }, ...first.children] }
      : { type: 'paragraph', children: [mark, ...title] }
  const after = first === undefined || first.type === 'paragraph' ? others : [first, ...others]
  return { type: 'blockquote', children: [opening, ...after] }
}

function alertTitle(state: State, title: ElementContent, kind: string): PhrasingContent[] {
  if (title.type !== 'element' || textOfCode(title).trim().toLowerCase() === kind) return []
  return state.all(title) as PhrasingContent[]
}

function isTitle(node: ElementContent): boolean {
  return node.type === 'element' && classesOf(node).includes('markdown-alert-title')
}

function classesOf({ properties }: Element): string[] {
  const names = properties['className']
  return Array.isArray(names) ? names.join(' ').split(' ') : []
}

type ItemBlock = ListItem['children'][number]

/** Converts a list item. It is tight unless its text is in paragraphs or its blocks need empty lines between them. */
function listItemHandler(state: State, element: Element): ListItem {
  const { box, children: content } = takeCheckbox(element)
  const children = state.toFlow(state.all({ ...element, children: [...content] })) as ItemBlock[]
  const hasParagraph = content.some((child) => child.type === 'element' && child.tagName === 'p')
  return {
    type: 'listItem',
    checked: box === undefined ? null : Boolean(box.properties['checked']),
    spread: hasParagraph || !children.every((child, index) => mayFollow(children[index - 1], child)),
    children,
  }
}

interface BoxedItem {
  readonly box: Element | undefined
  /** The content of the item without its check box. */
  readonly children: readonly ElementContent[]
}

/** Removes the check box at the start of an item or of its first paragraph. */
export function takeCheckbox(element: Element): BoxedItem {
  const [first, ...others] = element.children
  if (first?.type !== 'element') return { box: undefined, children: element.children }
  if (first.tagName === 'input') return { box: first, children: others }
  if (first.tagName !== 'p') return { box: undefined, children: element.children }
  const { box, children } = takeCheckbox(first)
  return { box, children: [{ ...first, children: [...children] }, ...others] }
}

function mayFollow(before: ItemBlock | undefined, after: ItemBlock): boolean {
  if (before === undefined) return true
  if (!['paragraph', 'heading', 'code'].includes(before.type)) return false
  if (after.type !== 'list') return ['blockquote', 'code', 'heading'].includes(after.type)
  // A list that does not start with 1, or whose first item is empty, would continue the paragraph.
  return (after.start ?? 1) === 1 && (after.children[0]?.children.length ?? 0) > 0
}

// Embedded content, to which Markdown can only link.
export const FRAMES: ReadonlySet<string> = new Set(['iframe', 'video', 'audio', 'embed', 'object'])

/** Returns a link with the title of a frame as its text, or its URL; nothing if it has no URL. */
export function linkOfFrame(frame: Element): ElementContent[] {
  const href = addressOf(frame)
  if (href === undefined) return []
  const value = textOf(frame.properties['title']).trim() || href
  const space: ElementContent = { type: 'text', value: ' ' }
  return [
    space,
    { type: 'element', tagName: 'a', properties: { href }, children: [{ type: 'text', value }] },
    // Adjacent elements stay separate.
    space,
  ]
}

function addressOf(frame: Element): string | undefined {
  const { src, data } = frame.properties
  const inner = frame.children.flatMap((child) =>
    child.type === 'element' ? (child.properties['src'] ?? []) : [],
  )
  return [src, data, inner[0]].find((each): each is string => typeof each === 'string' && each.trim() !== '')
}
