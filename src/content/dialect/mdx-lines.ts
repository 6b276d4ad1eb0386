// What Docusaurus lets authors write in MDX although MDX has it not: ids of headings in braces, comments of HTML, and
// code blocks that are none.
import type { TextEdit } from './text-edits.ts'
import { isInCode, type TextLine } from './text-lines.ts'

/** Makes MDX of it. */
export function mdxEdits(text: string, lines: readonly TextLine[]): readonly TextEdit[] {
  return [...headingIds(lines), ...unwrappedBlocks(lines), ...comments(text, lines)]
}

const HEADING_ID = /^[\s>]*#{1,6}[ \t].*?(?<!\\)(?=\{#)/

/** Braces are expressions: with a backslash they are text, in which ids are found later. */
function headingIds(lines: readonly TextLine[]): TextEdit[] {
  return lines.flatMap(({ kind, text, at }) => {
    const before = kind === 'text' && text.includes('{#') ? HEADING_ID.exec(text)?.[0] : undefined
    return before === undefined ? [] : [{ at: at + before.length, length: 0, text: '\\' }]
  })
}

/** Code in the language `mdx-code-block` is none: only its fences are there for other programs. */
function unwrappedBlocks(lines: readonly TextLine[]): TextEdit[] {
  let isUnwrapped = false
  return lines.flatMap(({ kind, text, at }) => {
    if (kind === 'open') isUnwrapped = /[`~]{3,}[ \t]*mdx-code-block\b/.test(text)
    const isFence = kind === 'open' || kind === 'close'
    return isFence && isUnwrapped ? [{ at, length: text.length, text: '' }] : []
  })
}

const COMMENT = /<!--([\s\S]*?)-->/g

function comments(text: string, lines: readonly TextLine[]): TextEdit[] {
  if (!text.includes('<!--')) return []
  return [...text.matchAll(COMMENT)].flatMap(({ index, 0: whole, 1: inner = '' }) => {
    const line = lines.findLast(({ at }) => at <= index)
    if (line === undefined || line.kind !== 'text' || isInCode(line.text.slice(0, index - line.at))) return []
    return [{ at: index, length: whole.length, text: `{/*${inner.replaceAll('*/', '* /')}*/}` }]
  })
}
