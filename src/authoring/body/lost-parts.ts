import type { Parents } from 'hast'
import { fromHtml } from 'hast-util-from-html'
import type { Schema } from 'hast-util-sanitize'

const REASONS: Readonly<Record<string, string>> = {
  iframe: 'a frame (<iframe>), replaced by a link',
  embed: 'an embedded object (<embed>), replaced by a link',
  object: 'an embedded object (<object>), replaced by a link',
  script: 'a script (<script>)',
  style: 'a style sheet (<style>)',
  svg: 'a drawing (<svg>)',
  math: 'a formula (<math>)',
  form: 'a form (<form>)',
  button: 'a button (<button>)',
  select: 'a selection list (<select>)',
  textarea: 'a text field (<textarea>)',
}

// Most texts contain none of them and need not be parsed.
const NAMED = new RegExp(`<(?:${Object.keys(REASONS).join('|')})\\b`, 'i')

/** Describes the parts of the HTML that Markdown cannot represent, each kind once. */
export function findLostParts(html: string, schema: Schema): string[] {
  if (!NAMED.test(html)) return []
  const allowed = new Set(schema.tagNames)
  const found = new Set<string>()
  collect(fromHtml(html, { fragment: true }), allowed, found)
  return [...found].toSorted()
}

function collect(parent: Parents, allowed: ReadonlySet<string>, found: Set<string>): void {
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    const reason = REASONS[child.tagName]
    if (reason !== undefined && !allowed.has(child.tagName)) found.add(reason)
    collect(child, allowed, found)
  }
}
