// Blocks of Python-Markdown: an opening line, followed by content that is indented by four more columns.
import type { TextEdit } from '../text-edits.ts'
import { type FencedLine, containerLabel } from './text-lines.ts'

/** The content of an opening line. */
interface Opener {
  /** Name of the resulting container; undefined: a caption above its content. */
  readonly container: string | undefined
  readonly title: string
  readonly isOpen?: boolean
}

interface IndentedBlock extends Opener {
  readonly first: number
  last: number
  readonly indent: number
  /** Number of blocks around it. */
  readonly depth: number
  /** Levels of containers nested in it: the outer one needs more colons. */
  height: number
  /** Whether the last unindented line was a list item, so that indented lines below it are not code. */
  hasItem: boolean
}

const ITEM = /^(?:[-+*]|\d{1,9}[.)])[ \t]/

type ReadOpener = (line: string) => Opener | undefined

function findBlocks(lines: readonly FencedLine[], readOpener: ReadOpener): IndentedBlock[] {
  const found: IndentedBlock[] = []
  const open: IndentedBlock[] = []
  const page = { indent: -4, hasItem: false }
  lines.forEach(({ kind, text }, index) => {
    const written = text.trimStart()
    if (written === '') return
    const indent = columnsOf(text.slice(0, text.length - written.length))
    if (kind === 'text' || kind === 'open') while (indent < (open.at(-1)?.indent ?? -4) + 4) open.pop()
    for (const block of open) block.last = index
    if (kind !== 'text') return
    const parent = open.at(-1) ?? page
    const further = indent - parent.indent - 4
    const opener = further < 4 || parent.hasItem ? readOpener(written) : undefined
    if (further < 2) parent.hasItem = ITEM.test(written)
    if (opener === undefined) return
    const block = {
      ...opener,
      first: index,
      last: index,
      indent,
      depth: open.length,
      height: 0,
      hasItem: false,
    }
    if (opener.container !== undefined) raise(open)
    open.push(block)
    found.push(block)
  })
  return found
}

/** Adds a level to the open containers. */
function raise(open: readonly IndentedBlock[]): void {
  let height = 1
  for (const block of open.toReversed()) {
    block.height = Math.max(block.height, height)
    if (block.container !== undefined) height++
  }
}

function columnsOf(space: string): number {
  return Array.from(space).reduce(
    (columns, sign) => (sign === '\t' ? columns + 4 - (columns % 4) : columns + 1),
    0,
  )
}

/** The lines of each outermost block, by number. */
export function indentedRanges(lines: readonly FencedLine[], readOpener: ReadOpener) {
  return findBlocks(lines, readOpener)
    .filter(({ depth }) => depth === 0)
    .map(({ first, last }) => ({ first, last }))
}

/** Converts such blocks to containers and captions. */
export function indentedBlockEdits(lines: readonly FencedLine[], readOpener: ReadOpener): TextEdit[] {
  const blocks = findBlocks(lines, readOpener)
  const openers = new Map(blocks.map((block) => [block.first, block]))
  const endings = new Map<number, IndentedBlock[]>()
  // If blocks end together, the inner ones are closed first.
  for (const block of blocks.toReversed())
    endings.set(block.last, [...(endings.get(block.last) ?? []), block])
  const isBlank = (index: number) => (lines[index]?.text.trim() ?? '') === ''
  const open: IndentedBlock[] = []
  return lines.flatMap(({ text, at }, index) => {
    while (open.length > 0 && (open.at(-1)?.last ?? 0) < index) open.pop()
    const cut = prefixOf(text, 4 * open.length)
    const edits: TextEdit[] = cut === 0 ? [] : [{ from: at, to: at + cut, text: '' }]
    const block = openers.get(index)
    if (block !== undefined) {
      open.push(block)
      const indent = /^[ \t]*/.exec(text)?.[0] ?? ''
      const before = index === 0 || isBlank(index - 1) ? '' : `\n${indent.slice(cut)}`
      const after = block.container === undefined && !isBlank(index + 1) ? '\n' : ''
      const shown = `${before}${opening(block)}${after}`
      edits.push({ from: at + indent.length, to: at + text.length, text: shown })
    }
    const ending = endings.get(index) ?? []
    const end = ending.flatMap((each) => closing(each))
    const gap = ending.length === 0 || isBlank(index + 1) ? '' : '\n'
    if (end.length > 0 || gap !== '') {
      const last = at + text.length
      edits.push({ from: last, to: last, text: `${end.map((line) => `\n${line}`).join('')}${gap}` })
    }
    return edits
  })
}

/** Number of characters at the start of a line that make up `columns` columns, or all of them. */
function prefixOf(text: string, columns: number): number {
  let length = 0
  while (/[ \t]/.test(text.charAt(length)) && columnsOf(text.slice(0, length)) < columns) length++
  return length
}

function opening({ container, title, isOpen, height }: IndentedBlock): string {
  if (container === undefined) return `**${title}**`
  const label = title === '' ? '' : `[${containerLabel(title)}]`
  return `${colons(height)}${container}${label}${isOpen === true ? '{open}' : ''}`
}

function closing({ container, height, indent, depth }: IndentedBlock): string[] {
  return container === undefined ? [] : [`${' '.repeat(Math.max(0, indent - 4 * depth))}${colons(height)}`]
}

function colons(height: number): string {
  return ':'.repeat(3 + height)
}
