// A URL with a hole is never sent. During parsing, a placeholder word represents each missing value in a URL. In the
// tree, a link with such a word becomes its text; elsewhere, the word is replaced by what its author wrote.
import { digest } from '../../core/digest.ts'
import { escapeHtml } from './own-elements.ts'
import { textNode, type TreeNode } from './tree-node.ts'

/** The missing values in the URLs of one text. */
export type Holes = ReturnType<typeof createHoles>

export function createHoles(text: string) {
  let stem: string | undefined
  // No text can contain its own digest, not even with character references.
  const readStem = () => (stem ??= `kb${digest(text).slice(0, STEM_DIGITS)}h`)
  return {
    /** The original text, by its placeholder word. */
    written: new Map<string, string>(),
    wordOf: (index: number) => `${readStem()}${index}z`,
    /** Matches each placeholder word; its index is the first group. */
    pattern: () => new RegExp(`${readStem()}(\\d+)z`, 'g'),
  }
}

const STEM_DIGITS = 16

/** @returns the placeholder word for a missing value */
export function putHole({ written, wordOf }: Holes, value: string): string {
  const word = wordOf(written.size)
  written.set(word, value)
  return word
}

/** Removes all placeholder words from a tree, in place. */
export function fillHoles(root: TreeNode, holes: Holes): void {
  if (holes.written.size === 0) return
  const pattern = holes.pattern()
  const writtenFor = (word: string) => holes.written.get(word) ?? word
  const hasHole = (text = '') => [...text.matchAll(pattern)].some(([word]) => holes.written.has(word))
  const written = (text: string) => text.replace(pattern, writtenFor)
  const definitions = new Map<string, boolean>()
  const findDefinitions = ({ type, identifier = '', url, children }: TreeNode): void => {
    if (type === 'definition' && !definitions.has(identifier)) definitions.set(identifier, hasHole(url))
    children?.forEach(findDefinitions)
  }
  findDefinitions(root)
  const isLost = ({ type, url, identifier = '' }: TreeNode) =>
    type === 'definition' || !type.endsWith('Reference') ? hasHole(url) : definitions.get(identifier) === true
  const fill = (node: TreeNode): TreeNode[] => {
    if (node.children !== undefined) node.children = node.children.flatMap(fill)
    if (isLost(node)) {
      if (node.type === 'definition') return []
      return node.children ?? [textNode(written(node.alt ?? ''), node.position)]
    }
    if (node.value === undefined || !hasHole(node.value)) return [node]
    if (node.type !== 'html') return [{ ...node, value: written(node.value) }]
    const inText = node.value.replace(TAG, (tag) => (hasHole(tag) ? withoutHoles(tag, hasHole) : tag))
    return [{ ...node, value: inText.replace(pattern, (word) => escapeHtml(writtenFor(word))) }]
  }
  fill(root)
}

/** A quoted value may contain `>`. An unclosed tag also matches, so that each character is read only once. */
const TAG = /<[a-z](?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^'"<>])*>?/gi

const ATTRIBUTE = /\s+([^\s"'<>=/]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>`]+))/g

/** Removes attributes with holes from a tag. An image becomes its text. */
function withoutHoles(tag: string, hasHole: (text: string) => boolean): string {
  let alt = ''
  const kept = tag.replace(
    ATTRIBUTE,
    (whole, name: string, double?: string, single?: string, bare?: string) => {
      if (name.toLowerCase() === 'alt') alt = double ?? single ?? bare ?? ''
      return hasHole(whole) ? '' : whole
    },
  )
  return /^<img\b/i.test(tag) && !/\ssrc\s*=/i.test(kept) ? alt : kept
}
