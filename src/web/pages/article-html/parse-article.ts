import type { Root } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parseFragment } from 'parse5'

type ParsedElement = DefaultTreeAdapterTypes.Element
type ParsedParent = DefaultTreeAdapterTypes.ParentNode

/** How large an article may be. */
export interface ArticleLimits {
  /** Of HTML, and of attributes that are repeated. */
  readonly characters: number
  /** Of text. */
  readonly text: number
  /** Elements, comments and attributes. */
  readonly nodes: number
}

/** The largest that is shown: pictures written out in it, as much text as "War and Peace" has. */
export const SHOWN: ArticleLimits = { characters: 20_000_000, text: 3_000_000, nodes: 50_000 }

/** Browsers put no more than some 500 elements into each other; what is nested deeper is an attack or an accident. */
const DEPTH_LIMIT = 400

/** What attributes may come to beyond their length in the text, by being repeated. */
const REPEATED_LIMIT = 1_000_000

class BeyondLimits extends Error {}

/**
 * The tree that browsers make of an article's HTML; undefined where it is larger than the limits or deeper
 * than any article.
 *
 * What is counted is what comes out, while it comes: a formatting element that is not closed is opened again in each
 * paragraph after it, so that a short text can become a tree of any size.
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

/** Builds the usual tree, and gives up where it becomes too large. */
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
    // Of `html` and `body`, which no article shows.
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

/** @param levels how many elements may be in each other */
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
