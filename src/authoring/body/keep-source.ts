import type { Element, ElementContent, Root } from 'hast'
import { blockKey } from './match-blocks.ts'
import { type Piece, takeNotes } from './arrange-pieces.ts'
import {
  dropInnerMarks,
  groupNodes,
  type RenderedGroup,
  separateBlocks,
  type SourceBlock,
} from './source-blocks.ts'
import { tokensOf, spliceText } from './splice-text.ts'
import { topNodes, unitsOf } from './top-nodes.ts'

export interface KeepContext {
  readonly body: string
  readonly eol: string
  readonly blocks: readonly SourceBlock[]
  readonly groups: readonly RenderedGroup[]
  /** Index of the first block after the heading that repeats the title. */
  readonly from: number
  /** A word that does not occur in the body. */
  readonly word: string
  readonly write: (nodes: readonly Element[]) => string
  /** The prepared tree that a body renders to. @param edit changes the tree before its preparation */
  readonly prepare: (body: string, edit: (tree: Root) => void) => Root
}

type NewPiece = Piece & { readonly kind: 'new' }

interface Proposal {
  readonly text: string
  /** The key that it must render to. */
  readonly key: string
}

/** Keeps the author's wording in changed blocks if the result equals the text of the target. */
export function createSourceKeeper(context: KeepContext) {
  const proposals = new Map<number, Proposal>()
  return {
    /** Records the replacement of a block. */
    propose: (piece: NewPiece, written: string) => {
      const { instead, nodes } = piece
      const group = instead === undefined ? undefined : context.groups[instead]
      if (group === undefined || instead === undefined || topNodes(group.nodes).length === 0) return
      const text = splice(group, written, nodes, context)
      if (text === written || !hasOwnSyntaxWhole(text, writtenGroup(group, context), written)) return
      proposals.set(instead, { text, key: keyOf(nodes) })
    },
    /** The possible texts, by group: each renders to the text of the target. */
    settle: () => (proposals.size === 0 ? new Map() : proven(proposals, context)),
  }
}

function splice(
  group: RenderedGroup,
  written: string,
  nodes: readonly Element[],
  { eol, write, ...context }: KeepContext,
): string {
  const lines = (text: string): string => text.replaceAll('\r\n', '\n')
  const old = topNodes(group.nodes)
  const before = write(old).trimEnd()
  if (kindOf(old[0]) !== kindOf(nodes[0]) && !haveWordInCommon(before, written)) return written
  // In code, white space is significant.
  const tokenKey = old.some(({ tagName }) => tagName === 'pre') ? String : undefined
  return spliceText(lines(writtenGroup(group, context)), before, lines(written), tokenKey).replaceAll(
    '\n',
    eol,
  )
}

function kindOf(node: Element | undefined): string | undefined {
  return node?.tagName.replace(/^h[1-6]$/, 'heading')
}

function haveWordInCommon(one: string, other: string): boolean {
  const words = new Set(tokensOf(one))
  return tokensOf(other).some((token) => /^[\p{L}\p{N}]/u.test(token) && words.has(token))
}

/** The author's text of a group. */
export function writtenGroup(
  { first, last }: RenderedGroup,
  { body, blocks }: Pick<KeepContext, 'body' | 'blocks'>,
): string {
  return body.slice(blocks[first]?.from, blocks[last]?.to)
}

function proven(proposals: ReadonlyMap<number, Proposal>, context: KeepContext): Map<number, string> {
  const { body, blocks, groups, from, word, prepare } = context
  let text = ''
  let at = 0
  const parts = groups.map(({ first, last }, index): SourceBlock => {
    const [start, end] = [blocks[first] as SourceBlock, blocks[last] as SourceBlock]
    text += body.slice(at, start.from)
    const begin = text.length
    text += proposals.get(index)?.text ?? body.slice(start.from, end.to)
    at = end.to
    return { node: start.node, from: begin, to: text.length }
  })
  text += body.slice(at)
  const separated = separateBlocks(text, parts, { word, from: Math.min(from, 1) })
  const tree = prepare(separated, (made) => dropInnerMarks(made, word))
  takeNotes(tree)
  const keys = new Map(
    groupNodes(tree, parts, word).map(({ first, last, nodes }) => [`${first} ${last}`, keyOf(nodes)]),
  )
  return new Map(
    [...proposals].flatMap(([index, proposal]) =>
      keys.get(`${index} ${index}`) === proposal.key ? [[index, proposal.text] as const] : [],
    ),
  )
}

function keyOf(nodes: readonly ElementContent[]): string {
  return topNodes(nodes).flatMap(unitsOf).map(blockKey).join('\u0003')
}

/**
 * True if an edited text has valid shortcodes, tags and expressions: none more often than in `source` or in `written`,
 * and as many end tags for each start tag as in `source`. Many of them are invisible to readers, so a text without its
 * end tags may look the same.
 */
function hasOwnSyntaxWhole(text: string, source: string, written: string): boolean {
  const [own, inSource, inWritten] = [text, source, written].map(ownTokens) as [string[], string[], string[]]
  const [counts, former, plain] = [countEach(own), countEach(inSource), countEach(inWritten)]
  for (const [token, count] of counts)
    if (count > Math.max(former.get(token) ?? 0, plain.get(token) ?? 0)) return false
  const ended = new Set([...own, ...inSource].flatMap((token) => endOf(token) ?? []))
  return [...ended].every((name) => openOf(name, own) === openOf(name, inSource))
}

function ownTokens(text: string): string[] {
  return tokensOf(text).filter((token) => /^(?:\{.*\}|<.*>)$/s.test(token))
}

function countEach(tokens: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1)
  return counts
}

function openOf(name: string, tokens: readonly string[]): number {
  const steps = tokens.map((token) => (endOf(token) === name ? -1 : beginOf(token) === name ? 1 : 0))
  return steps.reduce<number>((sum, step) => sum + step, 0)
}

function endOf(token: string): string | undefined {
  return /^(?:\{\{[<%]\s*|<)(\/[^\s<>%}]+)/.exec(token)?.[1]?.slice(1)
}

function beginOf(token: string): string | undefined {
  return /\/\s*(?:[>%]\}\}|>)$/.test(token) ? undefined : /^(?:\{\{[<%]\s*|<)([^\s<>%}/!]+)/.exec(token)?.[1]
}
