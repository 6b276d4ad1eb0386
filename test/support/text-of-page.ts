import { fromHtml } from 'hast-util-from-html'
import type { Element, Nodes } from 'hast'
import { visit } from 'unist-util-visit'

/** What a built page says, as far as tests ask for it. */
export interface PageText {
  readonly title: string
  readonly description: string
  /** With single spaces. */
  readonly text: string
  /** Every `href` of a link, in their order. */
  readonly links: readonly string[]
}

/** @param html of a whole page; undefined where it was not built, which fails the test that asks */
export function textOfPage(html: string | undefined): PageText {
  if (html === undefined) throw new Error('There is no such page.')
  const links: string[] = []
  let [title, description, text] = ['', '', '']
  visit(fromHtml(html), 'element', (element: Element) => {
    const { tagName, properties } = element
    if (tagName === 'title' && title === '') title = textOf(element)
    if (tagName === 'meta' && properties['name'] === 'description')
      description = String(properties['content'])
    if (tagName === 'a' && typeof properties['href'] === 'string') links.push(properties['href'])
    if (tagName === 'body') text = textOf(element).replaceAll(/\s+/g, ' ')
  })
  return { title, description, text, links }
}

function textOf(node: Nodes): string {
  if (node.type === 'text') return node.value
  if (node.type === 'element' && ['script', 'style'].includes(node.tagName)) return ''
  return 'children' in node ? node.children.map(textOf).join('') : ''
}
