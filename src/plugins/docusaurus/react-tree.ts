// Converts article HTML to a JSON tree that React can render, so that the site's own components show links, headings
// and code blocks.
import type { Element, ElementContent, Root, RootContent } from 'hast'
import { fromHtml } from 'hast-util-from-html'
import { toJsxRuntime } from 'hast-util-to-jsx-runtime'
import { visit } from 'unist-util-visit'

/** A text, or an element with React's property names. */
export type ReactTree = string | ReactElement

interface ReactElement {
  /** Name of an HTML element, or of a component of theme/KbContent. */
  readonly name: string
  readonly properties: object
  readonly children: readonly ReactTree[]
}

/** The result for a link. `kind: 'away'` leads away from the pages of this build. */
export type RouteLink = { readonly kind: 'page' | 'away'; readonly href: string }

const ALERT = /^markdown-alert-(note|tip|important|warning|caution)$/
/** Docusaurus' admonitions with similar colours, for GitHub alerts that it does not have. */
const ADMONITIONS: Readonly<Record<string, string>> = { important: 'info', caution: 'danger' }

/** @param html sanitised HTML of an article */
export function toReactTree(html: string, placeLink: (href: string) => RouteLink): readonly ReactTree[] {
  const root = fromHtml(html, { fragment: true })
  visit(root, 'element', (element) => {
    if (element.tagName === 'a') replaceLink(element, placeLink)
    if (element.tagName === 'div') replaceAlert(element)
    if (element.tagName === 'pre') replaceCode(element)
  })
  return drawRoot(root)
}

function replaceLink(element: Element, placeLink: (href: string) => RouteLink): void {
  const { href } = element.properties
  if (typeof href !== 'string') return
  const placed = placeLink(href)
  element.properties['href'] = placed.href
  if (placed.kind === 'away') element.tagName = 'AwayLink'
}

function replaceAlert(element: Element): void {
  const kind = classesOf(element).flatMap((name) => ALERT.exec(name)?.[1] ?? [])[0]
  if (kind === undefined) return
  const [title, ...children] = element.children.filter((child) => !isBlank(child))
  if (title?.type !== 'element' || !classesOf(title).includes('markdown-alert-title')) return
  element.tagName = 'Admonition'
  element.properties = { type: ADMONITIONS[kind] ?? kind, title: textOf(title) }
  element.children = children
}

function replaceCode(element: Element): void {
  const [code, ...others] = element.children
  if (others.length > 0 || code?.type !== 'element' || code.tagName !== 'code') return
  element.tagName = 'CodeBlock'
  element.properties = code.properties
  element.children = [{ type: 'text', value: textOf(code) }]
}

function classesOf({ properties }: Element): readonly string[] {
  const { className } = properties
  return Array.isArray(className) ? className.map(String) : []
}

function isBlank(node: ElementContent): boolean {
  return node.type === 'text' && node.value.trim() === ''
}

function textOf(node: RootContent): string {
  if (node.type === 'text') return node.value
  return node.type === 'element' ? node.children.map(textOf).join('') : ''
}

function drawRoot(root: Root): readonly ReactTree[] {
  const drawn = toJsxRuntime(root, {
    Fragment: '',
    jsx: drawElement,
    jsxs: drawElement,
    ignoreInvalidStyle: true,
  }) as ReactElement
  return drawn.children
}

interface Drawn {
  readonly children?: ReactTree | readonly ReactTree[] | null
}

function drawElement(name: unknown, { children = null, ...properties }: Drawn): unknown {
  const list = Array.isArray(children) ? children : children === null ? [] : [children]
  return { name, properties, children: list }
}
