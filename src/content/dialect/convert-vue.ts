// Texts of VitePress are Vue templates: tags of components stand among those of HTML, and `{{ }}` among the words.
import { misplacedInclude } from '../includes/misplaced-include.ts'
import { mayIncludeInSite } from '../includes/site-include.ts'
import { expressionProblem } from './convert-expression.ts'
import { VOID_ELEMENTS } from '../../model/element-mapping.ts'
import { missingAttribute, openTag, withoutAttribute } from './own-elements.ts'
import { readExpression } from './read-expression.ts'
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
      const own = ownTag(whole, { slash, name, attributes }, node, conversion)
      if (own !== undefined) return own
      if (name === 'Badge') return slash === '/' ? '</sup>' : badge(attributes, whole.endsWith('/>'))
      if (slash === '' && name !== 'ClientOnly') reportComponent(node, name, conversion)
      return ''
    })
  if (value === written) return [node]
  return value.trim() === '' ? [] : [{ ...node, value }]
}

const ATTRIBUTE = /([^\s"'<>=/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>`]+)))?/g

interface WrittenTag {
  readonly slash: string
  readonly name: string
  readonly attributes: string
}

/** The tag of the element that the configuration makes of a component; undefined where it makes none. */
function ownTag(
  whole: string,
  { slash, name, attributes }: WrittenTag,
  node: TreeNode,
  conversion: Conversion,
): string | undefined {
  const written = new Map(
    [...attributes.matchAll(ATTRIBUTE)].flatMap(([, key = '', double, single, bare]) => {
      const value = double ?? single ?? bare ?? ''
      // Vue computes what stands behind a colon; a text it leaves as it is.
      const text = key.startsWith(':') ? readExpression(value) : /^(?:v-|[@#])/.test(key) ? undefined : value
      return text === undefined ? [] : [[key.replace(/^:/, ''), text] as const]
    }),
  )
  const open = conversion.openOwn.get(name) ?? []
  conversion.openOwn.set(name, open)
  const own = slash === '/' ? open.pop() : conversion.findOwn(name, () => Object.fromEntries(written))
  if (slash === '' && !whole.endsWith('/>')) open.push(own)
  if (own === undefined) return undefined
  const { element } = own
  if (slash === '/') return VOID_ELEMENTS.has(element) ? '' : `</${element}>`
  const values = new Map(own.values === undefined ? [] : Object.entries(own.values))
  if (own.values === undefined)
    for (const [key, value] of written) {
      const to = own.nameOf(key)
      if (to !== undefined && !/^(?:class|style)$/.test(to)) values.set(to, value)
    }
  const lacking = missingAttribute(element, (attribute) => values.has(attribute))
  if (lacking !== undefined) {
    conversion.problems.push({
      code: 'component-removed',
      ...conversion.places.ofTag(node, name),
      ...withoutAttribute(`<${name}>`, element, lacking),
    })
  }
  return `${openTag(element, values)}${whole.endsWith('/>') && !VOID_ELEMENTS.has(element) ? `</${element}>` : ''}`
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
