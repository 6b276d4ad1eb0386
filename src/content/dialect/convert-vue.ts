// Texts of VitePress are Vue templates: tags of components stand among those of HTML, and `{{ }}` among the words.
import { misplacedInclude } from '../includes/misplaced-include.ts'
import { mayIncludeInSite } from '../includes/site-include.ts'
import { expressionProblem } from './convert-expression.ts'
import { withoutUnseen } from './unseen-elements.ts'
import { reportComponent } from './convert-jsx.ts'
import type { Conversion } from './conversion.ts'
import type { TreeNode } from './tree-node.ts'

const TAG =
  /<(\/?)([A-Z][\w.]*|[a-z]+(?:-[a-z\d]+)+)((?:\s+[^\s"'<>=/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>`]+))?)*)\s*(\/?)>/g

/** Raw HTML without the tags of components; nothing where nothing is left. */
export function convertHtml(node: TreeNode, conversion: Conversion): TreeNode[] {
  const written = node.value ?? ''
  if (mayIncludeInSite(written)) conversion.problems.push(misplacedInclude(conversion.places.of(node)))
  countVerbatim(written, conversion)
  const value = withoutUnseen(written)
    .replace(/<[a-z][^<>]*>?/g, (tag) => tag.replace(/(?<!\s)\s+v-pre(?=[\s>])/, ''))
    .replace(TAG, (whole, slash: string, name: string, attributes: string) => {
      if (name === 'Badge') return slash === '/' ? '</sup>' : badge(attributes, whole.endsWith('/>'))
      if (slash === '' && name !== 'ClientOnly') reportComponent(node, name, conversion)
      return ''
    })
  if (value === written) return [node]
  return value.trim() === '' ? [] : [{ ...node, value }]
}

/** `<span v-pre>` on its own; where its end stands in the same piece of HTML, no words of Markdown are in it. */
function countVerbatim(written: string, conversion: Conversion): void {
  if (!written.includes('<', 1) && /^<[a-z][^<>]*\sv-pre[\s>]/.test(written)) conversion.verbatim++
  else if (conversion.verbatim > 0 && /^<\/[a-z]+\s*>$/.test(written)) conversion.verbatim--
}

/** A word in a coloured box behind a heading. */
function badge(attributes: string, isWhole: boolean): string {
  const text = /\stext\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(attributes)
  const words = (text?.[1] ?? text?.[2] ?? '').replaceAll('<', '&lt;')
  return isWhole ? `<sup>${words}</sup>` : `<sup>${words}`
}

const INTERPOLATION = /\{\{[\s\S]*?\}\}/g

/** Words without what Vue would compute. */
export function convertText(node: TreeNode, { places, problems, verbatim }: Conversion): TreeNode[] {
  const { value = '' } = node
  if (verbatim > 0 || !value.includes('{{') || !value.includes('}}')) return [node]
  const written = places.textOf(node)
  let from = 0
  // Behind the last end there is none to look for.
  const end = value.lastIndexOf('}}') + 2
  const rest = value.slice(0, end).replace(INTERPOLATION, (whole) => {
    const at = from === -1 ? -1 : written.indexOf(whole, from)
    // Written with entities: where the others stand, nobody can tell from then on.
    from = at === -1 ? -1 : at + whole.length
    const place = at === -1 ? places.of(node) : places.within(node, at, from)
    problems.push({ ...expressionProblem(whole), ...place })
    return ''
  })
  const words = `${rest}${value.slice(end)}`
  return words === '' ? [] : [{ ...node, value: words }]
}
