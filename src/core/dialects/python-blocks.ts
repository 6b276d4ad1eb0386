// Blocks of Python-Markdown: an opening line, followed by content that is indented by four more columns or ends at a
// line of slashes.
import type { TextEdit } from '../text-edits.ts'
import { columnsOf, type FencedLine, containerLabel } from './text-lines.ts'

/** The parsed opening line of a block. */
interface Opener {
  /** Name of the resulting container. Undefined: the content, with a caption above it if there is one. */
  readonly container: string | undefined
  readonly title: string
  readonly isOpen?: boolean
  /** The closing line. Undefined: the content is indented. */
  readonly fence?: string
}

/** @param options the indented lines `key: value` below a line of slashes */
type ReadOpener = (line: string, options: readonly string[]) => Opener | undefined

interface Block extends Opener {
  readonly first: number
  /** Number of option lines below the first line. */
  readonly options: number
  last: number
  /** True if the block ends with its fence. */
  isClosed: boolean
  readonly indent: number
  /** Indentation of the content. */
  readonly inner: number
  /** Columns of that indentation that belong to enclosing blocks. */
  readonly cut: number
  /** Number of enclosing blocks. */
  readonly depth: number
  /** True if the last unindented line was a list item, so that the indented lines below it are not code. */
  hasItem: boolean
}

const ITEM = /^(?:[-+*]|\d{1,9}[.)])[ \t]/
const WIDTH = 4
const MOST_LEVELS = 100

function findBlocks(lines: readonly FencedLine[], readOpener: ReadOpener): Block[] {
  const found: Block[] = []
  const open: Block[] = []
  const page = { inner: 0, hasItem: false }
  let optionsEnd = -1
  lines.forEach(({ kind, text }, index) => {
    const written = text.trim()
    if (written === '') return
    const indent = indentOf(text)
    const isOption = index <= optionsEnd
    if (kind === 'text' || kind === 'open') while (indent < (open.at(-1)?.inner ?? 0)) open.pop()
    const fenced = kind === 'text' ? open.findLastIndex(({ fence }) => fence === written) : -1
    const ended = open[fenced]
    // Unclosed blocks inside it end before it.
    if (ended !== undefined) open.length = fenced + 1
    for (const block of open) block.last = index
    if (ended !== undefined) {
      ended.isClosed = true
      open.pop()
      return
    }
    if (kind !== 'text' || isOption) return
    const parent = open.at(-1) ?? page
    const further = indent - parent.inner
    const options = written.startsWith('///') ? optionsBelow(lines, index, indent) : []
    const opener = further < WIDTH || parent.hasItem ? readOpener(written, options) : undefined
    if (further < 2) parent.hasItem = ITEM.test(written)
    if (opener === undefined || open.length === MOST_LEVELS) return
    const isIndented = opener.fence === undefined
    optionsEnd = index + options.length
    const block: Block = {
      ...opener,
      first: index,
      options: options.length,
      last: index,
      isClosed: false,
      indent,
      inner: isIndented ? indent + WIDTH : indent,
      cut: WIDTH * open.filter(({ fence }) => fence === undefined).length,
      depth: open.length,
      hasItem: false,
    }
    open.push(block)
    found.push(block)
  })
  return found
}

function optionsBelow(lines: readonly FencedLine[], first: number, indent: number): string[] {
  const options: string[] = []
  for (const { text } of lines.slice(first + 1, first + 20)) {
    if (indentOf(text) < indent + WIDTH || !/^[ \t]*[a-z][\w-]*:/.test(text)) break
    options.push(text.trim())
  }
  return options
}

function indentOf(line: string): number {
  return columnsOf(/^[ \t]*/.exec(line)?.[0] ?? '')
}

/** Returns the line range of each outermost block. */
export function blockRanges(lines: readonly FencedLine[], readOpener: ReadOpener) {
  return findBlocks(lines, readOpener)
    .filter(({ depth }) => depth === 0)
    .map(({ first, last }) => ({ first, last }))
}

/** Converts these blocks to containers and captions. */
export function blockEdits(lines: readonly FencedLine[], readOpener: ReadOpener): TextEdit[] {
  const blocks = findBlocks(lines, readOpener)
  const openers = new Map(blocks.map((block) => [block.first, block]))
  const endings = new Map<number, Block[]>()
  // If blocks end at the same line, inner ones are closed first.
  for (const block of blocks.toReversed())
    endings.set(block.last, [...(endings.get(block.last) ?? []), block])
  // An outer container needs more colons than its inner ones.
  const deepest = blocks.reduce((depth, block) => Math.max(depth, block.depth), 0)
  const colonsOf = ({ depth }: Block) => ':'.repeat(3 + deepest - depth)
  const closing = (block: Block) =>
    block.container === undefined
      ? []
      : [`${' '.repeat(Math.max(0, block.indent - block.cut))}${colonsOf(block)}`]
  const isBlank = (index: number) => (lines[index]?.text.trim() ?? '') === ''
  const open: Block[] = []
  let optionsEnd = -1
  return lines.flatMap(({ text, at }, index) => {
    while (open.length > 0 && (open.at(-1)?.last ?? 0) < index) open.pop()
    const end = at + text.length
    const ending = endings.get(index) ?? []
    const closed = ending.find(({ isClosed }) => isClosed)
    const edits: TextEdit[] = []
    if (index <= optionsEnd) edits.push({ from: at, to: end, text: '' })
    else if (closed === undefined) {
      const cut = prefixOf(text, WIDTH * open.filter(({ fence }) => fence === undefined).length)
      if (cut > 0) edits.push({ from: at, to: at + cut, text: '' })
      const block = openers.get(index)
      if (block !== undefined) {
        open.push(block)
        optionsEnd = index + block.options
        const indent = /^[ \t]*/.exec(text)?.[0] ?? ''
        const before = index === 0 || isBlank(index - 1) ? '' : `\n${indent.slice(cut)}`
        const after = block.container === undefined && !isBlank(index + 1) ? '\n' : ''
        const shown = `${before}${opening(block, colonsOf(block))}${after}`
        edits.push({ from: at + indent.length, to: end, text: shown })
      }
    } else edits.push({ from: at, to: end, text: closing(closed).join('') })
    const below = ending.flatMap((block) => (block === closed ? [] : closing(block)))
    const gap = ending.length === 0 || isBlank(index + 1) ? '' : '\n'
    if (below.length > 0 || gap !== '')
      edits.push({ from: end, to: end, text: `${below.map((line) => `\n${line}`).join('')}${gap}` })
    return edits
  })
}

/** Returns the number of leading characters that span `columns` columns, or of all leading white space if shorter. */
function prefixOf(text: string, columns: number): number {
  let length = 0
  while (/[ \t]/.test(text.charAt(length)) && columnsOf(text.slice(0, length)) < columns) length++
  return length
}

function opening({ container, title, isOpen }: Block, colons: string): string {
  if (container === undefined) return title === '' ? '' : `**${title}**`
  const label = title === '' ? '' : `[${containerLabel(title)}]`
  return `${colons}${container}${label}${isOpen === true ? '{open}' : ''}`
}
