import type { Blockquote, Paragraph, PhrasingContent, Root, Text } from 'mdast'
import { remark } from 'remark'
import remarkGfm from 'remark-gfm'
import type { Options } from 'remark-stringify'
import { CONTINUE, SKIP, visit } from 'unist-util-visit'

/** Ways of writing Markdown that render the same; what is left out is written our way. */
export type MarkdownStyle = Pick<
  Options,
  | 'bullet'
  | 'bulletOrdered'
  | 'closeAtx'
  | 'emphasis'
  | 'fence'
  | 'incrementListMarker'
  | 'listItemIndent'
  | 'rule'
  | 'ruleRepetition'
  | 'ruleSpaces'
  | 'setext'
  | 'strong'
>

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

/** Writes Markdown trees in GFM, one way for each thing; what is written ends in one line feed, or is empty. */
export function createMarkdownWriter(style: MarkdownStyle = {}): (tree: Root) => string {
  const usual = createProcessor(style)
  return (tree) => writeTree(tree, (prepared) => processorFor(prepared, style, usual).stringify(prepared))
}

function createProcessor(style: MarkdownStyle) {
  return remark()
    .use(remarkGfm)
    .data('settings', { ...OPTIONS, ...style })
    .freeze()
}

/** Inside of a word only a `*` marks text: there the letters around a `_` would have to be written as numbers. */
function processorFor(tree: Root, style: MarkdownStyle, usual: ReturnType<typeof createProcessor>) {
  const emphasis = style.emphasis === '_' && isWithinWord(tree, 'emphasis') ? '*' : style.emphasis
  const strong = style.strong === '_' && isWithinWord(tree, 'strong') ? '*' : style.strong
  const isUsual = emphasis === style.emphasis && strong === style.strong
  return isUsual ? usual : createProcessor({ ...style, emphasis, strong })
}

function isWithinWord(tree: Root, type: 'emphasis' | 'strong'): boolean {
  let isFound = false
  visit(tree, type, (_mark, index = 0, parent) => {
    const [before, after] = [parent?.children[index - 1], parent?.children[index + 1]]
    const isApart =
      (before === undefined || (before.type === 'text' && /[\s\p{P}]$/u.test(before.value))) &&
      (after === undefined || (after.type === 'text' && /^[\s\p{P}]/u.test(after.value)))
    isFound ||= !isApart
  })
  return isFound
}

function writeTree(tree: Root, stringify: (tree: Root) => string): string {
  dropEmptyParagraphs(tree)
  keepTagsInLine(tree)
  keepQuotes(tree)
  keepAddresses(tree)
  return (
    stringify(tree)
      // A brace is escaped already, or it stands in code, which has none of these; together they must not stay.
      .replaceAll(/\{(?=[%#])/g, '{\\')
      // At the top of a file it would open frontmatter.
      .replace(/^---(?=\r?\n|$)/, '***')
  )
}

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

/** Makes a writer for each style of which `usual` is the base, and each only once. */
export function createMarkdownWriters(
  usual: MarkdownStyle,
): (style?: MarkdownStyle) => (tree: Root) => string {
  const writers = new Map<string, (tree: Root) => string>()
  return (style) => {
    const key = JSON.stringify(style ?? {})
    const writer = writers.get(key) ?? createMarkdownWriter({ ...usual, ...style })
    writers.set(key, writer)
    return writer
  }
}
