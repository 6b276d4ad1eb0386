// Both tools let a title stand behind the name of a container, without the brackets that the directives of Markdown want.
import type { TextEdit } from './text-edits.ts'
import type { FencedLine } from './text-lines.ts'

const BEFORE = String.raw`^((?:[ \t]*>)*[ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*:{3,})`

/** `::: tip A title`, `:::tip`, `::: details A title {open}` */
const VITEPRESS = new RegExp(
  String.raw`${BEFORE}([ \t]*)([A-Za-z][\w-]*)(?:([ \t]+)(\S(?:.*[^ \t])?))?([ \t]*)$`,
)

/** `:::tip A title`: where no title follows, or one in brackets, nothing has to be done. */
const DOCUSAURUS = new RegExp(
  String.raw`${BEFORE}([ \t]*)(note|tip|info|warning|danger|caution|important|secondary|success)(?:([ \t]+)(\S(?:.*[^ \t])?))?([ \t]*)$`,
)

/** Makes directives of the lines that open a container. */
export function containerEdits(
  lines: readonly FencedLine[],
  dialect: 'docusaurus' | 'vitepress',
): readonly TextEdit[] {
  const pattern = dialect === 'vitepress' ? VITEPRESS : DOCUSAURUS
  return lines.flatMap(({ kind, text, at }) => {
    const match = kind === 'text' && text.includes(':::') ? pattern.exec(text) : null
    return match === null ? [] : lineEdits(match, at)
  })
}

function lineEdits(match: RegExpExecArray, at: number): TextEdit[] {
  const [, before = '', gap = '', name = '', space = '', written = ''] = match
  const first: TextEdit[] = gap === '' ? [] : [{ at: at + before.length, length: gap.length, text: '' }]
  if (written === '') return first
  const attributes = /(?:^|(?<![ \t])[ \t]+)(\{[^{}]*\})$/.exec(written)
  const title = written.slice(0, attributes?.index ?? written.length)
  const from = at + before.length + gap.length + name.length
  const label = title === '' ? '' : `[${labelOf(title)}]`
  const text = `${label}${/\bopen\b/.test(attributes?.[1] ?? '') ? '{open}' : ''}`
  // The brackets are put around what stays, so that places in the title are those of the file.
  if (label !== '' && label.length === title.length + 2) {
    return [
      ...first,
      { at: from, length: space.length, text: '[' },
      {
        at: from + space.length + title.length,
        length: written.length - title.length,
        text: text.slice(label.length - 1),
      },
    ]
  }
  return [...first, { at: from, length: space.length + written.length, text }]
}

/** Brackets that are no pairs would end the label. */
function labelOf(title: string): string {
  let depth = 0
  for (const char of title.replace(/\\./g, '')) {
    if (char === '[') depth++
    if (char === ']' && --depth < 0) break
  }
  return depth === 0 ? title : title.replace(/\\?[[\]]/g, (bracket) => `\\${bracket.slice(-1)}`)
}
