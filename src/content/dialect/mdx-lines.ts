// What Docusaurus lets authors write in MDX although MDX has it not: ids of headings in braces, comments of HTML, and
// code blocks that are none.
import type { TextEdit } from './text-edits.ts'
import { countTicks, type FencedLine } from './text-lines.ts'

/** Makes MDX of it. */
export function mdxEdits(text: string, lines: readonly FencedLine[]): readonly TextEdit[] {
  return [...headingIds(lines), ...unwrappedBlocks(lines), ...comments(text, lines)]
}

const HEADING_ID = /^[\s>]*#{1,6}[ \t].*?(?<!\\)(?=\{#)/

/** Braces are expressions: with a backslash they are text, in which ids are found later. */
function headingIds(lines: readonly FencedLine[]): TextEdit[] {
  return lines.flatMap(({ kind, text, at }) => {
    const before = kind === 'text' && text.includes('{#') ? HEADING_ID.exec(text)?.[0] : undefined
    return before === undefined ? [] : [{ at: at + before.length, length: 0, text: '\\' }]
  })
}

/** Code in the language `mdx-code-block` is none: only its fences are there for other programs. */
function unwrappedBlocks(lines: readonly FencedLine[]): TextEdit[] {
  let isUnwrapped = false
  return lines.flatMap(({ kind, text, at }) => {
    if (kind === 'open') isUnwrapped = /(?<![`~])[`~]{3,}[ \t]*mdx-code-block\b/.test(text)
    const isFence = kind === 'open' || kind === 'close'
    return isFence && isUnwrapped ? [{ at, length: text.length, text: '' }] : []
  })
}

function comments(text: string, lines: readonly FencedLine[]): TextEdit[] {
  const edits: TextEdit[] = []
  let found = findComment(text, 0)
  for (const line of lines) {
    let ticks = 0
    let counted = line.at
    while (found !== undefined && found.at <= line.at + line.text.length) {
      const { at, end } = found
      ticks += countTicks(text.slice(counted, at))
      counted = at
      const inner = text.slice(at + 4, end - 3).replaceAll('*/', '* /')
      if (line.kind === 'text' && ticks % 2 === 0)
        edits.push({ at, length: end - at, text: `{/*${inner}*/}` })
      found = findComment(text, end)
    }
  }
  return edits
}

function findComment(text: string, from: number): { readonly at: number; readonly end: number } | undefined {
  const at = text.indexOf('<!--', from)
  const end = at === -1 ? -1 : text.indexOf('-->', at + 4)
  return end === -1 ? undefined : { at, end: end + 3 }
}
