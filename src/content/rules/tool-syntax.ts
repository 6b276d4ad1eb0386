// Unsupported syntax of tools: without a preset it is text, which readers would see.
import type { Html, Nodes } from 'mdast'
import { DIALECTS } from '../../core/dialects/dialects.ts'
import { CODE_SIGN, OTHER_SIGNS, type SyntaxSign } from '../../core/dialects/syntax-signs.ts'
import type { Problem } from '../../core/model/diagnostic.ts'
import { CODE_ELEMENTS } from '../dialect/unresolved.ts'
import type { BodyView } from '../markdown/rendered-body.ts'

/**
 * Creates the visitor that reads only words, raw HTML, URLs and the first lines of diagrams; code, comments and unknown
 * nodes are blanked. Offsets are those of `body`.
 */
export function createWordVisitor(body: string) {
  const pieces: string[] = []
  let at = 0
  const show = (from: number, to: number, text = body.slice(from, to)): void => {
    if (from < at || to <= from) return
    pieces.push(space(body, at, from), text)
    at = to
  }
  const depth = { code: 0 }
  /** The depth before each open node. */
  const outer: number[] = []
  const enter = (node: Nodes): void => {
    if ('children' in node) outer.push(depth.code)
  }
  const leave = (node: Nodes): void => {
    if ('children' in node) depth.code = outer.pop() ?? 0
    const start = node.position?.start.offset
    const end = node.position?.end.offset
    if (start === undefined || end === undefined) return
    if (node.type === 'html')
      showHtml(body.slice(start, end), depth, (from, to) => show(start + from, start + to))
    else if (depth.code > 0) return
    else if (node.type === 'code' && node.lang === 'mermaid') show(start, body.indexOf('\n', start))
    else if (node.type === 'inlineCode') show(start, end, blank(body.slice(start, end), CODE_SIGN))
    else if (node.type === 'text' || node.type === 'image' || node.type === 'definition') show(start, end)
    // The text after the words is the URL.
    else if (node.type === 'link') show(node.children.at(-1)?.position?.end.offset ?? start, end)
  }
  const read = (): string => pieces.join('') + space(body, at, body.length)
  return { enter, leave, read }
}

const UNREAD = [...CODE_ELEMENTS, 'script', 'style'].join('|')
const CODE_OR_COMMENT = new RegExp(String.raw`<(\/?)(?:${UNREAD})(?![\w-])[^<>]*>|<!--[^]*?(?:-->|$)`, 'gi')

/** Keeps raw HTML without comments and code. `depth` counts the open elements. */
function showHtml(html: Html['value'], depth: { code: number }, show: (from: number, to: number) => void) {
  let from = 0
  const showUpTo = (to: number): void => {
    if (depth.code === 0) show(from, to)
  }
  for (const { 0: token, 1: slash, index } of html.matchAll(CODE_OR_COMMENT)) {
    showUpTo(index)
    if (slash !== undefined) depth.code = Math.max(0, depth.code + (slash === '/' ? -1 : 1))
    from = index + token.length
  }
  showUpTo(html.length)
}

/** Returns blanks in the place of a part of `body`, with line feeds where its first and last lines end and begin. */
function space(body: string, from: number, to: number): string {
  const first = body.indexOf('\n', from)
  if (first === -1 || first >= to) return ' '.repeat(to - from)
  const last = body.lastIndexOf('\n', to - 1)
  return ' '.repeat(first - from) + '\n'.repeat(last - first + 1) + ' '.repeat(to - last - 1)
}

/** Replaces everything except line feeds with `sign`. */
function blank(text: string, sign = ' '): string {
  if (!text.includes('\n')) return sign.repeat(text.length)
  return text
    .split('\n')
    .map((line) => sign.repeat(line.length))
    .join('\n')
}

const SIGNS = Object.values(DIALECTS).flatMap(({ signs }) => signs)

/** Text found by one sign is hidden from later ones. */
const ALL_SIGNS: readonly SyntaxSign[] = [
  ...SIGNS.filter(({ isOnce }) => isOnce !== true),
  ...OTHER_SIGNS,
  ...SIGNS.filter(({ isOnce }) => isOnce === true),
]

/** Finds unsupported syntax in words, raw HTML and URLs, but not in code. `read` is what `createWordVisitor` read. */
export function toolSyntax({ mdast, body, ranges, source }: BodyView, read: string): Problem[] {
  const problems: Problem[] = []
  let words = read
  let isFound = false
  for (const sign of ALL_SIGNS) {
    const { tool, pattern, hint, ending, isDoubtful, isOnce, fate = 'is sent as text' } = sign
    if (isDoubtful === true && !isFound) continue
    if (ending !== undefined && source?.endsWith(ending) !== true) continue
    const found = findSign(sign, words)
    isFound = found.length > 0
    for (const { 0: match, index } of isOnce === true ? found.slice(0, 1) : found) {
      const end = index + match.trimEnd().length
      problems.push({
        code: 'tool-syntax',
        ...ranges.within(mdast, index, end),
        message: `This is ${tool.endsWith(',') ? tool : `${tool},`} and ${fate}: ${shortened(body.slice(index, end))}`,
        hint,
      })
    }
    if (isFound) words = words.replaceAll(pattern, (match) => blank(match))
  }
  return problems
}

function findSign({ contains, pattern }: SyntaxSign, words: string): RegExpExecArray[] {
  return contains.some((part) => words.includes(part)) ? [...words.matchAll(pattern)] : []
}

const SHOWN = 40

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line
}
