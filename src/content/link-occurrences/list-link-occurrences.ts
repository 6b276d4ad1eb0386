import { parse, postprocess, preprocess } from 'micromark'
import { gfm } from 'micromark-extension-gfm'
import type { Dialect, DialectSyntax } from '../../core/dialects/dialect.ts'
import { kindIn } from '../../core/dialects/dialects.ts'
import { findInlineCode, splitLines, withoutEscapes } from '../../core/dialects/text-lines.ts'
import { addressIn, readShortcodes } from '../dialect/shortcodes/read-shortcodes.ts'
import { readIncludeComment, readSiteInclude } from '../includes/include-comment.ts'
import { appendAll } from '../../core/append-all.ts'
import { decodeMarkdown } from './decode-written-url.ts'
import { listHtmlOccurrences, type LinkOccurrence } from './link-occurrence.ts'

/** Raw HTML without the indentation and `>` of its lines. */
interface HtmlPieces {
  html: string
  /** Start of each line in `html` and in the text. */
  readonly lines: { readonly inHtml: number; readonly inText: number }[]
}

/**
 * Returns all positions in a Markdown text (without byte order mark and frontmatter) that may contain the URL of a
 * file, in text order: links, images, definitions, attributes of raw HTML, and paths of included files.
 *
 * @param dialect the tool in whose Markdown the text is written
 */
export function listLinkOccurrences(written: string, dialect?: Dialect): LinkOccurrence[] {
  const text = dialect?.text.withoutTextFences?.(written) ?? written
  const occurrences: LinkOccurrence[] = []
  const open: ('link' | 'image')[] = []
  let pieces: HtmlPieces | undefined
  for (const [side, token] of eventsOf(text, dialect)) {
    const { type } = token
    const [start, end] = [token.start.offset, token.end.offset]
    if (type === 'link' || type === 'image') {
      if (side === 'enter') open.push(type)
      else open.pop()
    } else if (type === 'htmlFlow' || type === 'htmlText') {
      if (side === 'enter') pieces = { html: '', lines: [] }
      else appendAll(occurrences, htmlOccurrences(pieces, text, type === 'htmlFlow', dialect))
    } else if (side === 'exit') continue
    else if (type === 'htmlFlowData' || type === 'htmlTextData')
      addLine(pieces, start, text.slice(start, end))
    else if (type === 'resourceDestination') {
      // The alt text of an image contains no links.
      const isWords = open.slice(0, -1).includes('image')
      if (!isWords) occurrences.push(...destination(open.at(-1) ?? 'link', text, start, end))
    } else if (type === 'definitionDestination')
      occurrences.push(...destination('definition', text, start, end))
  }
  const all = has(dialect, 'shortcodes')
    ? withShortcodes(occurrences, text, dialect)
    : [...occurrences, ...toolOccurrences(text, dialect), ...ownLinkOccurrences(text, dialect)]
  return all.toSorted((a, b) => a.start - b.start)
}

function has(dialect: Dialect | undefined, syntax: DialectSyntax): dialect is Dialect {
  return dialect?.text.syntax.includes(syntax) === true
}

/** Finds `import Part from './_part.mdx'` and `<<< ./example.js`. */
function toolOccurrences(text: string, dialect: Dialect | undefined): LinkOccurrence[] {
  const pattern = dialect?.text.includePath
  if (pattern === undefined) return []
  return splitLines(text).flatMap((line): LinkOccurrence[] => {
    const match = line.kind === 'text' ? pattern.exec(line.text) : null
    const path = match?.[1]
    if (match === null || path === undefined) return []
    const start = line.at + match[0].length - path.length
    const occurrence = { start, end: start + path.length, written: path, url: withoutEscapes(path) }
    return [{ kind: 'include', form: 'comment', isListed: false, ...occurrence }]
  })
}

/** Finds `[[path|words]]`. */
function ownLinkOccurrences(text: string, dialect: Dialect | undefined): LinkOccurrence[] {
  const pattern = dialect?.text.linkPath
  if (pattern === undefined) return []
  return splitLines(text).flatMap((line): LinkOccurrence[] => {
    if (line.kind !== 'text') return []
    const isCode = findInlineCode(line.text)
    return [...line.text.matchAll(pattern)].flatMap(({ 0: whole, 1: path = '', index }) => {
      if (path.trim() === '' || isCode(index)) return []
      const start = line.at + index + whole.length - path.length
      const kind = whole.startsWith('!') && /\.(?!md$)\w+$/.test(path) ? 'image' : 'link'
      const occurrence = { start, end: start + path.length, written: path, url: path }
      return [{ kind, form: 'comment', isListed: false, ...occurrence }]
    })
  })
}

function withShortcodes(occurrences: readonly LinkOccurrence[], text: string, dialect: Dialect) {
  const within = shortcodeOccurrences(text, dialect)
  const isApart = ({ start, end }: LinkOccurrence) =>
    !within.some((each) => start < each.end && each.start < end)
  return [...occurrences.filter(isApart), ...within]
}

/** MDX has neither: the content of components is Markdown, however far it is indented. */
const MDX = { disable: { null: ['codeIndented', 'htmlFlow'] } }

function eventsOf(text: string, dialect: Dialect | undefined) {
  const chunks = preprocess()(text, undefined, true)
  return postprocess(
    parse({ extensions: has(dialect, 'mdx') ? [gfm(), MDX] : [gfm()] })
      .document()
      .write(chunks),
  )
}

function destination(kind: LinkOccurrence['kind'], text: string, from: number, to: number): LinkOccurrence[] {
  const isAngle = text.charAt(from) === '<'
  const [start, end] = isAngle ? [from + 1, to - 1] : [from, to]
  const written = text.slice(start, end)
  if (written === '') return []
  const form = isAngle ? 'angle' : 'bare'
  return [{ kind, form, isListed: false, start, end, written, url: decodeMarkdown(written) }]
}

function addLine(pieces: HtmlPieces | undefined, inText: number, line: string): void {
  if (pieces === undefined) return
  if (pieces.lines.length > 0) pieces.html += '\n'
  pieces.lines.push({ inHtml: pieces.html.length, inText })
  pieces.html += line
}

function htmlOccurrences(
  pieces: HtmlPieces | undefined,
  text: string,
  isBlock: boolean,
  dialect: Dialect | undefined,
): LinkOccurrence[] {
  if (pieces === undefined) return []
  const { html, lines } = pieces
  const include = isBlock || has(dialect, 'mdx') ? includeIn(html, dialect) : undefined
  const occurrences = include === undefined ? listHtmlOccurrences(html) : [include]
  return occurrences.flatMap((occurrence) => {
    const line = lines.findLast(({ inHtml }) => inHtml <= occurrence.start)
    const start = occurrence.start + (line === undefined ? 0 : line.inText - line.inHtml)
    const end = start + occurrence.written.length
    // A URL with a line break has no target.
    const isWhole = text.slice(start, end) === occurrence.written && !/[\r\n]/.test(occurrence.written)
    return isWhole ? [{ ...occurrence, start, end }] : []
  })
}

function includeIn(html: string, dialect: Dialect | undefined): LinkOccurrence | undefined {
  const comment = readIncludeComment(html) ?? (has(dialect, 'snippets') ? readSiteInclude(html) : undefined)
  if (comment === undefined) return undefined
  const { path } = comment
  // `@/` is the root of the site.
  const at = comment.at + (html.startsWith(`@${path}`, comment.at) ? 1 : 0)
  const occurrence = { start: at, end: at + path.length, written: path, url: path }
  return { kind: 'include', form: 'comment', isListed: false, ...occurrence }
}

function shortcodeOccurrences(text: string, dialect: Dialect): LinkOccurrence[] {
  return readShortcodes(text).flatMap((code): LinkOccurrence[] => {
    const meant = kindIn(dialect.text.shortcodes, code.name)
    const isAddress = meant === 'address'
    if (!isAddress && meant !== 'figure') return []
    if (code.kind === 'escaped' || code.kind === 'close') return []
    const names = isAddress ? ['path', '0'] : ['src']
    return addressIn(code, names).map(({ start, end, value, isQuoted }) => ({
      kind: isAddress ? 'link' : 'image',
      form: isQuoted ? 'double-quoted' : 'unquoted',
      isListed: false,
      start,
      end,
      written: value,
      url: value,
    }))
  })
}
