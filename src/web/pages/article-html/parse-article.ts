import type { Root } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parseFragment } from 'parse5'

type ParsedElement = DefaultTreeAdapterTypes.Element
type ParsedParent = DefaultTreeAdapterTypes.ParentNode

/** Maximum sizes of an article. */
export interface ArticleLimits {
  /** Characters of HTML, and of repeated attributes. */
  readonly characters: number
  /** Characters of text. */
  readonly text: number
  /** Number of elements, comments and attributes. */
  readonly nodes: number
}

/** The largest article that is shown: with embedded images, and as much text as "War and Peace". */
export const SHOWN: ArticleLimits = { characters: 20_000_000, text: 3_000_000, nodes: 50_000 }

/** Browsers nest about 500 elements at most. Deeper nesting is an attack or a mistake. */
const DEPTH_LIMIT = 400

/** Maximum size of attributes by repetition, beyond their length in the text. */
const REPEATED_LIMIT = 1_000_000

class BeyondLimits extends Error {}

/**
 * Parses an article's HTML like a browser; undefined if it is too large or too deep.
 * Counts the nodes while they are created: an unclosed formatting element is opened again in each later paragraph, so
 * that a short text can become a tree of any size.
 */
export function parseArticle(html: string, limits: ArticleLimits): Root | undefined {
  if (html.length > limits.characters) return undefined
  try {
    const treeAdapter = countingAdapter(limits, html.length + Math.min(REPEATED_LIMIT, limits.characters))
    const tree = parseFragment(html, { treeAdapter, scriptingEnabled: false })
    return isWithin(tree, DEPTH_LIMIT) ? (fromParse5(tree) as Root) : undefined
  } catch (error) {
    if (error instanceof BeyondLimits) return undefined
    throw error
  }
}

/** Creates an adapter that builds the usual tree, and stops if it becomes too large. */
function countingAdapter(limits: ArticleLimits, attributesLimit: number): typeof defaultTreeAdapter {
  const nodes = createCounter(limits.nodes)
  const text = createCounter(limits.text)
  const attributeText = createCounter(attributesLimit)
  return {
    ...defaultTreeAdapter,
    createElement(tagName, namespace, attributes) {
      nodes(1 + attributes.length)
      for (const { name, value } of attributes) attributeText(name.length + value.length)
      return defaultTreeAdapter.createElement(tagName, namespace, attributes)
    },
    createCommentNode(data) {
      nodes(1)
      return defaultTreeAdapter.createCommentNode(data)
    },
    insertText(parent, words) {
      text(words.length)
      defaultTreeAdapter.insertText(parent, words)
    },
    insertTextBefore(parent, words, reference) {
      text(words.length)
      defaultTreeAdapter.insertTextBefore(parent, words, reference)
    },
    // Attributes of `html` and `body`, which no article shows.
    adoptAttributes: () => undefined,
  }
}

function createCounter(limit: number): (more: number) => void {
  let sum = 0
  return (more) => {
    sum += more
    if (sum > limit) throw new BeyondLimits()
  }
}

/** @param levels maximum nesting of elements */
function isWithin(parent: ParsedParent, levels: number): boolean {
  return parent.childNodes.every(
    (child) => !isElement(child) || (levels > 0 && isWithin(contentOf(child), levels - 1)),
  )
}

function isElement(node: DefaultTreeAdapterTypes.ChildNode): node is ParsedElement {
  return 'tagName' in node
}

function contentOf(element: ParsedElement): ParsedParent {
  return 'content' in element ? (element as DefaultTreeAdapterTypes.Template).content : element
}
