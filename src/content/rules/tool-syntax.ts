// Syntax of tools that is not read here: without a preset it is text, and readers would see it.
import type { Root, Html, Nodes } from 'mdast'
import type { Problem } from '../../core/model/diagnostic.ts'
import { CODE_ELEMENTS } from '../dialect/unresolved.ts'
import type { SourcePlaces } from '../markdown/source-places.ts'

/** Stands for code among words, so that what follows it does not begin its line. */
const CODE = '\uFFFC'

/**
 * The text of a tree with white space in the place of all but its words, its raw HTML and its addresses: code, comments
 * and what nobody here knows are blank. Offsets and lines are those of `body`.
 */
function wordsAlone(tree: Root, body: string): string {
  const pieces: string[] = []
  let at = 0
  const show = (from: number, to: number, text = body.slice(from, to)): void => {
    if (from < at || to <= from) return
    pieces.push(blank(body.slice(at, from)), text)
    at = to
  }
  const depth = { code: 0 }
  const visit = (node: Nodes): void => {
    const { code } = depth
    const start = node.position?.start.offset
    const end = node.position?.end.offset
    if ('children' in node) for (const child of node.children) visit(child)
    if (node.type !== 'html') depth.code = code
    if (start === undefined || end === undefined) return
    if (node.type === 'html')
      showHtml(body.slice(start, end), depth, (from, to) => show(start + from, start + to))
    else if (code > 0) return
    else if (node.type === 'inlineCode') show(start, end, body.slice(start, end).replaceAll(/[^\n]/g, CODE))
    else if (node.type === 'text' || node.type === 'image' || node.type === 'definition') show(start, end)
    // What stands behind its words: the address.
    else if (node.type === 'link') show(node.children.at(-1)?.position?.end.offset ?? start, end)
  }
  visit(tree)
  return pieces.join('') + blank(body.slice(at))
}

const TAG_OR_COMMENT = /<(\/?)([A-Za-z][\w-]*)[^<>]*>|<!--[^]*?(?:-->|$)/g
const UNREAD = new Set([...CODE_ELEMENTS, 'script', 'style'])

/** Shows a piece of raw HTML without comments and code; `depth` goes on with what it opens and closes. */
function showHtml(
  html: Html['value'],
  depth: { code: number },
  show: (from: number, to: number) => void,
): void {
  let from = 0
  const showUpTo = (to: number): void => {
    if (depth.code === 0) show(from, to)
  }
  for (const { 0: token, 1: slash, 2: name, index } of html.matchAll(TAG_OR_COMMENT)) {
    const isCode = name !== undefined && UNREAD.has(name.toLowerCase())
    if (name !== undefined && !isCode) continue
    showUpTo(index)
    if (isCode) depth.code = Math.max(0, depth.code + (slash === '/' ? -1 : 1))
    from = index + token.length
  }
  showUpTo(html.length)
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ')
}

interface Syntax {
  readonly tool: string
  readonly pattern: RegExp
  readonly hint: string
  /** Files with this ending alone; elsewhere the words may be meant. */
  readonly ending?: string
  /** Only where the syntax before it was found: elsewhere the words may be meant. */
  readonly isDoubtful?: boolean
  /** What has it has much of it: the first place in a file says enough. */
  readonly isOnce?: boolean
  /** What becomes of it; undefined: it is sent as text. */
  readonly fate?: string
}

const ADMONITIONS =
  'abstract|attention|bug|caution|check|cite|danger|done|error|example|fail|failure|faq|help|hint|important|info|missing|' +
  'note|question|quote|snippet|success|summary|tip|tldr|todo|warning'
const BLOCKS = `${ADMONITIONS}|admonition|caption|define|details|figure-caption|html|tab|table-caption`
const KEYS =
  'alt|arrow-(?:down|left|right|up)|backspace|cmd|command|control|ctrl|delete|end|enter|esc|escape|f\\d\\d?|home|insert|meta|' +
  'option|page-(?:down|up)|shift|space|super|tab|win|windows'

const NO_PRESET = 'There is no preset for it: write it in Markdown, or turn this rule off.'
const LIQUID = 'Liquid, the template language of Jekyll and GitBook,'
const IN_MDX = {
  tool: 'MDX, as Docusaurus has it,',
  hint: "Set preset: 'docusaurus', which reads MDX, or take the file out with exclude.",
  ending: '.mdx',
}
const IN_VITEPRESS = { hint: "Set preset: 'vitepress', or write it in Markdown." }

/** What begins a line, whatever quote it is in. */
const LINE = String.raw`(?=[^\s>])(?<=^[ \t>]*)`
const END = String.raw`(?=[ \t]*$)`

const SURE_ATTRIBUTE = String.raw`[.#][A-Za-z][\w:.-]*|[A-Za-z][\w:-]*=(?:"[^"\n]*"|'[^'\n]*')`
const ATTRIBUTE = String.raw`${SURE_ATTRIBUTE}|[A-Za-z][\w:-]*=[\w./%:-]+`

function attributes(each: string): string {
  return String.raw`\{[ \t]*(?:${each})(?:[ \t]+(?:${each})){0,20}[ \t]*\}`
}

function either(...patterns: readonly string[]): RegExp {
  return new RegExp(patterns.join('|'), 'gm')
}

/** What one has found, later ones do not see. */
const SYNTAXES: readonly Syntax[] = [
  {
    ...IN_MDX,
    pattern: either(
      String.raw`${LINE}import\s+(?:[\w$*][^'"\n]*\sfrom\s*|[\w$*, ]*\{[^{}'"]{0,2000}\}\s*from\s*)?['"][^'"\n]+['"]`,
      String.raw`${LINE}export\s+(?:(?:async|class|const|default|function|let|var)\b|\{|\*).*(?:\n.*\S.*)*`,
      String.raw`\{\/\*[\s\S]*?\*\/\}`,
    ),
  },
  {
    tool: 'a shortcode of Hugo',
    pattern: /\{\{[<%].*?[>%]\}\}/g,
    hint: "Set preset: 'hugo', or write it in Markdown.",
  },
  {
    tool: LIQUID,
    pattern: either(
      String.raw`(?<!\{)\{%-?[ \t]*[a-z][\w-]*\b[^\n]{0,1000}?%\}(?!\})`,
      String.raw`\{\{-?[ \t]*(?:site|page|include|layout|post)\.[\w.]+[^{}\n]*\}\}`,
      String.raw`\{\{[^{}|\n]{1,200}\|[ \t]*(?:absolute_url|date_to_\w+|markdownify|relative_url)\b[^{}\n]*\}\}`,
    ),
    hint: NO_PRESET,
  },
  {
    tool: LIQUID,
    pattern: /(?<!\{)\{\{-?[ \t]*[a-z_][\w-]*(?:\.[\w-]+|\[[\w"'-]+\])*[ \t]*(?:\|[^{}\n]*)?-?\}\}(?!\})/gi,
    hint: NO_PRESET,
    isDoubtful: true,
  },
  {
    tool: 'syntax of MkDocs',
    pattern: either(
      String.raw`${LINE}(?:!!!|\?\?\?\+?)[ \t]+(?:(?:${ADMONITIONS})\b.*|[a-z][\w -]*"[^"\n]*")`,
      String.raw`${LINE}===[!+]?[ \t]+"[^"\n]+"`,
      String.raw`${LINE}-{1,2}8<-{1,2}(?=[ \t]+["'].*$|$)(?:[ \t]+["'].*)?`,
      String.raw`${LINE}\/{3,}[ \t]+(?:${BLOCKS})[ \t]*(?:\|.*)?$`,
      String.raw`${LINE}\[TOC\]${END}`,
      String.raw`${LINE}:::[ \t]+[A-Za-z_]\w*(?:\.\w+)+${END}`,
      String.raw`(?<![\w+])\+\+(?:(?:${KEYS})|[\w"-]{1,40}(?:\+[\w"-]{1,40})+)\+\+(?![\w+])`,
      String.raw`(?<!\w):(?:fontawesome|material|octicons|simple)-[a-z\d-]+:`,
      String.raw`\{[ \t]*\.md-[\w-]+[^{}\n]*\}`,
    ),
    hint: NO_PRESET,
  },
  {
    tool: 'an abbreviation of MkDocs or Jekyll',
    pattern: either(String.raw`${LINE}\*\[[^\]\n]+\]:[ \t]+\S.*`),
    hint: NO_PRESET,
  },
  {
    tool: 'an attribute list of MkDocs, Jekyll or Hugo',
    pattern: either(
      // The table of contents of kramdown, and names that stand for lists.
      String.raw`\{:{1,2}\/?[ \t]*[\w-]+[ \t]*\/?\}${END}`,
      String.raw`\{:[ \t]*[^{}\n]{0,200}?(?:${ATTRIBUTE})[^{}\n]{0,200}\}`,
      String.raw`(?<=[)\]${CODE}])${attributes(ATTRIBUTE)}`,
      String.raw`(?<![\w#$\\{@])${attributes(SURE_ATTRIBUTE)}${END}`,
      String.raw`(?<![#$\\{@])\{#[A-Za-z][\w-]*\}${END}`,
    ),
    hint: "For Hugo, set preset: 'hugo'. There is none for the others: write it in Markdown, or turn this rule off.",
  },
  {
    tool: 'a container of Docusaurus or VitePress',
    pattern: either(String.raw`${LINE}:{3,}[ \t]*[A-Za-z][\w-]*(?=[\s[{]|$).*`),
    hint: 'Set the preset for the tool, or write it in Markdown.',
  },
  {
    tool: 'an import of VitePress',
    pattern: either(String.raw`${LINE}<<<(?!<)[ \t]*@?[\w./-]+\.\w+.*`),
    ...IN_VITEPRESS,
  },
  {
    tool: 'the table of contents of VitePress',
    pattern: either(String.raw`${LINE}\[\[(?:toc|TOC)\]\]${END}`),
    ...IN_VITEPRESS,
  },
  {
    ...IN_MDX,
    pattern: either(
      String.raw`<\/?[A-Z][\w.]*(?=[\s/>])[^<>]*>?`,
      String.raw`<[a-z][\w-]*\s[^<>]*=\{[^<>]*>?`,
      '</?>',
    ),
    fate: 'is not read',
    isOnce: true,
  },
  {
    ...IN_MDX,
    pattern: either(String.raw`(?<![\\{=$])\{(?![%{<#])[^{}]{1,500}\}`),
    isOnce: true,
  },
]

/** Finds it in the words of a text, in raw HTML and in addresses; code shows what it likes. */
export function toolSyntax(
  mdast: Root,
  body: string,
  places: SourcePlaces,
  source: string | undefined,
): Problem[] {
  const problems: Problem[] = []
  let words = wordsAlone(mdast, body)
  let isFound = false
  for (const { tool, pattern, hint, ending, isDoubtful, isOnce, fate = 'is sent as text' } of SYNTAXES) {
    if (isDoubtful === true && !isFound) continue
    if (ending !== undefined && source?.endsWith(ending) !== true) continue
    const found = [...words.matchAll(pattern)]
    isFound = found.length > 0
    for (const { 0: match, index } of isOnce === true ? found.slice(0, 1) : found) {
      const end = index + match.trimEnd().length
      problems.push({
        code: 'tool-syntax',
        ...places.within(mdast, index, end),
        message: `This is ${tool.endsWith(',') ? tool : `${tool},`} and ${fate}: ${shortened(body.slice(index, end))}`,
        hint,
      })
    }
    if (isFound) words = words.replaceAll(pattern, (match) => match.replaceAll(/[^\n]/g, ' '))
  }
  return problems
}

const SHOWN = 40

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line
}
