import type { Nodes, Paragraph, Parents } from 'mdast'
import { type EmbedHost, playerOf } from '../../core/embed-hosts.ts'
import type { Problem } from '../../core/model/diagnostic.ts'
import { shortenUrl } from '../markdown/screen-url.ts'
import type { SourceRanges } from '../markdown/source-ranges.ts'
import {
  imageAltMissing,
  linkTextEmpty,
  type HeadingRange,
  type MarkdownRule,
  defineMarkdownRule,
  urlUnusable,
} from './element-rules.ts'

// The label is the text in the second brackets, or in the first if these are empty. After a letter, a digit or another
// bracket it is an index (`matrix[i][j]`), and `[^1]` is a footnote.
const REFERENCE = /(?<![\w\]\\)])!?\[((?!\^)(?:\\.|[^[\]\\])+)\]\[((?!\^)(?:\\.|[^[\]\\])*)\](?![[(])/g

/** `[text][label]` without a definition of `label`: the parser leaves it as text, including the brackets. */
const linkReferenceUndefined = defineMarkdownRule({
  types: ['paragraph', 'heading', 'tableCell', 'emphasis', 'strong', 'delete'],
  check: (node, ranges) => {
    if (!node.children.some(mayRefer)) return []
    return [...maskedText(node, ranges).matchAll(REFERENCE)].flatMap((match) =>
      problemOf(match, node, ranges),
    )
  },
})

function mayRefer(node: Nodes): boolean {
  return node.type === 'text' && node.value.includes('][')
}

function problemOf(match: RegExpExecArray, node: Parents, ranges: SourceRanges): Problem[] {
  const [whole, text = '', label = ''] = match
  if (text.trim() === '') return []
  const [at, length] =
    label.trim() === ''
      ? [whole.indexOf('[') + 1, text.length]
      : [whole.length - 1 - label.length, label.length]
  // As written, not as masked. In a quote, a label may continue on the next line.
  const name = ranges
    .textOf(node)
    .slice(match.index + at, match.index + at + length)
    .replace(/\s*\n[\s>]*|\s+/g, ' ')
    .trim()
  const span = ranges.within(node, match.index, match.index + whole.length)
  const message = `The reference link "${name}" has no definition, so readers see its brackets.`
  const hint = `Add a line \`[${name}]: URL\`. If it is not a link, write \\[ for the first bracket.`
  return [{ code: 'link-reference-undefined', ...span, message, hint }]
}

function maskedText(node: Parents, ranges: SourceRanges): string {
  const start = node.position?.start.offset ?? 0
  let text = ranges.textOf(node)
  for (const child of node.children as readonly Nodes[]) {
    if (child.type === 'text' || child.position === undefined) continue
    const from = (child.position.start.offset ?? start) - start
    const to = (child.position.end.offset ?? start) - start
    text = text.slice(0, from) + 'x'.repeat(to - from) + text.slice(to)
  }
  return text
}

/** `https://example.com` as text. In angle brackets, a URL is shown deliberately, and e-mail addresses need no text. */
const bareUrl = defineMarkdownRule({
  types: ['link'],
  check: (node, ranges) => {
    const text = node.children[0]
    if (text?.type !== 'text' || node.children.length > 1 || !/^(?:https?:\/\/|www\.)/i.test(text.value))
      return []
    // With angle or square brackets, a link starts before its text.
    if (node.position?.start.offset !== text.position?.start.offset) return []
    const message = `The link shows the URL ${shortenUrl(text.value)} instead of words.`
    const hint = 'Write [words](URL), or <URL> if readers need the URL itself.'
    return [{ code: 'bare-url', ...ranges.of(node), message, hint }]
  },
})

const RULES: readonly MarkdownRule[] = [
  imageAltMissing,
  linkTextEmpty,
  bareUrl,
  urlUnusable,
  linkReferenceUndefined,
]

const MADE_HTML = new Set<Nodes['type']>(['heading', 'image', 'imageReference', 'link', 'linkReference'])

const RULES_BY_TYPE = byType(RULES)

/**
 * Creates a visitor that calls the rules for the nodes it enters.
 *
 * @param embeds hosts of videos, for which a URL that is a separate paragraph becomes a player
 */
export function createRuleVisitor(ranges: SourceRanges, problems: Problem[], embeds: readonly EmbedHost[]) {
  const headings: HeadingRange[] = []
  /** Start offsets of the nodes that become HTML of the same kind. All other elements were written as HTML. */
  const written = new Set<number | undefined>()
  const players = new Set<Nodes | undefined>()
  const enter = (node: Nodes, parent: Nodes | undefined): void => {
    // Most nodes have no rules, so this is checked first.
    const rules = RULES_BY_TYPE.get(node.type)
    if (rules !== undefined && node.position !== undefined) {
      if (embeds.length > 0 && node.type === 'paragraph') players.add(playerIn(node, parent, embeds))
      for (const rule of rules) {
        if (rule === bareUrl && players.has(node)) continue
        for (const problem of rule.check(node, ranges)) problems.push(problem)
      }
      if (node.type === 'heading')
        headings.push({
          depth: node.depth,
          isPicture: node.children.length > 0 && !hasText(node),
          at: ranges.of(node),
        })
      if (MADE_HTML.has(node.type)) written.add(node.position.start.offset)
    }
  }
  return { headings, written, enter }
}

/** Returns the link that becomes a player. In a list without blank lines, items have no paragraphs on the page. */
function playerIn({ children }: Paragraph, parent: Nodes | undefined, embeds: readonly EmbedHost[]) {
  const [link, ...others] = children.filter((child) => child.type !== 'text' || child.value.trim() !== '')
  if (link?.type !== 'link' || others.length > 0) return undefined
  if (parent?.type === 'listItem' && parent.spread !== true) return undefined
  return playerOf(link.url, embeds) === undefined ? undefined : link
}

/** Returns every type with rules. The list may be empty. */
function byType(rules: readonly MarkdownRule[]): ReadonlyMap<string, readonly MarkdownRule[]> {
  const types = new Set([...MADE_HTML, ...rules.flatMap((rule) => rule.types)])
  return new Map([...types].map((type) => [type, rules.filter((rule) => rule.types.includes(type))]))
}

function hasText(node: Nodes): boolean {
  return 'value' in node ? node.value.trim() !== '' : 'children' in node && node.children.some(hasText)
}
