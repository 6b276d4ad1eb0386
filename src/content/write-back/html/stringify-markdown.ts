import type { Blockquote, Paragraph, PhrasingContent, Root, Text } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkStringify, { type Options } from 'remark-stringify'
import { unified } from 'unified'
import { CONTINUE, SKIP, visit } from 'unist-util-visit'

type Unsafe = NonNullable<Options['unsafe']>[number]

// Where text of an author stands.
const TEXT: NonNullable<Unsafe['inConstruct']> = [
  'phrasing',
  'label',
  'destinationLiteral',
  'destinationRaw',
  'titleQuote',
  'titleApostrophe',
]

// Marks that site builders read before or instead of Markdown. Escaped they render as the same text.
const UNSAFE: Unsafe[] = [
  { character: '{', inConstruct: TEXT },
  { character: '%', before: '<', inConstruct: TEXT },
  { atBreak: true, character: '+', after: '\\+' },
  { atBreak: true, character: ':', after: ':' },
  { atBreak: true, character: '<', after: '<' },
  { atBreak: true, character: '@', after: '[a-z[(]' },
  { atBreak: true, character: '!', after: 'include' },
  { atBreak: true, character: 'i', after: 'mport[ \\t{*"\']' },
  { atBreak: true, character: 'e', after: 'xport[ \\t{*]' },
]

const OPTIONS: Options = {
  bullet: '-',
  // Unlike `_`, it may stand inside of a word.
  emphasis: '*',
  fences: true,
  listItemIndent: 'one',
  rule: '-',
  unsafe: UNSAFE,
}

/** Writes a Markdown tree in GFM, one way for each thing; ends in one line feed, or is empty. */
export function stringifyMarkdown(tree: Root): string {
  dropEmptyParagraphs(tree)
  keepTagsInLine(tree)
  keepQuotes(tree)
  keepAddresses(tree)
  const text = unified().use(remarkGfm).use(remarkStringify, OPTIONS).stringify(tree)
  return (
    text
      // A brace is escaped already, or it stands in code, which has none of these; together they must not stay.
      .replaceAll(/\{(?=[%#])/g, '{\\')
      // At the top of a file it would open frontmatter.
      .replace(/^---(?=\r?\n|$)/, '***')
  )
}

/** What is left where an editor put breaks between blocks. */
function dropEmptyParagraphs(tree: Root): void {
  visit(tree, 'paragraph', ({ children }: Paragraph, index, parent) => {
    if (children.length > 0 || parent === undefined || index === undefined) return CONTINUE
    parent.children.splice(index, 1)
    return index
  })
}

/** A tag alone on the first line of a paragraph would make HTML of the whole of it. */
function keepTagsInLine(tree: Root): void {
  visit(tree, 'paragraph', (paragraph: Paragraph) => {
    const at = paragraph.children.findIndex((child) => child.type !== 'html')
    const after = paragraph.children[at]
    if (at > 0 && after?.type === 'text' && !paragraphIsAlert(paragraph))
      after.value = after.value.replace(/^\s*\n/, ' ')
  })
}

const ALERT = /^\[!(?:note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i

/** A quote that begins with the text `[!NOTE]` is no alert: an invisible tag inside keeps it from becoming one. */
function keepQuotes(tree: Root): void {
  visit(tree, 'blockquote', ({ children: [paragraph] }: Blockquote) => {
    const text = paragraph?.type === 'paragraph' ? paragraph.children[0] : undefined
    if (paragraph?.type !== 'paragraph' || text?.type !== 'text' || !ALERT.test(text.value)) return
    const rest: Text = { type: 'text', value: text.value.slice(1) }
    paragraph.children.splice(0, 1, { type: 'text', value: '[' }, { type: 'html', value: '<wbr>' }, rest)
  })
}

// Between these two halves.
const ADDRESS = /(?<=https?:)(?=\/\/\S)|(?<=www)(?=\.\S)|(?<=[\w.+-])(?=@[\w-]+\.)/gi

/** An address that is no link must not become one, which escaping does not prevent: a comment cuts it in two. */
function keepAddresses(tree: Root): void {
  visit(tree, (node, index, parent) => {
    if (node.type === 'link') return SKIP
    if (node.type !== 'text' || parent === undefined || index === undefined) return CONTINUE
    const parts = node.value.split(ADDRESS)
    const cut = parts.flatMap((value, place): PhrasingContent[] => {
      const text: Text = { type: 'text', value }
      return place === 0 ? [text] : [{ type: 'html', value: '<!-- -->' }, text]
    })
    parent.children.splice(index, 1, ...cut)
    return index + cut.length
  })
}

function paragraphIsAlert({ children: [first] }: Paragraph): boolean {
  return first?.type === 'html' && first.value.startsWith('[!')
}
