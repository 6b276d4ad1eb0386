// What ReadMe, Docsify, Microsoft Learn and Zola add to plain Markdown: blocks of JSON, tips, images and paths of links.
import { isRecord } from '../is-record.ts'
import { alertOf } from './jekyll-gitbook.ts'
import {
  fenceFor,
  type FencedLine,
  replace,
  type LineEdit,
  type Replacement,
  replaceInLines,
} from './text-lines.ts'
import { tryTo } from '../try-to.ts'

/** Matches every text that `readmeEdits` changes, without its lines, and each of its lines that `INLINE` changes. */
export const README_SIGN = /^\[block:|^[?!]> |:::image[ -]|\](?:\(|: ?<?)(?:docs?:|@\/)|\]\(#tab\//m

const FIRST = /^\[block:([\w-]+)\][ \t]*\r?$/
const LAST = /^\[\/block\][ \t]*\r?$/

/** Rewrites these lines as Markdown. In `rest`, the lines of blocks are code. */
export function readmeEdits(lines: readonly FencedLine[]) {
  const edits: LineEdit[] = []
  const rest = [...lines]
  let first: number | undefined
  for (const [index, { text, at, kind }] of lines.entries()) {
    if (kind === 'text' && FIRST.test(text)) first = index
    if (first === undefined || !LAST.test(text)) continue
    const [start] = lines.slice(first, first + 1)
    const [, name = ''] = FIRST.exec(start?.text ?? '') ?? []
    const inner = lines.slice(first + 1, index).map((line) => line.text)
    const data: unknown = tryTo(() => JSON.parse(inner.join('\n')), undefined)
    const shown = isRecord(data) && Object.hasOwn(BLOCKS, name) ? BLOCKS[name]?.(data) : undefined
    if (start !== undefined && shown !== undefined) {
      edits.push({ from: start.at, to: at + text.length, text: `\n${shown}\n` })
      for (let within = first; within <= index; within++)
        rest[within] = { ...(lines[within] as FencedLine), kind: 'code' }
    }
    first = undefined
  }
  const changed = rest.filter(
    ({ text }, index) => README_SIGN.test(text) && (!TIP.test(text) || startsParagraph(rest[index - 1])),
  )
  return { edits: [...edits, ...replaceInLines(changed, INLINE)], rest }
}

type Data = Readonly<Record<string, unknown>>

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const itemsOf = (value: unknown): readonly Data[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** Markdown of a block by its type; undefined if it shows nothing known. */
const BLOCKS: Readonly<Record<string, (data: Data) => string | undefined>> = {
  'api-header': ({ title }) => `## ${textOf(title)}`,
  callout: ({ type, title, body }) => {
    const words = [textOf(title) && `**${textOf(title)}**\n`, textOf(body)].filter(Boolean).join('\n')
    return [`[!${alertOf(textOf(type)) ?? 'NOTE'}]`, ...words.split('\n')]
      .map((line) => `> ${line}`)
      .join('\n')
  },
  code: ({ codes }) =>
    itemsOf(codes)
      .map(({ code, language, name }) => {
        const fence = fenceFor(textOf(code))
        const caption = textOf(name) === '' ? '' : `**${textOf(name)}**\n\n`
        return `${caption}${fence}${textOf(language).split('|')[0] ?? ''}\n${textOf(code)}\n${fence}`
      })
      .join('\n\n'),
  embed: ({ url, title }) => `[${textOf(title) || textOf(url)}](<${textOf(url)}>)`,
  html: ({ html }) => textOf(html),
  image: ({ images }) =>
    itemsOf(images)
      .map(({ image, caption, alt }) => {
        const [url, name] = Array.isArray(image) ? image : []
        return `![${textOf(alt) || textOf(caption) || textOf(name)}](<${textOf(url)}>)\n\n${textOf(caption)}`
      })
      .join('\n\n'),
  parameters: ({ data, cols, rows }) => {
    const [width, height] = [Number(cols), Number(rows)]
    if (!isRecord(data) || !(width > 0 && width <= 100 && height >= 0 && height <= 10_000)) return undefined
    const row = (key: number | string) =>
      `|${Array.from({ length: width }, (_, column) => ` ${cell(data[`${key}-${column}`])} `).join('|')}|`
    const rule = `|${' --- |'.repeat(width)}`
    return [row('h'), rule, ...Array.from({ length: height }, (_, index) => row(index))].join('\n')
  },
}

function cell(value: unknown): string {
  return textOf(value)
    .replaceAll('|', '\\|')
    .replaceAll(/\s*\n\s*/g, '<br>')
}

function startsParagraph(before: FencedLine | undefined): boolean {
  return before?.kind !== 'text' || /^\s*(?:#.*)?$/.test(before.text)
}

const TIP = /^[?!]> /

const INLINE: readonly Replacement[] = [
  [/^([?!])> /g, (match) => replace(match, `> [!${match[1] === '?' ? 'TIP' : 'IMPORTANT'}]\n> `)],
  [
    /:::image ((?:(?!:::)[^\n]){1,2000}):::/g,
    (match) => {
      const [, source] = /\bsource="([^"]+)"/.exec(match[1] ?? '') ?? []
      const [, alt = ''] = /\balt-text="([^"]*)"/.exec(match[1] ?? '') ?? []
      return source === undefined ? undefined : replace(match, `![${alt}](<${source}>)`)
    },
  ],
  [/:::image-end:::/g, (match) => replace(match, '')],
  [
    /^#{1,6}[ \t]+\[([^[\]\n]+)\]\(#tab\/[^()\n]*\)[ \t]*$/g,
    (match) => replace(match, `**${match[1] ?? ''}**`),
  ],
  // A path from the content folder.
  [/(?<=\](?:\(|: ?<?))@(?=\/[^\s()]+\.md(?:[)#>\s]|$))/g, (match) => replace(match, '')],
  [/(?<=\](?:\(|: ?<?))docs?:(?=[\w-]+(?:[)#>\s]|$))/g, (match) => replace(match, '')],
]
