import type { ElementContent } from 'hast'
import { removeMarkers } from '../../../model/marker.ts'
import { hashProjection, projectHtml } from '../../../model/projection.ts'
import { digest } from '../../../util/digest.ts'
import { createSchema } from '../../markdown/allow-schema.ts'
import type { FrontmatterFiles } from '../../preset/frontmatter-files.ts'
import type { RenderMarkdown } from '../../markdown/create-renderer.ts'
import type { MarkdownOptions } from '../../markdown/rendered-body.ts'
import { arrangePieces } from './arrange-pieces.ts'
import { composeBody } from './compose-body.ts'
import { findStyle } from './file-style.ts'
import { htmlToMarkdown, prepareHtml, treeToMarkdown } from '../html/html-to-markdown.ts'
import type { MarkdownStyle } from '../html/markdown-style.ts'
import { createMarkdownWriters } from '../html/markdown-writers.ts'
import { createMarkdownWriter } from '../html/stringify-markdown.ts'
import type { ListContext } from './list-context.ts'
import { createLinkSpelling, type LinkSpelling } from './link-spelling.ts'
import { findLostParts } from './lost-parts.ts'
import { matchBlocks } from './match-blocks.ts'
import type { LinkOf } from '../html/readdress.ts'
import { renderPart } from './render-part.ts'
import { sortSilent, takeNotes } from './silent-groups.ts'
import { dropInnerMarks, findBlocks, groupNodes, separateBlocks, type SourceBlock } from './source-blocks.ts'
import { lineEndOf, splitFile } from '../file/split-file.ts'
import { findTitle, writeTitle } from './title-block.ts'
import { topNodes } from './top-nodes.ts'

export interface MergeOptions {
  /** The title that the file has; a leading heading that says the same is not sent. */
  readonly title: string
  /** The title that it is to have: such a heading follows it. */
  readonly newTitle: string
  /** The HTML on the target; a marker in it does not count. */
  readonly html: string
  /** What is sent of the file as it is: tells how the author's own links are resolved. */
  readonly sentHtml: string
  readonly linkOf: LinkOf
  readonly render: RenderMarkdown
  readonly allow: MarkdownOptions['allow']
  /** How frontmatter is read that is not our own. */
  readonly files?: Pick<FrontmatterFiles, 'split'> | undefined
}

export interface MergedFile {
  readonly text: string
  /** Whether the new text renders to what stands on the target, as far as a reader would notice. */
  readonly isExact: boolean
  /** What could not be kept, in words: a reader would not notice all of it, such as a script. */
  readonly lost: readonly string[]
}

/**
 * Takes the HTML of the target over into the body of a file, given as its whole text. Blocks that say the same stay as
 * the author wrote them to the byte, with the comments and definitions among them; the others are written anew. Where
 * that does not render to the target's text and a body written anew as a whole does, it is taken.
 */
export function mergeBody(text: string, options: MergeOptions): MergedFile {
  const { title, newTitle, render, sentHtml, allow } = options
  const { head, body: old } = splitFile(text, options.files)
  const eol = lineEndOf(old, text)
  const body = newTitle === title ? old : retitle(old, options, eol)
  const html = removeMarkers(options.html)
  const wanted = projectionOf(html)
  if (projectionOf(sentHtml) === wanted) return { text: head + body, isExact: true, lost: [] }
  const links = createLinkSpelling(renderPart(old, title, render), sentHtml, options.linkOf)
  const work: Work = { body, eol, html, title: newTitle, links, render, allow }
  const isExact = (made: string): boolean =>
    projectionOf(links.resolve(renderPart(made, newTitle, render))) === wanted
  const lost = findLostParts(html, createSchema(allow))
  const merged = mergeBlocks(work, true)
  for (const make of [() => merged, () => mergeBlocks(work, false), () => rewriteBody(work)]) {
    const made = make()
    if (isExact(made)) return { text: head + made, isExact: true, lost }
  }
  return { text: head + merged, isExact: false, lost }
}

function projectionOf(html: string): string {
  const { textHash, targets } = projectHtml(html)
  return hashProjection(textHash, targets)
}

/** The body with the new title in the heading that repeats the old one. */
function retitle(body: string, { title, newTitle, render }: MergeOptions, eol: string): string {
  const blocks = findBlocks(body)
  const heading = blocks[findTitle(body, blocks, title, render)]
  if (heading === undefined) return body
  const written = writeTitle(newTitle, styleOf(body, blocks)).replaceAll('\n', eol)
  return body.slice(0, heading.from) + written + body.slice(heading.to)
}

/** What both ways of taking the target's text over work with. */
interface Work extends Pick<MergeOptions, 'html' | 'title' | 'render' | 'allow'> {
  readonly body: string
  readonly eol: string
  readonly links: LinkSpelling
}

function mergeBlocks({ body, eol, html, title, links, render, allow }: Work, mergesLists: boolean): string {
  const blocks = findBlocks(body)
  const word = `kbblock${digest(body)}n`
  const separated = separateBlocks(body, blocks, { word, from: findTitle(body, blocks, title, render) + 1 })
  const before = prepareHtml(links.resolve(renderPart(separated, title, render)), allow, (tree) => {
    dropInnerMarks(tree, word)
  })
  const after = prepareHtml(html, allow)
  const notes = { before: takeNotes(before), after: takeNotes(after) }
  const groups = groupNodes(before, blocks, word)
  const target = topNodes(after.children as ElementContent[])
  const { silent, added } = sortSilent(groups, blocks, notes)
  const pieces = arrangePieces(groups, target, matchBlocks(groups, target), silent)
  const writerFor = createMarkdownWriters(styleOf(body, blocks))
  const write: ListContext['write'] = (nodes, style) =>
    treeToMarkdown(
      { type: 'root', children: [...nodes] },
      { linkOf: links.linkOf, allow, write: writerFor(style) },
    )
  return composeBody([...pieces, ...added], { body, blocks, groups, eol, write, mergesLists })
}

/** All of the target's text written anew, below the heading that repeats the title, if there is one. */
function rewriteBody({ body, eol, html, title, links, render, allow }: Work): string {
  const blocks = findBlocks(body)
  const heading = blocks[findTitle(body, blocks, title, render)]
  const write = createMarkdownWriter(styleOf(body, blocks))
  const written = htmlToMarkdown(html, { linkOf: links.linkOf, allow, write }).replaceAll('\n', eol)
  if (heading !== undefined) return `${body.slice(0, heading.to)}${eol}${eol}${written}`
  return body.slice(0, blocks[0]?.from ?? 0) + written
}

function styleOf(body: string, blocks: readonly SourceBlock[]): MarkdownStyle {
  return findStyle(
    body,
    blocks.map(({ node }) => node),
  )
}
