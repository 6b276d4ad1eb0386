import type { ElementContent } from 'hast'
import { removeMarkers } from '../../core/model/marker.ts'
import type { WriteAlert } from '../../core/dialects/dialect.ts'
import { dialectOf, type PresetName, kindIn } from '../../core/dialects/dialects.ts'
import { splitLines } from '../../core/dialects/text-lines.ts'
import { projectionOf } from '../../sync/remote/to-remote.ts'
import { digest } from '../../core/digest.ts'
import { createSchema } from '../../content/markdown/allow-schema.ts'
import type { FrontmatterFiles } from '../../content/preset/frontmatter-files.ts'
import type { RenderMarkdown } from '../../content/markdown/create-renderer.ts'
import type { MarkdownOptions, RenderedBody, Slot } from '../../content/markdown/rendered-body.ts'
import {
  arrangePieces,
  type Piece,
  sortSilent,
  takeNotes,
  type ComposeContext,
  composeBody,
} from './compose-body.ts'
import { findStyle, type ListContext } from './file-style.ts'
import { prepareHtml, treeToMarkdown } from '../../content/from-html/html-to-markdown.ts'
import {
  type MarkdownStyle,
  createMarkdownWriters,
  createMarkdownWriter,
} from '../../content/from-html/stringify-markdown.ts'
import { createSourceKeeper, type KeepContext, writtenGroup, ownSyntaxOf, spliceText } from './keep-source.ts'
import { findLostParts } from './lost-parts.ts'
import { joinInline, matchBlocks } from './match-blocks.ts'
import type { LinkOf } from '../../content/from-html/html-addresses.ts'
import {
  topNodes,
  dropInnerMarks,
  findBlocks,
  groupNodes,
  separateBlocks,
  type SourceBlock,
} from './source-blocks.ts'
import { lineEndOf, splitFile } from '../../content/write-back/split-file.ts'
import { escapeAttribute, joinTemplate, readUrls } from '../../content/markdown/slot-template.ts'
import { readableUrl } from '../../core/parse-url.ts'
import { readShortcodes } from '../../content/dialect/shortcodes/read-shortcodes.ts'
import { linkOf as shortcodeAddress } from '../../content/dialect/shortcodes/shown-shortcodes.ts'

interface MergeOptions {
  /** The title in the file; an equal first heading is not sent. */
  readonly title: string
  /** The new title, to which such a heading is changed. */
  readonly newTitle: string
  /** The HTML on the target, with or without a marker. */
  readonly html: string
  /** The HTML that is sent for the current file, which shows how the author's links are resolved. */
  readonly sentHtml: string
  readonly linkOf: LinkOf
  readonly render: RenderMarkdown
  readonly allow: MarkdownOptions['allow']
  /** The tool whose Markdown is preserved as far as possible. */
  readonly dialect?: MarkdownOptions['dialect']
  /** Reads frontmatter in a format other than our own. */
  readonly files?: Pick<FrontmatterFiles, 'split'> | undefined
}

export interface MergedFile {
  readonly text: string
  /** Descriptions of the parts that could not be preserved. Readers would not notice all of them, such as scripts. */
  readonly lost: readonly string[]
}

/**
 * Merges the HTML of the target into the body of a file, given as its whole text. Equal blocks keep the author's text
 * byte-identical, with the comments and definitions among them; the others are rewritten. With a dialect, these keep as
 * much of the author's wording as the text of the target allows.
 */
export function mergeBody(text: string, options: MergeOptions): MergedFile {
  const { title, newTitle, render, sentHtml, allow, dialect } = options
  const { head, body: old } = splitFile(text, options.files)
  const eol = lineEndOf(old, text)
  const body = newTitle === title ? old : retitle(old, options, eol)
  const html = removeMarkers(options.html)
  const edited = projectionOf(html)
  if (projectionOf(sentHtml) === edited) return { text: head + body, lost: [] }
  const links = createLinkSpelling(renderPart(old, title, render), sentHtml, options.linkOf)
  const toolLinks = createToolLinks(old, dialect, `kbown${digest(old)}`)
  const context: MergeContext = { body, eol, html, title: newTitle, links, toolLinks, render, allow, dialect }
  const isExact = (each: string): boolean =>
    projectionOf(links.resolve(renderPart(each, newTitle, render))) === edited
  const lost = findLostParts(html, createSchema(allow))
  const { plain, kept = plain } = mergeBlocks(context)
  const best = [kept, plain].find(({ body: each }) => isExact(each)) ?? kept
  return { text: head + best.body, lost: [...lost, ...lostSyntax(best, dialect)] }
}

/** Returns the body with the new title in the heading that repeats the old one. */
function retitle(body: string, { title, newTitle, render, dialect }: MergeOptions, eol: string): string {
  const blocks = findBlocks(body, dialect)
  const index = findTitle(body, blocks, title, render)
  const heading = blocks[index]
  if (heading === undefined) return body
  const style = styleOf(body, blocks)
  const withHeading = (written: string): string =>
    body.slice(0, heading.from) + written.replaceAll('\n', eol) + body.slice(heading.to)
  const written = writeTitle(newTitle, style)
  const plain = withHeading(written)
  if (dialect === undefined) return plain
  const source = body.slice(heading.from, heading.to).replaceAll('\r\n', '\n')
  const kept = withHeading(spliceText(source, writeTitle(title, style), written))
  return findTitle(kept, findBlocks(kept, dialect), newTitle, render) === index ? kept : plain
}

/** Returns the index of the first heading that repeats the title and is not sent, or -1 if there is none. */
function findTitle(body: string, blocks: readonly SourceBlock[], title: string, render: RenderMarkdown) {
  const index = blocks.findIndex(isHeading)
  const block = blocks[index]
  if (block === undefined) return -1
  // Badges before the heading may refer to definitions after it.
  const definitions = blocks.filter(({ node }) => node.type === 'definition')
  const after = definitions.map(({ from, to }) => body.slice(from, to)).join('\n')
  const sentUntil = (end: number): string =>
    renderPart(`${body.slice(0, end)}\n\n${after}`, title, render)
      .html.join('')
      .trim()
  return sentUntil(block.to) === sentUntil(block.from) ? index : -1
}

function isHeading({ node }: SourceBlock): boolean {
  if (node.type === 'heading') return node.depth === 1
  return node.type === 'html' && /^\s*<h1[\s>]/i.test(node.value)
}

function writeTitle(title: string, style: MarkdownStyle): string {
  const heading = {
    type: 'element',
    tagName: 'h1',
    properties: {},
    children: [{ type: 'text', value: title }],
  } as const
  return treeToMarkdown(
    { type: 'root', children: [{ ...heading, children: [...heading.children] }] },
    { write: createMarkdownWriter(style) },
  ).trimEnd()
}

/** Renders a body, or a part of one, like a sync. */
function renderPart(body: string, title: string, render: RenderMarkdown): RenderedBody {
  return render({ body, title, lineOffset: 0, nonce: digest(body) })
}

interface MergeContext extends Pick<MergeOptions, 'html' | 'title' | 'render' | 'allow' | 'dialect'> {
  readonly body: string
  readonly eol: string
  readonly links: LinkSpelling
  readonly toolLinks: ToolLinks
}

function mergeBlocks(merge: MergeContext): {
  readonly plain: MergedBody
  /** With the author's wording in changed blocks where possible; only with a dialect. */
  readonly kept?: MergedBody
} {
  const { body, eol, html, title, links, toolLinks, render, allow, dialect } = merge
  const blocks = findBlocks(body, dialect)
  const word = `kbblock${digest(body)}n`
  const from = findTitle(body, blocks, title, render) + 1
  const separated = separateBlocks(body, blocks, { word, from })
  const prepare: KeepContext['prepare'] = (text, edit) =>
    prepareHtml(links.relink(links.resolve(renderPart(text, title, render))), allow, edit)
  const before = prepare(separated, (tree) => {
    dropInnerMarks(tree, word)
  })
  const after = prepareHtml(links.relink(html), allow)
  const notes = { before: takeNotes(before), after: takeNotes(after) }
  const target = topNodes(after.children as ElementContent[])
  const groups = joinInline(groupNodes(before, blocks, word), blocks, target)
  const { silent, added } = sortSilent(groups, blocks, notes)
  const pieces = arrangePieces(groups, target, matchBlocks(groups, target), silent)
  const writerFor = createMarkdownWriters(styleOf(body, blocks))
  const write: ListContext['write'] = (nodes, style) => {
    // Syntax of the tool that is kept is compared with the blocks again.
    const children = dialect === undefined ? [...nodes] : structuredClone([...nodes])
    const { hasTitledAlerts, writeAlert } = alertsOf(dialect)
    const options = { linkOf: toolLinks.mark(links.linkOf), allow, hasTitledAlerts, write: writerFor(style) }
    const written = toolLinks.write(treeToMarkdown({ type: 'root', children }, options))
    return writeAlert === undefined ? written : writeAlerts(written, writeAlert)
  }
  const all = [...pieces, ...added]
  const context = { body, blocks, groups, eol, write }
  if (dialect === undefined) return { plain: { body: composeBody(all, context), origin: '' } }
  const origin = originOf(all, context)
  const keeper = createSourceKeeper({ ...context, from, word, prepare })
  const note: ComposeContext['keep'] = (piece, written) => {
    keeper.propose(piece, written)
    return written
  }
  // The first pass also collects where the source may be kept; the second one keeps it.
  const plain = { body: composeBody(all, { ...context, keep: note }), origin }
  const texts = keeper.settle()
  if (texts.size === 0) return { plain }
  const keep: ComposeContext['keep'] = ({ instead = -1 }, written) => texts.get(instead) ?? written
  return { plain, kept: { body: composeBody(all, { ...context, keep }), origin } }
}

function alertsOf(preset: PresetName | undefined) {
  const text = preset === undefined ? undefined : dialectOf(preset).text
  const writeAlert = text?.writeAlert
  return { writeAlert, hasTitledAlerts: writeAlert !== undefined || text?.syntax.includes('titled-quotes') }
}

const MARK = /^([ \t]*)> \[!(\w+)\](?: (.*))?$/

/** Converts the alerts of a Markdown text, `> [!TIP] Title`, to a tool's syntax, including nested ones. */
function writeAlerts(markdown: string, write: WriteAlert): string {
  if (!markdown.includes('> [!')) return markdown
  const lines = splitLines(markdown)
  const written: string[] = []
  for (let index = 0; index < lines.length; index++) {
    const { kind, text = '' } = lines[index] ?? {}
    const [match, indent = '', name = '', title = ''] = (kind === 'text' ? MARK.exec(text) : null) ?? []
    if (match === undefined) {
      written.push(text)
      continue
    }
    const content: string[] = []
    while (lines[index + 1]?.text.startsWith(`${indent}>`) === true)
      content.push(lines[++index]?.text.slice(indent.length + 1).replace(/^ /, '') ?? '')
    const inner = writeAlerts(content.join('\n').replace(/^\n/, ''), write).split('\n')
    written.push(...write(name.toLowerCase(), title, inner).map((line) => (line === '' ? '' : indent + line)))
  }
  return written.join('\n')
}

function originOf(pieces: readonly Piece[], context: ComposeContext): string {
  return pieces
    .map((piece) => context.groups[(piece.kind === 'source' ? piece.group : piece.instead) ?? -1])
    .map((group) => (group === undefined ? '' : writtenGroup(group, context)))
    .join('\n\n')
}

function styleOf(body: string, blocks: readonly SourceBlock[]): MarkdownStyle {
  return findStyle(
    body,
    blocks.map(({ node }) => node),
  )
}

/** A new body, with the parts of the file that its blocks come from. */
interface MergedBody {
  readonly body: string
  readonly origin: string
}

function lostSyntax({ body, origin }: MergedBody, dialect: PresetName | undefined): string[] {
  if (dialect === undefined) return []
  const left = ownSyntaxOf(body, dialect)
  const lost = ownSyntaxOf(origin, dialect).filter((written) => {
    const index = left.indexOf(written)
    if (index !== -1) left.splice(index, 1)
    return index === -1
  })
  return [...new Set(lost)].map((written) => `the file's own ${written.replaceAll(/\s+/g, ' ')}`)
}

/** The author's spelling of each link in a file, and its target. */
type LinkSpelling = ReturnType<typeof createLinkSpelling>

/** Learns from the file's template and the HTML sent for it. Calls `linkOf` for other URLs, and caches the result. */
function createLinkSpelling(template: RenderedBody, sentHtml: string | undefined, linkOf: LinkOf) {
  const addresses = new Map<string, string>()
  const spellings = new Map<string, string>()
  /** Broken links that are sent as text. */
  const unlinked = new Set<string>()
  const unlinkedUrls = new Map<string, string>()
  const urls = sentHtml === undefined ? [] : readUrls(template.html, sentHtml)
  urls.forEach((url, index) => {
    const written = template.slots[index]?.url ?? ''
    const spelling = readableUrl(written)
    if (url === undefined) {
      unlinked.add(spelling)
      const [linked = ''] = template.html
        .slice(index + 1)
        .join('')
        .split('</a>')
      unlinkedUrls.set(textIn(`<a${linked}`), written)
    } else {
      addresses.set(spelling, url)
      if (!spellings.has(url)) spellings.set(url, spelling)
    }
  })
  const addressOf = ({ kind, url }: Slot): string | undefined => {
    const spelling = readableUrl(url)
    return kind === 'link' && unlinked.has(spelling) ? undefined : (addresses.get(spelling) ?? url)
  }
  return {
    /** Returns the HTML of a template created from this file or a changed version of it. */
    resolve: ({ html, slots }: RenderedBody) => joinTemplate(html, slots.map(addressOf)),
    /** Restores the URLs of broken links that are sent as text, which are found by their text. */
    relink: (html: string) => {
      if (unlinkedUrls.size === 0) return html
      return html.replaceAll(BARE_LINK, (whole, attributes: string, content: string) => {
        const url = unlinkedUrls.get(textIn(content))
        return url === undefined ? whole : `<a href="${escapeAttribute(url)}"${attributes}>${content}</a>`
      })
    },
    /** Returns the link destination that the author wrote for a URL, or would write. */
    linkOf: (url: string) => {
      const spelling = spellings.get(url) ?? linkOf(url)
      if (spelling !== undefined && !addresses.has(readableUrl(spelling)))
        addresses.set(readableUrl(spelling), url)
      return spelling
    },
  }
}

/** A link without `href`. */
const BARE_LINK = /<a((?:\s(?![^>]*\bhref\s*=)[^>]*)?)>(.*?)<\/a>/gis

function textIn(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Writes links in the syntax of the author's tool, which have no Markdown destination. */
interface ToolLinks {
  /** Replaces each URL that has such a syntax with a placeholder word. */
  readonly mark: (linkOf: LinkOf) => LinkOf
  /** Replaces the placeholders with the tool's syntax. */
  readonly write: (markdown: string) => string
}

/** Finds URLs in `body` that are written in the syntax of `dialect`. `word` does not occur in the body. */
function createToolLinks(body: string, dialect: PresetName | undefined, word: string): ToolLinks {
  const written = dialect === undefined ? new Map<string, string>() : findToolLinks(body, dialect)
  if (written.size === 0) return { mark: (linkOf) => linkOf, write: (markdown) => markdown }
  const numbers = new Map([...written.keys()].map((address, index) => [address, index] as const))
  const marked = (address: string | undefined): string | undefined => {
    const number = address === undefined ? undefined : numbers.get(readableUrl(address))
    return number === undefined ? undefined : `${word}l${number}x`
  }
  const words = [...written.values()]
  const pattern = new RegExp(`${word}l(\\d+)x`, 'g')
  return {
    mark: (linkOf) => (url) => {
      const address = linkOf(url)
      return marked(address ?? url) ?? address
    },
    write: (markdown) =>
      markdown.replaceAll(pattern, (whole, number: string) => words[Number(number)] ?? whole),
  }
}

function findToolLinks(body: string, preset: PresetName): Map<string, string> {
  const found = new Map<string, string>()
  const {
    text: { shortcodes },
    links: { filePrefix },
  } = dialectOf(preset)
  if (shortcodes !== undefined)
    for (const code of readShortcodes(body)) {
      const isAddress = kindIn(shortcodes, code.name) === 'address' && code.kind !== 'escaped'
      const address = isAddress ? shortcodeAddress(code) : ''
      if (address !== '' && !found.has(readableUrl(address))) found.set(readableUrl(address), code.written)
    }
  if (filePrefix !== undefined)
    for (const [written, address = ''] of body.matchAll(new RegExp(`${filePrefix}(/[^\\s"'<>()]*)`, 'g')))
      if (!body.includes(`](${address}`)) found.set(readableUrl(address), written)
  return found
}
