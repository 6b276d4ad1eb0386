// What Jekyll and GitBook add to plain Markdown: kramdown's attribute lists `{: .class}`, and blocks of Liquid such as
// hints. Other Liquid is code. Containers such as `::: tip` become the same, and directives of MyST and Quarto.
import { basename } from 'node:path'
import {
  columnsOf,
  fenceFor,
  type FencedLine,
  replace,
  type LineEdit,
  type Replacement,
  replaceInLines,
  splitLines,
} from './text-lines.ts'

const ONE = String.raw`(?:(?:[.#][\w:-]+)+|[\w:-]+=(?:"[^"\n]*"|'[^'\n]*'|[\w./%:-]+))`
const LIST = String.raw`\{(?::[ \t]*${ONE}|[.#][\w:-]+)(?:[ \t]+${ONE})*[ \t]*\}`
const LIST_LINE = new RegExp(String.raw`^[ \t>]*(${LIST})[ \t]*$`)
const CONTENTS = /^[ \t>]*\{:{1,2}[ \t]*toc\b[^{}\n]*\}[ \t]*$/
const ITEM = /^[ \t>]*(?:[-+*]|\d{1,9}[.)])[ \t]/
const ITEM_START = /^[ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]+/
/** Matches the first line of a block that is no paragraph or quote. */
const NO_PARAGRAPH = /^[ \t]*(?:[-+*][ \t]|\d{1,9}[.)][ \t]|#|\||<|`{3}|~{3}|={2}|-{2}|!\[)/

/** Maps class names of common themes, and styles of hints, to GitHub alerts. */
const ALERTS: Readonly<Record<string, string>> = {
  note: 'NOTE',
  info: 'NOTE',
  highlight: 'NOTE',
  new: 'NOTE',
  tip: 'TIP',
  success: 'TIP',
  important: 'IMPORTANT',
  warning: 'WARNING',
  caution: 'CAUTION',
  danger: 'CAUTION',
}

/** Elements with the attribute `markdown`. */
export const MARKDOWN_IN_HTML: readonly Replacement[] = [
  // Blank lines make the content of an element Markdown. The indentation belongs to the blocks around it.
  [
    /<(?<=^[ \t]*<)[a-z][\w-]*(?:[ \t][^<>]{0,300})?[ \t]markdown(?:=(?:"\w+"|\w+))?(?=[ \t>])[^<>]*>[ \t]*$/g,
    (match) => replace(match, `${match[0].replace(/[ \t]markdown(?:=(?:"\w+"|\w+))?(?=[ \t>])/, '')}\n`),
  ],
  [
    /<(?<=^[ \t]*<)\/(?:div|section|figure|details|aside|center)>[ \t]*$/g,
    (match) => replace(match, `\n${match[0].trim()}\n`),
  ],
  [/(?<=<[a-z][^<>\n]{0,300})[ \t]markdown(?:=(?:"\w+"|\w+))?(?=[ \t/>])/g, (match) => replace(match, '')],
]

const IN_HTML = /<[a-z][\w-]*[ \t][^<>]{0,300}(?<=[ \t])markdown(?:=|[ \t>])/

/** Lines that belong together. */
interface Block {
  readonly first: number
  readonly last: number
  readonly edits: readonly LineEdit[]
}

function findBlocks(written: readonly FencedLine[]) {
  const lines = withIndentedCode(withTextOfDirectives(written))
  const code = codeBlocks(lines)
  const text = asCode(
    lines,
    code.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, index) => first + index)),
  )
  const found = [...hints(text), ...containers(text), ...codeDirectives(text)]
  // A paragraph ends where a block begins or ends.
  const rest = asCode(
    text,
    found.flatMap(({ first, last }) => [first, last]),
  )
  return { blocks: [...code, ...found, ...attributeLines(rest)], rest }
}

function asCode(lines: readonly FencedLine[], indexes: readonly number[]): readonly FencedLine[] {
  const within = new Set(indexes)
  return lines.map((line, index) => (within.has(index) ? { ...line, kind: 'code' } : line))
}

/** Marks indented code, which `splitLines` does not find, because its lines may belong to list items. */
function withIndentedCode(lines: readonly FencedLine[]): readonly FencedLine[] {
  const open: number[] = []
  let isBegun = false
  return lines.map((line) => {
    const { kind, text } = line
    if (!(kind === 'text' || kind === 'open') || text.trim() === '') {
      isBegun = false
      return line
    }
    const columns = columnsOf(/^[ \t]*/.exec(text)?.[0] ?? '')
    while ((open.at(-1) ?? 0) > columns) open.pop()
    if (!isBegun && columns >= (open.at(-1) ?? 0) + 4) return { ...line, kind: 'code' }
    const item = ITEM_START.exec(text)?.[0]
    if (item !== undefined) open.push(columnsOf(item))
    isBegun = kind === 'text'
    return line
  })
}

/** Returns the line ranges of blocks and of lists with what they belong to. */
export function liquidRanges(lines: readonly FencedLine[]) {
  return findBlocks(lines)
    .blocks.map(({ first, last }) => ({ first, last }))
    .toSorted((one, other) => one.first - other.first)
}

/** Matches every text that `liquidEdits` changes, without its lines. */
export const LIQUID_SIGN =
  /\{[ \t]*[%:{#.]|\[#|[ \t]=\d*(?:x\d*)?\)|<[a-z][^<>]{0,400}[ \t]markdown|^[ \t>]*(?:::|\[![A-Za-z]+\][ \t]|\[prism|`{3,9}[ \t]*\{)|:br\b/m

/** The same for the lines of such a text that are not code, and for links of a wiki. */
const SIGN_OUTSIDE_CODE = new RegExp(String.raw`${LIQUID_SIGN.source}|[{]|\[\[`)

/** Matches every line that `INLINE`, `MARKDOWN_IN_HTML` or a link of a wiki changes. */
const INLINE_SIGN = /[{]|\[[#!]|[ \t]=|:br|<\/|[ \t]markdown|\[\[/

/** Rewrites these lists and blocks as Markdown, and what `others` match outside of code. */
export function liquidEdits(
  lines: readonly FencedLine[],
  others: readonly Replacement[] = [],
): readonly LineEdit[] {
  const has = (sign: RegExp) =>
    lines.some(({ kind, text }) => (kind === 'text' || kind === 'open') && sign.test(text))
  if (!has(SIGN_OUTSIDE_CODE)) return []
  const isInHtml = has(IN_HTML)
  const { blocks, rest } = findBlocks(lines)
  const edits = blocks.flatMap((block) => block.edits)
  const taken = edits.filter(({ from, to }) => from < to).toSorted((one, other) => one.from - other.from)
  let next = 0
  const isFree = ({ at, text }: FencedLine) => {
    while ((taken[next]?.to ?? Infinity) <= at) next++
    return (taken[next]?.from ?? Infinity) >= at + text.length
  }
  const changed = rest.filter((line) => INLINE_SIGN.test(line.text) && isFree(line))
  return [...edits, ...replaceInLines(changed, [...(isInHtml ? MARKDOWN_IN_HTML : []), ...INLINE, ...others])]
}

const tag = (names: string) =>
  new RegExp(
    String.raw`^([ \t>]*)(?:\{%-?[ \t]*endraw[ \t]*-?%\})?\{%-?[ \t]*${names}\b([^%\n]*)%\}(?:\{%-?[ \t]*raw[ \t]*-?%\})?[ \t]*$`,
  )

/** Code and other texts that are not Markdown, by their first and last lines. */
const VERBATIM = [
  { first: tag('highlight'), last: tag('endhighlight'), isCode: true, isShown: true },
  { first: tag('(?:raw|verbatim)'), last: tag('end(?:raw|verbatim)'), isCode: false, isShown: true },
  // A shortcode of Grav.
  {
    first: /^([ \t>]*)\[prism\b([^\]\n]*)\][ \t]*$/,
    last: /^[ \t>]*\[\/prism\][ \t]*$/,
    isCode: true,
    isShown: true,
  },
  { first: tag('comment'), last: tag('endcomment'), isCode: false, isShown: false },
]

const LANGUAGE = /^[ \t]*(?![\w-]+=)[\w+#-]+|(?<=\blanguage-)[\w+#-]+/

function codeBlocks(lines: readonly FencedLine[]): Block[] {
  const blocks: Block[] = []
  const find = createFindEnd(lines)
  for (let first = 0; first < lines.length; first++) {
    const { text, at, kind } = lines[first] as FencedLine
    const form = kind === 'text' ? VERBATIM.find((each) => each.first.test(text)) : undefined
    const last = form && find(form.last, first)
    if (form === undefined || last === undefined) continue
    const [, before = '', rest = ''] = form.first.exec(text) ?? []
    const { at: end, text: final } = lines[last] as FencedLine
    const code = lines.slice(first + 1, last).map((line) => line.text)
    const marks = form.isCode ? before + fenceFor(code.join('\n')) : ''
    const language = form.isCode ? (LANGUAGE.exec(rest)?.[0].trim() ?? '') : ''
    const edits = form.isShown
      ? [
          { from: at, to: at + text.length, text: marks + language },
          { from: end, to: end + final.length, text: marks },
        ]
      : [{ from: at, to: end + final.length, text: '' }]
    blocks.push({ first, last, edits })
    first = last
  }
  return blocks
}

/** Finds the next line that matches a pattern. A pattern without a match is not searched again. */
function createFindEnd(lines: readonly FencedLine[]) {
  const missing = new Set<string>()
  return (pattern: RegExp, first: number, kind: FencedLine['kind'] = 'text'): number | undefined => {
    if (missing.has(pattern.source)) return undefined
    for (let index = first + 1; index < lines.length; index++)
      if (lines[index]?.kind === kind && pattern.test(lines[index]?.text ?? '')) return index
    missing.add(pattern.source)
    return undefined
  }
}

const HINT_NAMES = `hint|callout|alert|${Object.keys(ALERTS).join('|')}`
const HINT = tag(`(${HINT_NAMES})`)

/** `{% hint style="info" %}` or `{% note %}`, up to `{% endhint %}` or `{% endnote %}` */
function hints(lines: readonly FencedLine[]): Block[] {
  const blocks: Block[] = []
  const find = createFindEnd(lines)
  for (let first = 0; first < lines.length; first++) {
    const { kind, text, at } = lines[first] as FencedLine
    const [, indent = '', name, options = ''] = (kind === 'text' && HINT.exec(text)) || []
    const last = name === undefined ? undefined : find(tag(`end${name}`), first)
    if (name === undefined || last === undefined) continue
    const { at: end, text: final } = lines[last] as FencedLine
    const edits = [
      { from: at + indent.length, to: at + text.length, text: hintMark(name, options) },
      ...lines.slice(first + 1, last).flatMap((line) => quoted(line, indent)),
      { from: end + indentOf(final), to: end + final.length, text: '' },
    ]
    blocks.push({ first, last, edits })
    first = last
  }
  return blocks
}

function hintMark(name: string, options: string): string {
  const style = /^(?:[^"]*style=)?[ \t"]*(\w+)/.exec(options)?.[1] ?? name
  return `> [!${alertOf(style) ?? 'NOTE'}]`
}

/** `{% alert info %}Text{% endalert %}` */
const HINT_LINE = new RegExp(
  String.raw`^([ \t>]*)(\{%-?[ \t]*(${HINT_NAMES})\b([^%\n]*)%\})[ \t]*(?=[^\s{])[^\n]*?(\{%-?[ \t]*end\3[ \t]*-?%\})[ \t]*$`,
  'g',
)

function hintLine([whole, indent = '', first = '', name = '', options = '', last = '']: RegExpExecArray) {
  const end = whole.lastIndexOf(last)
  return [
    {
      from: indent.length,
      to: indent.length + first.length,
      text: `${hintMark(name, options)}\n${indent}> `,
    },
    { from: end, to: whole.length, text: `\n${indent}` },
  ]
}

/** `::: tip A title`, also with more colons or, as in Nuxt Content, with two, up to a line with as many. */
const CONTAINER = new RegExp(
  String.raw`^([ \t>]*)(:{2,9})(?:(?<=:::)[ \t]*)?(code-group|code-tabs|details|${Object.keys(ALERTS).join('|')})(?=[ \t[{]|$)(.*)$`,
)

/** The names of directives that are alerts. */
const ADMONITIONS: Readonly<Record<string, string>> = {
  ...ALERTS,
  admonition: 'NOTE',
  seealso: 'NOTE',
  hint: 'TIP',
  attention: 'WARNING',
  error: 'CAUTION',
}

/** `:::{note} A title` or, as code, with backticks; and `::: {.callout-note title="A title"}` */
const DIRECTIVE = new RegExp(
  String.raw`^([ \t>]*)(:{3,9}|${'`'}{3,9})[ \t]*\{(?:#[\w:-]+[ \t]+)?(?:\.callout-)?(${Object.keys(ADMONITIONS).join('|')})(?=[ \t}])([^{}]*)\}(.*)$`,
)

/** Returns the parts of the first line of a directive, like those of `CONTAINER`. */
function directiveOf({ kind, text }: FencedLine): string[] {
  const [whole, indent = '', fence = '', name = '', attributes = '', rest = ''] = DIRECTIVE.exec(text) ?? []
  if (whole === undefined || kind !== (fence.startsWith(':') ? 'text' : 'open')) return []
  return [whole, indent, fence, name, /(?<=\btitle=")[^"]*/.exec(attributes)?.[0] ?? rest]
}

/** Finds directives with backticks, which are fences. */
function fencedDirectives(lines: readonly FencedLine[]) {
  const find = createFindEnd(lines)
  return lines.flatMap((line, first) => {
    const [, , fence] = directiveOf(line)
    const last = fence?.startsWith('`') === true ? find(endOf(fence), first, 'close') : undefined
    return last === undefined ? [] : [{ first, last }]
  })
}

/** Splits their text into lines like any other text. */
function withTextOfDirectives(lines: readonly FencedLine[]): readonly FencedLine[] {
  const all = [...lines]
  for (const { first, last } of fencedDirectives(lines)) {
    const inner = lines.slice(first + 1, last)
    const split = withTextOfDirectives(splitLines(inner.map(({ text }) => text).join('\n'), false))
    for (const [index, line] of inner.entries())
      all[first + 1 + index] = { ...line, kind: split[index]?.kind ?? 'text' }
  }
  return all
}

/** Writes them as directives with colons, for parsers that only need positions. */
export function directivesAsContainers(text: string): string {
  if (!/`{3,9}[ \t]*\{/.test(text)) return text
  const lines = withTextOfDirectives(splitLines(text.replaceAll('\r', ' '), false))
  const fences = new Set(fencedDirectives(lines).flatMap(({ first, last }) => [first, last]))
  const written = text.split('\n')
  return written.map((line, index) => (fences.has(index) ? line.replaceAll('`', ':') : line)).join('\n')
}

/** Matches an option of a directive, on a line below the first one. */
const OPTION = /^[ \t>]*:[\w-]+:(?:[ \t]|$)/

/** Returns the index of the first line of the text of a directive, below its options, which may also be YAML. */
function textStartOf(lines: readonly FencedLine[], first: number, last: number): number {
  const isRule = ({ text }: FencedLine) => /^[ \t>]*---[ \t]*$/.test(text)
  const [start, ...rest] = lines.slice(first, last)
  const end = start !== undefined && isRule(start) ? rest.findIndex(isRule) : -1
  if (end !== -1) return first + end + 2
  const count = [start, ...rest].findIndex((line) => line === undefined || !OPTION.test(line.text))
  return count === -1 ? last : first + count
}

const CODE_DIRECTIVE = /(?<=^[ \t>]*`{3,9})\{(?:code|code-block|code-cell|sourcecode)\}[ \t]*/

/** Reads the language of code in directives. Their options may contain text, such as a caption, and stay. */
function codeDirectives(lines: readonly FencedLine[]): Block[] {
  return lines.flatMap(({ kind, text, at }, first) => {
    const mark = kind === 'open' ? CODE_DIRECTIVE.exec(text) : null
    if (mark === null) return []
    const from = at + mark.index
    return [{ first, last: first, edits: [{ from, to: from + mark[0].length, text: '' }] }]
  })
}

/** Matches the last line of a directive with backticks, which may have more of them than the first. */
function endOf(marks: string): RegExp {
  return new RegExp(String.raw`^[ \t>]*${marks}\x60*[ \t]*$`)
}

const MOST_LEVELS = 20

/** Returns the last line of each container by its first: the next one with as many colons that belongs to no container within it. */
function endsOfColons(lines: readonly FencedLine[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>()
  const open = new Map<string, number[]>()
  for (const [index, { kind, text }] of lines.entries()) {
    const [, colons, rest = ''] =
      (kind === 'text' && /^[ \t>]*(:{2,9})[ \t]*([A-Za-z{].*)?$/.exec(text)) || []
    // Text may start with `::before`, too.
    const isText = colons === '::' && !/^(?:[\w-]+(?:[[{].*)?[ \t]*)?$/.test(rest) && !CONTAINER.test(text)
    if (colons === undefined || isText) continue
    const firsts = open.get(colons) ?? []
    open.set(colons, firsts)
    if (rest !== '') {
      firsts.push(index)
      // Each level adds a mark to all lines within it.
      if (firsts.length > MOST_LEVELS) firsts.shift()
    } else {
      const first = firsts.pop()
      if (first !== undefined) ends.set(first, index)
    }
  }
  return ends
}

function containers(lines: readonly FencedLine[]): Block[] {
  const blocks: Block[] = []
  const ends = endsOfColons(lines)
  let around: { readonly last: number; readonly column: number }[] = []
  const find = createFindEnd(lines)
  for (let first = 0; first < lines.length; first++) {
    const { kind, text, at } = lines[first] as FencedLine
    const container = kind === 'text' ? CONTAINER.exec(text) : null
    const [, indent = '', colons, name = '', rest = ''] = container ?? directiveOf(lines[first] as FencedLine)
    if (colons === undefined) continue
    const last = kind === 'open' ? find(endOf(colons), first, 'close') : ends.get(first)
    if (last === undefined) continue
    const title = rest
      .replace(/\{[^{}]*\}[ \t]*$/, '')
      .trim()
      .replace(/^\[(.*)\]$/, '$1')
    const alert = container === null ? ADMONITIONS[name] : alertOf(name)
    // A callout of Quarto has no options below its first line: there, lines of dashes are rules.
    const hasOptions = container === null && !text.includes('.callout-')
    const textStart = hasOptions ? textStartOf(lines, first + 1, last) : first + 1
    const { at: end, text: final } = lines[last] as FencedLine
    const isFolded = name === 'details'
    // Each alert around it puts its mark only before lines that are there.
    const outer = around.filter((each) => each.last > first)
    const start = (written: string) =>
      outer.reduceRight((line, { column }) => `${line.slice(0, column)}> ${line.slice(column)}`, written)
    const opening = isFolded
      ? `<details><summary>${escaped(title) || 'Details'}</summary>\n${start(indent)}`
      : ''
    const blank = `\n${start(indent)}>`
    // Dashes below the name would make it a heading.
    const isRule = /^[ \t>]*(?:-+|=+)[ \t]*$/.test(lines[textStart]?.text ?? '')
    const head = title === '' ? (isRule ? blank : '') : `${blank} **${title}**${blank}`
    const edits = [
      { from: at + indent.length, to: at + text.length, text: alert ? `> [!${alert}]${head}` : opening },
      ...lines.slice(first + 1, last).flatMap((line, index) => {
        if (name.startsWith('code-')) return captionOf(line, start)
        if (first + 1 + index < textStart)
          return { from: line.at + indent.length, to: line.at + line.text.length, text: '>' }
        return alert ? quoted(line, indent) : []
      }),
      {
        from: end + final.search(/[:`]/),
        to: end + final.length,
        text: isFolded ? `\n${start(indent)}</details>\n${start(indent)}` : '',
      },
    ]
    blocks.push({ first, last, edits })
    around = alert === undefined ? outer : [...outer, { last, column: indent.length }]
  }
  return blocks
}

function escaped(title: string): string {
  return title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** Puts the name of a block of code, as in "js [a.js]", before it. */
function captionOf({ kind, text, at }: FencedLine, start: (indent: string) => string): LineEdit[] {
  const [, name] = (kind === 'open' && /\[([^[\]]+)\]/.exec(text)) || []
  const from = at + indentOf(text)
  const line = start(text.slice(0, indentOf(text)))
  return name === undefined ? [] : [{ from, to: from, text: `**${name}**\n${line}\n${line}` }]
}

function quoted({ text, at }: FencedLine, indent: string): LineEdit[] {
  const own = text.startsWith(indent) ? indent.length : indentOf(text)
  return [{ from: at + own, to: at + own, text: own < indent.length ? `${indent.slice(own)}> ` : '> ' }]
}

function indentOf(text: string): number {
  return /^[ \t]*/.exec(text)?.[0].length ?? 0
}

/** The GitHub alert of a class name or style. */
export function alertOf(name: string): string | undefined {
  return Object.hasOwn(ALERTS, name) ? ALERTS[name] : undefined
}

/** A list on its own line belongs to the block above it, or else to the one below. */
function attributeLines(lines: readonly FencedLine[]): Block[] {
  const contents = findContents(lines)
  return lines.flatMap(({ kind, text, at }, index): Block[] => {
    if (kind !== 'text' || (contents !== undefined && contents.first <= index && index < contents.last))
      return []
    if (index === contents?.last) {
      const from = lines[contents.first]?.at ?? at
      return [{ ...contents, edits: [{ from, to: at + text.length, text: '' }] }]
    }
    const list = LIST_LINE.exec(text)?.[1]
    // Without a colon, it is text unless it directly follows a block. A table ends with an empty line.
    const isAfterTable = /^[ \t]*\|/.test(lines[index - 2]?.text ?? '')
    const follows = list?.startsWith('{:') === true || isAfterTable || lines[index - 1]?.text.trim() !== ''
    return list === undefined || !follows ? [] : [attributeLine(lines, index, list)]
  })
}

/** Finds the mark of the table of contents, with the list item that it replaces and their heading. */
function findContents(lines: readonly FencedLine[]): Omit<Block, 'edits'> | undefined {
  const last = lines.findIndex(({ kind, text }) => kind === 'text' && CONTENTS.test(text))
  if (last === -1) return undefined
  const first = ITEM.test(lines[last - 1]?.text ?? '') ? last - 1 : last
  const written = lines
    .slice(0, first)
    .findLastIndex(({ text }) => text.trim() !== '' && !LIST_LINE.test(text))
  const isHeading = /^#{2,6}[ \t]+(?:table of )?contents[ \t]*$/i.test(lines[written]?.text ?? '')
  return { first: isHeading ? written : first, last }
}

function attributeLine(lines: readonly FencedLine[], index: number, list: string): Block {
  const isText = (at: number) => lines[at]?.kind === 'text' && lines[at].text.trim() !== ''
  const alert = [...list.matchAll(/\.([\w-]+)/g)]
    .map(([, name = '']) => alertOf(name.replace(/^is-|-title$/g, '')))
    .find((each) => each !== undefined)
  let [first, last] = [index, index]
  if (isText(index - 1)) while (isText(first - 1) && !LIST_LINE.test(lines[first - 1]?.text ?? '')) first--
  else while (isText(last + 1)) last++
  const before = first === index ? undefined : lines[index - 1]
  const block = before === undefined ? lines.slice(index + 1, last + 1) : lines.slice(first, index)
  const { text, at } = lines[index] as FencedLine
  const from = before === undefined ? at : before.at + before.text.length
  const without = { from, to: at + text.length, text: '' }
  const [start] = block
  if (start === undefined || alert === undefined || NO_PARAGRAPH.test(start.text)) {
    const anchor = anchorOf(before, /#([\w:.-]+)/.exec(list)?.[1])
    return { first: before === undefined ? index : index - 1, last: index, edits: [without, ...anchor] }
  }
  const indent = /^[ \t]*/.exec(start.text)?.[0] ?? ''
  const opening = start.at + indent.length
  const head = `> [!${alert}]`
  const heading =
    before === undefined
      ? [{ ...without, text: indent + head }]
      : [without, { from: opening, to: opening, text: `${head}\n${indent}` }]
  const isQuote = /^[ \t]*>/.test(start.text)
  const edits = [...heading, ...(isQuote ? [] : block.flatMap((line) => quoted(line, indent)))]
  return { first, last, edits }
}

/** Inserts an anchor at the start of a heading. */
function anchorOf(line: FencedLine | undefined, id: string | undefined): LineEdit[] {
  const [marks] = /^#{1,6}[ \t]+/.exec(line?.text ?? '') ?? []
  if (line === undefined || marks === undefined || id === undefined) return []
  const at = line.at + marks.length
  return [{ from: at, to: at, text: `<a id="${id}"></a>` }]
}

function readAnchor(match: RegExpExecArray): LineEdit[] | undefined {
  const [marks] = /^#{1,6}[ \t]+/.exec(match.input) ?? []
  if (marks === undefined || match.index < marks.length) return undefined
  return [{ from: marks.length, to: marks.length, text: `<a id="${match[1]}"></a>` }, ...replace(match, '')]
}

/**
 * True directly after an element, in a heading or at the start of a list item. Elsewhere it is text, and is reported. Without
 * a colon, it must end the heading.
 */
function isListOfElement({ 0: list, index, input }: RegExpExecArray): boolean {
  const before = input.slice(Math.max(0, index - 2), index)
  const [item = ''] = ITEM_START.exec(input) ?? []
  const hasColon = list.startsWith('{:')
  const endsLine = input.slice(index + list.length).trim() === ''
  return (
    /[)\]*_`>][ \t]?$/.test(before) ||
    (item.length === index && (hasColon || item !== '')) ||
    (/^[ \t]*#/.test(input) && !before.endsWith('\\') && (hasColon || endsLine))
  )
}

const tagLines = (names: string) =>
  new RegExp(String.raw`^[ \t>]*\{%-?[ \t]*(?:${names})\b(?:[^%\n]|%(?!\}))*%\}[ \t]*$`, 'g')

/** Returns the name of a page in a path, such as "Get started" of `guide/get-started.md`. */
function nameOf(path: string): string {
  const [, name = path] = /(?<![^/])([^/]+?)(?:\/(?:README\.md)?|\.md)?$/.exec(path) ?? []
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll(/[-_]/g, ' ')
}

const INLINE: readonly Replacement[] = [
  [HINT_LINE, hintLine],
  // Docsify needs no line break after the mark of an alert.
  [
    /(?<=^[ \t>]*>[ \t]?\[!(?:note|tip|important|warning|caution)\])[ \t]+(?=\S)/gi,
    (match) => replace(match, `\n${match.input.slice(0, match.input.indexOf('['))}`),
  ],
  // The anchor of a heading, and that of MDX, `[#id]`.
  [/(?<![ \t])[ \t]*\{:?[ \t]*#([\w:.-]+)[ \t]*\}[ \t]*$/g, readAnchor],
  [/(?<![ \t])[ \t]+\[#(\p{L}[\p{L}\p{N}_.-]*)\][ \t]*$/gu, readAnchor],
  // Double braces are a template.
  [
    new RegExp(String.raw`(?<!\{)${LIST}(?!\})`, 'g'),
    (match) => (isListOfElement(match) ? replace(match, '') : undefined),
  ],
  [
    tagLines('(?:end)?(?:tabs|stepper|step|columns?|content-ref|updates?)|end(?:tab|code|embed|file)'),
    (match) => replace(match, ''),
  ],
  [
    tagLines('tab|code'),
    (match) => {
      const title = /title="([^"\n]*)"/.exec(match[0])?.[1] ?? ''
      return replace(match, title === '' ? '' : `**${title.trim()}**\n`)
    },
  ],
  [
    /\{%-?[ \t]*embed[ \t]+url="(https?:[^"\s<>]+)"[^%\n]*%\}/g,
    (match) => replace(match, `<${match[1] ?? ''}>`),
  ],
  [
    /\{%-?[ \t]*file[ \t]+src="([^"<>\n]+)"[^%\n]*%\}/g,
    (match) => replace(match, `[${basename(match[1] ?? '')}](<${match[1] ?? ''}>)\n`),
  ],
  // A link with the name of its page.
  [
    /\{%-?[ \t]*page-ref[ \t]+page="([^"\s<>[\]]+)"[ \t]*-?%\}/g,
    (match) => replace(match, `[${nameOf(match[1] ?? '')}](<${match[1] ?? ''}>)`),
  ],
  [/\{%-?[ \t]*link[ \t]+([^\s%]+)[ \t]*-?%\}/g, (match) => replace(match, `/${match[1] ?? ''}`)],
  // The size of an image in Wiki.js.
  [
    /(?<=!\[[^[\]\n]{0,300}\]\([^()\s]{1,500})[ \t]+=(?=[\dx])\d*(?:x\d*)?(?=\))/g,
    (match) => replace(match, ''),
  ],
  // A line break of Nuxt Content.
  [/(?<![\w:]):br(?![\w:-])/g, (match) => replace(match, '<br>')],
  [/\{%-?[ \t]*(?:end)?raw[ \t]*-?%\}/g, (match) => replace(match, '')],
  // At the start of a URL only: a command would have a hole.
  [
    /(?<=[("'<]|\]:[ \t]{0,9})(?:\{\{-?[ \t]*site\.(?:base)?url[ \t]*-?\}\})+(?=\/)/g,
    (match) => replace(match, ''),
  ],
  // The version of the documents, up to which a path leads to their folder, as in Laravel.
  [/(?<=\]\()(?:\/[\w.-]+)*\/\{\{[ \t]*(?:\w+\.)?version[ \t]*\}\}(?=\/)/g, (match) => replace(match, '')],
  [
    /\{\{-?[ \t]*["']([^"'{}\n]*)["'][ \t]*\|[ \t]*(?:relative|absolute)_url[ \t]*-?\}\}/g,
    (match) => replace(match, match[1] ?? ''),
  ],
]
