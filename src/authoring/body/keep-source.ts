import type { Element, ElementContent, Root } from 'hast'
import { blockKey, pairKeys } from './match-blocks.ts'
import { type ComposeContext, type Piece, takeNotes } from './compose-body.ts'
import {
  dropInnerMarks,
  groupNodes,
  type RenderedGroup,
  separateBlocks,
  type SourceBlock,
  topNodes,
  unitsOf,
} from './source-blocks.ts'
import { dialectOf, type PresetName } from '../../core/dialects/dialects.ts'
import { countEach } from '../../core/group-by.ts'

export interface KeepContext extends Pick<ComposeContext, 'body' | 'eol' | 'blocks' | 'groups'> {
  /** Index of the first block after the heading that repeats the title. */
  readonly from: number
  /** A word that does not occur in the body. */
  readonly word: string
  readonly write: (nodes: readonly Element[]) => string
  /** Returns the prepared tree that a body renders to. `edit` changes the tree before its preparation. */
  readonly prepare: (body: string, edit: (tree: Root) => void) => Root
}

interface Proposal {
  readonly text: string
  /** The key of the tree that it must render to. */
  readonly key: string
}

/** Keeps the author's wording in changed blocks if the result equals the text of the target. */
export function createSourceKeeper(context: KeepContext) {
  const proposals = new Map<number, Proposal>()
  return {
    /** Records the replacement of a block. */
    propose: (piece: Piece & { readonly kind: 'new' }, written: string) => {
      const { instead, nodes } = piece
      const group = instead === undefined ? undefined : context.groups[instead]
      if (group === undefined || instead === undefined || topNodes(group.nodes).length === 0) return
      const text = splice(group, written, nodes, context)
      if (text === written || !hasOwnSyntaxWhole(text, writtenGroup(group, context), written)) return
      proposals.set(instead, { text, key: keyOfNodes(nodes) })
    },
    /** Returns possible texts by group. Each renders to the text of the target. */
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
  const keyOf = old.some(({ tagName }) => tagName === 'pre') ? String : undefined
  return spliceText(lines(writtenGroup(group, context)), before, lines(written), keyOf).replaceAll('\n', eol)
}

function kindOf(node: Element | undefined): string | undefined {
  return node?.tagName.replace(/^h[1-6]$/, 'heading')
}

function haveWordInCommon(one: string, other: string): boolean {
  const words = new Set(tokensOf(one))
  return tokensOf(other).some((token) => /^[\p{L}\p{N}]/u.test(token) && words.has(token))
}

/** Returns the author's text of a group. */
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
    groupNodes(tree, parts, word).map(({ first, last, nodes }) => [`${first} ${last}`, keyOfNodes(nodes)]),
  )
  return new Map(
    [...proposals].flatMap(([index, proposal]) =>
      keys.get(`${index} ${index}`) === proposal.key ? [[index, proposal.text] as const] : [],
    ),
  )
}

function keyOfNodes(nodes: readonly ElementContent[]): string {
  return topNodes(nodes).flatMap(unitsOf).map(blockKey).join('\u0003')
}

/**
 * Returns true if an edited text has valid shortcodes, tags and expressions: none more often than in `source` or in
 * `written`, and as many end tags per start tag as in `source`. Many of them are invisible to readers, so a text
 * without its end tags may look the same.
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

/** Time grows with the square of the differences, so larger blocks are replaced as a whole. */
const MOST_TOKENS = 6000

/** A part of the previous text, and its replacement. */
interface Hunk {
  readonly from: number
  readonly to: number
  readonly now: { readonly from: number; readonly to: number }
}

/**
 * Applies the edit from `before` to `after` to `source`, the author's text of `before`. Unchanged parts stay as in
 * `source`. If the edit cannot be located, the result is the text of `after`.
 *
 * @param keyOf equal for equivalent tokens
 */
export function spliceText(
  source: string,
  before: string,
  after: string,
  keyOf: (token: string) => string = tokenKey,
): string {
  const [own, old, now] = [tokensOf(source), tokensOf(before), tokensOf(after)]
  if (own.length + old.length + now.length > MOST_TOKENS) return after
  const keys = old.map(keyOf)
  const inSource = pairKeys(own.map(keyOf), keys)
  const inAfter = new Map([...pairKeys(keys, now.map(keyOf))].map(([to, from]) => [from, to]))
  const isNewLine = (index: number): boolean => now[index]?.startsWith('\n') === true
  const places = {
    inSource,
    inAfter,
    count: old.length,
    sourceCount: own.length,
    afterCount: now.length,
    isNewLine,
  }
  const spliced: string[] = []
  let at = 0
  for (const { from, to, now: range } of edits(places)) {
    spliced.push(...own.slice(at, from), ...now.slice(range.from, range.to))
    at = to
  }
  return [...spliced, ...own.slice(at)].join('')
}

interface Places {
  /** Indexes of tokens, by their indexes in the previous text. */
  readonly inSource: ReadonlyMap<number, number>
  readonly inAfter: ReadonlyMap<number, number>
  readonly count: number
  readonly sourceCount: number
  readonly afterCount: number
  /** True if a token of the new text starts a line. */
  readonly isNewLine: (index: number) => boolean
}

/** Returns the edits in order, as tokens of the source. */
function edits(places: Places): Hunk[] {
  const placed: Hunk[] = []
  let [upTo, sourceUpTo] = [-1, 0]
  for (const hunk of hunksOf(places)) {
    // Included in the previous edit.
    if (hunk.from <= upTo) continue
    const simple = placeOf(hunk, places)
    const isSimple = simple !== undefined && simple.from >= sourceUpTo
    const { edit, end } = isSimple ? { edit: simple, end: hunk.to } : widen(hunk, places)
    const isCovered = (each: Hunk): boolean => !isSimple && each.from >= edit.from
    placed.splice(placed.findLastIndex((each) => !isCovered(each)) + 1, placed.length, edit)
    upTo = end
    sourceUpTo = edit.to
  }
  return placed
}

function hunksOf({ inAfter, count, afterCount }: Places): Hunk[] {
  const hunks: Hunk[] = []
  let [from, now] = [0, 0]
  for (let index = 0; index <= count; index++) {
    const pair = index === count ? afterCount : inAfter.get(index)
    if (pair === undefined) continue
    if (index > from || pair > now) hunks.push({ from, to: index, now: { from: now, to: pair } })
    from = index + 1
    now = pair + 1
  }
  return hunks
}

function placeOf({ from, to, now }: Hunk, { inSource, count, sourceCount, isNewLine }: Places) {
  if (from === to) {
    const [left, right] = [inSource.get(from - 1), inSource.get(from)]
    const behind = left === undefined ? undefined : left + 1
    // New lines come after the complete line before them.
    const at = (from === 0 || isNewLine(now.from) ? right : undefined) ?? behind ?? right
    const place = at ?? (count === 0 ? sourceCount : undefined)
    return place === undefined ? undefined : { from: place, to: place, now }
  }
  for (let index = from; index < to; index++) if (!inSource.has(index)) return undefined
  const [first, last] = [inSource.get(from), inSource.get(to - 1)]
  return first === undefined || last === undefined ? undefined : { from: first, to: last + 1, now }
}

/** Extends the edit to the nearest tokens that all three texts share. */
function widen({ from, to }: Hunk, { inSource, inAfter, count, sourceCount, afterCount }: Places) {
  const isCommon = (index: number): boolean => inSource.has(index) && inAfter.has(index)
  let [first, end] = [from - 1, to]
  while (first >= 0 && !isCommon(first)) first--
  while (end < count && !isCommon(end)) end++
  const edit: Hunk = {
    from: (inSource.get(first) ?? -1) + 1,
    to: inSource.get(end) ?? sourceCount,
    now: { from: (inAfter.get(first) ?? -1) + 1, to: inAfter.get(end) ?? afterCount },
  }
  return { edit, end }
}

// Limited, so that an unclosed one is not searched to the end of the text from every position.
const SHORTCODE = String.raw`\{\{[<%][^]{0,2000}?[>%]\}\}`

// The units that are kept or replaced: shortcodes, URLs, expressions, tags, escaped characters, words, white space.
const TOKEN = new RegExp(
  [
    SHORTCODE,
    String.raw`\{\{[^{}]*\}\}`,
    String.raw`!?\[\[[^\[\]\n]*\]\]`,
    String.raw`\]\((?:${SHORTCODE}|[^\s()])*`,
    String.raw`\{[^{}\n]*\}`,
    String.raw`<[^<>]*>`,
    String.raw`\\[^\w\s]`,
    String.raw`&\w+;`,
    String.raw`\s+`,
    String.raw`[\p{L}\p{M}\p{N}]+`,
    '[^]',
  ].join('|'),
  'gu',
)

/** Splits Markdown into units of an edit. Joined, they are the text. */
function tokensOf(text: string): string[] {
  return Array.from(text.matchAll(TOKEN), ([token]) => token)
}

/** Returns the same key for equivalent tokens: hard breaks and block boundaries count, other line breaks do not. */
function tokenKey(token: string): string {
  if (!/^\s/.test(token)) return token
  const lines = token.split('\n')
  return lines.length > 2 ? '\n\n' : lines.length === 2 && /[ ]{2}\r?$/.test(lines[0] ?? '') ? '  \n' : ' '
}

// A run of characters is matched completely or not at all, because trying every length would be slow.
const CODE = /^(`{3,}(?!`)|~{3,}(?!~))[^]*?^\1|(?<!`)(`{1,9})(?!`)[^]{0,2000}?(?<!`)\2(?!`)/gm
// End tags and URLs of links. If the URL is the same, it is written as before anyway.
const NO_LOSS = /^\{\{[<%]\s*(?:\/|(?:rel)?ref\b)/

// The text after the language of a code block, and comments that mark its lines.
const FENCE = /^[ \t>]*(?:`{3,}(?!`)|~{3,}(?!~))[^\s`{]*([ \t{][^\n`]*)$/gm
const MARK = /\[!code [^\]\n[]*\]|\bhighlight-(?:next-line|start|end)\b/g

/** Returns the tool's own syntax in a text, as written: everything that the target cannot represent. */
export function ownSyntaxOf(text: string, preset: PresetName): string[] {
  const found = text.replaceAll(CODE, '').match(dialectOf(preset).text.ownSyntax) ?? []
  const infos = Array.from(text.matchAll(FENCE), ([, info = '']) => info.trim()).filter((info) => info !== '')
  return [...found.filter((each) => !NO_LOSS.test(each)), ...infos, ...(text.match(MARK) ?? [])]
}
