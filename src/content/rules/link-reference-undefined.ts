import type { Nodes, Parents } from 'mdast'
import type { Problem } from '../../core/model/diagnostic.ts'
import type { SourcePlaces } from '../markdown/source-places.ts'
import { defineMarkdownRule } from './rule.ts'

// A label is whatever stands in the second brackets, or the text where these are empty. Right after a letter, a digit or
// another bracket it is an index (`matrix[i][j]`), and `[^1]` is a footnote.
const REFERENCE = /(?<![\w\]\\)])!?\[((?!\^)(?:\\.|[^[\]\\])+)\]\[((?!\^)(?:\\.|[^[\]\\])*)\](?![[(])/g

/** `[text][label]` where nothing defines `label`: the parser left it as text, brackets and all. */
export const linkReferenceUndefined = defineMarkdownRule({
  types: ['paragraph', 'heading', 'tableCell', 'emphasis', 'strong', 'delete'],
  check: (node, places) => {
    if (!node.children.some((child) => child.type === 'text' && child.value.includes(']['))) return []
    return [...maskedText(node, places).matchAll(REFERENCE)].flatMap((match) =>
      problemOf(match, node, places),
    )
  },
})

function problemOf(match: RegExpExecArray, node: Parents, places: SourcePlaces): Problem[] {
  const [whole, text = '', label = ''] = match
  // A name may go on in the next line of a quote.
  const name = (label.trim() === '' ? text : label).replace(/\s*\n[\s>]*|\s+/g, ' ').trim()
  if (name === '' || text.trim() === '') return []
  const span = places.within(node, match.index, match.index + whole.length)
  const message = `The address of the link "${name}" is defined nowhere, so its brackets are shown.`
  const hint = `Add a line \`[${name}]: address\`; where no link is meant, write \\[ for the first bracket.`
  return [{ code: 'link-reference-undefined', ...span, message, hint }]
}

/** What is written in `node`, with an `x` for each character of what is no plain text of its own. */
function maskedText(node: Parents, places: SourcePlaces): string {
  const start = node.position?.start.offset ?? 0
  let text = places.textOf(node)
  for (const child of node.children as readonly Nodes[]) {
    if (child.type === 'text' || child.position === undefined) continue
    const from = (child.position.start.offset ?? start) - start
    const to = (child.position.end.offset ?? start) - start
    text = text.slice(0, from) + 'x'.repeat(to - from) + text.slice(to)
  }
  return text
}
