import type { Blockquote, Paragraph, PhrasingContent, Root, Text } from 'mdast'
import { remark } from 'remark'
import remarkGfm from 'remark-gfm'
import type { Options } from 'remark-stringify'
import { CONTINUE, SKIP, visit } from 'unist-util-visit'

/** Options of Markdown syntax that do not affect the rendering. The default is our own style. */
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

// Constructs that contain an author's text.
const TEXT: NonNullable<Unsafe['inConstruct']> = [
  'phrasing',
  'label',
  'destinationLiteral',
  'destinationRaw',
  'titleQuote',
  'titleApostrophe',
]

// Characters that site builders interpret before or instead of Markdown. Escaped, they render the same.
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
  // Unlike `_`, `*` works inside a word.
  emphasis: '*',
  fences: true,
  listItemIndent: 'one',
  rule: '-',
  unsafe: UNSAFE,
}

/**
 * Returns a function that writes Markdown trees as GFM in a uniform style. Only an empty text has no final line feed.
 */
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

/** Inside a word, only `*` works as a mark: with `_`, adjacent letters would be written as character references. */
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
      // The brace is already escaped, or it is in code, which contains neither. Together they would be a template tag.
      .replaceAll(/\{(?=[%#])/g, '{\\')
      // At the start of a file, it would open frontmatter.
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

/** A tag alone on the first line would turn the whole paragraph into HTML. */
function keepTagsInLine(tree: Root): void {
  visit(tree, 'paragraph', (paragraph: Paragraph) => {
    const at = paragraph.children.findIndex((child) => child.type !== 'html')
    const after = paragraph.children[at]
    if (at > 0 && after?.type === 'text' && !paragraphIsAlert(paragraph))
      after.value = after.value.replace(/^\s*\n/, ' ')
  })
}

const ALERT = /^\[!(?:note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i

/** Inserts an invisible tag into a quote that starts with the text `[!NOTE]`, so that it does not become an alert. */
function keepQuotes(tree: Root): void {
  visit(tree, 'blockquote', ({ children: [paragraph] }: Blockquote) => {
    const text = paragraph?.type === 'paragraph' ? paragraph.children[0] : undefined
    if (paragraph?.type !== 'paragraph' || text?.type !== 'text' || !ALERT.test(text.value)) return
    const rest: Text = { type: 'text', value: text.value.slice(1) }
    paragraph.children.splice(0, 1, { type: 'text', value: '[' }, { type: 'html', value: '<wbr>' }, rest)
  })
}

// The position between these two parts.
const ADDRESS = /(?<=https?:)(?=\/\/\S)|(?<=www)(?=\.\S)|(?<=[\w.+-])(?=@[\w-]+\.)/gi

/** Inserts a comment into a URL that is not a link, so that it does not become one. Escaping does not prevent that. */
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

/** Returns a function that creates one writer per style. `usual` are the defaults. */
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
