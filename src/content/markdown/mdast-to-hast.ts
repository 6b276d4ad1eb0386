import type { Element, ElementContent, Nodes, Properties, Root } from 'hast'
import type {
  Definition,
  Html,
  ImageReference,
  Link,
  LinkReference,
  Nodes as MdastNodes,
  Paragraph,
  Root as Mdast,
  Text,
} from 'mdast'
import { defaultHandlers, toHast, type Handlers, type State } from 'mdast-util-to-hast'
import { assertDepth } from '../parser/nesting-limit.ts'

/** Finds characters of a URL that must be encoded. Matching a whole URL would fail for one of many megabytes. */
const UNENCODED = /[^!#$%&-;=?-Z_a-z~]|%(?![A-Za-z\d]{2})/

export type HastDraft = ReturnType<typeof mdastToHast>

export type Definitions = ReadonlyMap<number, Definition>

/**
 * Converts Markdown to HTML nodes, which share their positions with the nodes of `mdast`. Throws an error for `isTooDeep`
 * if there are too many levels.
 *
 * @param fileOf returns the file of a node, if `mdast` consists of several files
 */
export function mdastToHast(mdast: Mdast, fileOf?: FileOf) {
  const comments: Html[] = []
  const definitions = new Map<number, Definition>()
  const bareUrls = new Set<MdastNodes>()
  let hasRaw = false
  const handlers: Handlers = {
    root(state: State) {
      state.patch = sharePosition
      collect(mdast, state, bareUrls)
      // The type is that of handlers for content; the handler of the root must return a root.
      return defaultHandlers.root(state, mdast) as Nodes as ElementContent
    },
    // The library looks for white space around line breaks, which the parsers have removed already, with more effort.
    text(state: State, node: Text) {
      if (/[\r\n](?:[ \t]|(?<=[ \t][\r\n]))/.test(node.value)) return defaultHandlers.text(state, node)
      const text: ElementContent = { type: 'text', value: node.value }
      state.patch(node, text)
      return state.applyData(node, text)
    },
    // The library examines each character of a URL.
    link(state: State, node: Link) {
      if (bareUrls.has(node)) return state.all(node)
      if (UNENCODED.test(node.url)) return defaultHandlers.link(state, node)
      const properties: Properties = { href: node.url }
      if (node.title !== null && node.title !== undefined) properties['title'] = node.title
      const link: Element = { type: 'element', tagName: 'a', properties, children: state.all(node) }
      state.patch(node, link)
      return state.applyData(node, link)
    },
    // Removing the first line of an alert may leave an empty paragraph.
    paragraph: (state: State, node: Paragraph) =>
      node.children.length === 0 ? undefined : defaultHandlers.paragraph(state, node),
    ...referenceHandlers(definitions, fileOf),
    html(state: State, node: Html) {
      if (isComment(node.value)) {
        comments.push(node)
        return undefined
      }
      hasRaw = true
      return defaultHandlers.html(state, node)
    },
  }
  // The library's own search for definitions takes longer than the rest of its work, so it gets an empty tree.
  const tree = toHast({ type: 'root', children: [] }, { allowDangerousHtml: true, handlers })
  return {
    tree: asRoot(tree),
    /** True if the tree contains raw HTML, as `raw` nodes that must be parsed. */
    hasRaw,
    /** The comments. Those that stand alone are already removed. */
    comments,
    /** The definitions in the same file as their references, by the start offset of the reference. */
    definitions,
  }
}

type FileOf = (node: MdastNodes) => string | undefined

/** A URL defined in another file is relative to that file, and its problems are reported there. */
function referenceHandlers(definitions: Map<number, Definition>, fileOf?: FileOf): Handlers {
  const relocate = (
    state: State,
    node: LinkReference | ImageReference,
    made: ElementContent | ElementContent[] | undefined,
  ) => {
    const definition = state.definitionById.get(node.identifier.toUpperCase())
    if (definition === undefined || made === undefined || Array.isArray(made)) return made
    const offset = node.position?.start.offset
    if (fileOf?.(definition) !== fileOf?.(node)) sharePosition(definition, made)
    else if (offset !== undefined) definitions.set(offset, definition)
    return made
  }
  return {
    linkReference: (state: State, node: LinkReference) =>
      relocate(state, node, defaultHandlers.linkReference(state, node)),
    imageReference: (state: State, node: ImageReference) =>
      relocate(state, node, defaultHandlers.imageReference(state, node)),
  }
}

// The original copies the position of every node.
const sharePosition: State['patch'] = (from, to) => {
  if (from.position !== undefined) to.position = from.position
}

/**
 * Collects definitions like `createState` of mdast-util-to-hast: of several with one name, the first applies. Adds to
 * `bareUrls` the URLs in a raw `<a href>`, which GFM makes links, too, although HTML allows none in another.
 */
function collect(node: MdastNodes, state: State, bareUrls: Set<MdastNodes>, depth = 0): void {
  assertDepth(node, depth)
  if (node.type === 'definition') addFirst(state.definitionById, node.identifier, node)
  if (node.type === 'footnoteDefinition') addFirst(state.footnoteById, node.identifier, node)
  if (!('children' in node)) return
  let isInLink = false
  for (const child of node.children) {
    if (child.type === 'html')
      isInLink = /^<a\s[^>]*\bhref=/i.test(child.value) || (isInLink && !/^<\/a/i.test(child.value))
    else if (isInLink && child.type === 'link' && isBareUrl(child)) bareUrls.add(child)
    collect(child, state, bareUrls, depth + 1)
  }
}

function isBareUrl({ url, children: [text] }: Link): boolean {
  return text?.type === 'text' && url.endsWith(text.value)
}

function addFirst<Node>(map: Map<string, Node>, identifier: string, definition: Node): void {
  const id = identifier.toUpperCase()
  if (!map.has(id)) map.set(id, definition)
}

/** Returns true if every parser reads `html` as a single comment. The HTML parser handles all other cases. */
export function isComment(html: string): boolean {
  const text = html.trim()
  if (!text.startsWith('<!--') || !text.endsWith('-->') || /^<!--(?:-?>)/.test(text)) return false
  return text.indexOf('-->', 4) === text.length - 3 && !text.includes('--!>')
}

function asRoot(tree: Nodes): Root {
  if (tree.type === 'root') return tree
  return { type: 'root', children: tree.type === 'doctype' ? [] : [tree] }
}
