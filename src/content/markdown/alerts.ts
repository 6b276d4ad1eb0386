import type { Blockquote, Nodes, Root } from 'mdast'
import remarkAdmonitions from 'remark-github-beta-blockquote-admonitions'
import { unified } from 'unified'
import { visit } from 'unist-util-visit'
import { isComment } from './mdast-to-hast.ts'

const KIND = /^\[!(note|tip|important|warning|caution)\]$/i

const MARK = /\[!(?:note|tip|important|warning|caution)\]/i

const kindOf = (title: string): string => (KIND.exec(title)?.[1] ?? '').toLowerCase()

const transform = remarkAdmonitions.call(unified(), {
  classNameMaps: {
    block: (kind) => ['markdown-alert', `markdown-alert-${kind}`],
    title: 'markdown-alert-title',
  },
  titleFilter: (title) => KIND.test(title),
  titleTextMap: (title) => {
    const kind = kindOf(title)
    return { displayTitle: kind.charAt(0).toUpperCase() + kind.slice(1), checkedTitle: kind }
  },
}) as ((tree: Root) => void) | undefined

/** Turns `> [!NOTE]` and its kin into alerts with GitHub's class names, in place; `body` is the text of `tree`. */
export function markAlerts(tree: Root, body: string): void {
  if (!MARK.test(body)) return
  const quotes = bareMarks(tree)
  transform?.(tree)
  for (const { quote, before } of quotes) Object.assign(quote, before)
}

/** Quotes with a mark and nothing else to be seen, which GitHub leaves as they are, and how they are. */
function bareMarks(tree: Root) {
  const found: { quote: Blockquote; before: Pick<Blockquote, 'children' | 'data'> }[] = []
  visit(tree, 'blockquote', (quote) => {
    const [paragraph, ...more] = quote.children
    if (paragraph?.type !== 'paragraph' || !more.every(isNothing)) return
    const [text, ...rest] = paragraph.children
    if (text?.type !== 'text' || !KIND.test(text.value.trim()) || !rest.every(isNothing)) return
    const children = [{ ...paragraph, children: [{ ...text }, ...rest] }, ...more]
    found.push({ quote, before: { children, data: quote.data } })
  })
  return found
}

/** Whether a reader sees nothing of a node where it stands. */
function isNothing(node: Nodes): boolean {
  if (node.type === 'html') return isComment(node.value)
  if (node.type === 'text') return node.value.trim() === ''
  if (node.type === 'paragraph') return node.children.every(isNothing)
  return ['definition', 'footnoteDefinition', 'break'].includes(node.type)
}
