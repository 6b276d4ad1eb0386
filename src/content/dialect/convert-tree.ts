import type { Root } from 'mdast'
import type { Dialect, DialectSyntax } from '../../core/dialects/dialect.ts'
import { kindIn } from '../../core/dialects/dialects.ts'
import { type Conversion, withoutFilePrefix } from './conversion.ts'
import { convertJsx, isBlockComponent, labelTabs, textAttributes } from './convert-jsx.ts'
import { convertHtml, convertText, hasExpression, interpolate, urlHole } from './convert-vue.ts'
import { convertExpression, keepConstants } from './expressions.ts'
import { dropAttributes } from './attribute-lists.ts'
import { defineTerms } from './definition-lists.ts'
import { createHoles, fillHoles, type Holes } from './holes.ts'
import { createHeadingNames, type HeadingNames, takeId } from './name-headings.ts'
import { alertNode, isAlertName, quoteAlert } from './alerts.ts'
import {
  captionOf,
  codeTabs,
  detailsNode,
  isBlank,
  paragraphOf,
  tabNode,
  PHRASING,
  textNode,
  type TreeNode,
} from './tree-node.ts'
import { CODE_ELEMENTS } from './unresolved.ts'
import type { SourceRanges } from '../markdown/source-ranges.ts'

/** The text of a page, and what is known about the page. */
export interface ConvertedPage extends Pick<Conversion, 'text' | 'dialect' | 'values' | 'findOwn'> {
  /** The missing values of URLs that its text has placeholders for. */
  readonly holes?: Holes
}

/** Converts the tree of a dialect to plain Markdown, in place. */
export function convertTree(tree: Root, page: ConvertedPage, ranges: SourceRanges) {
  const conversion: Conversion = {
    ...page,
    holes: page.holes ?? createHoles(page.text),
    ranges,
    openOwn: new Map(),
    problems: [],
    hasElements: false,
    verbatim: 0,
    code: 0,
    constants: new Map(),
  }
  const root = tree as TreeNode
  // The names of a module are valid in the whole text, even before their definition.
  for (const { type, value = '' } of root.children ?? [])
    if (type === 'mdxjsEsm') keepConstants(value, conversion)
  convertChildren(root, conversion, createHeadingNames(page.dialect))
  fillHoles(root, conversion.holes)
  const { problems, hasElements } = conversion
  return { problems, hasElements }
}

function convertChildren(parent: TreeNode, conversion: Conversion, headings: HeadingNames): void {
  if (parent.children === undefined) return
  const { code, dialect } = conversion
  const { syntax } = dialect.text
  const blocks = syntax.includes('attributes')
    ? dropAttributes(parent.children, conversion.ranges, dialect.text.readAttributes)
    : parent.children
  const children = blocks
    .flatMap((block) => unravel(block, conversion))
    .flatMap((child) => {
      if (child.type === 'heading') headings.name(child)
      labelTabs(child, dialect)
      const isVerbatim = child.type === 'containerDirective' && child.name === 'v-pre'
      const isCode = isCodeElement(child, conversion)
      if (isVerbatim) conversion.verbatim++
      if (isCode) conversion.code++
      convertChildren(child, conversion, headings)
      if (isVerbatim) conversion.verbatim--
      if (isCode) conversion.code--
      return convertNode(child, conversion)
    })
  // Raw HTML ends with its parent.
  conversion.code = code
  const merged = mergeTexts(children)
  parent.children = syntax.includes('definitions') ? defineTerms(merged) : merged
}

function isCodeElement(node: TreeNode, conversion: Conversion): boolean {
  if (!node.type.startsWith('mdxJsx')) return false
  const element = elementNameOf(node, conversion)
  return element === undefined
    ? kindIn(conversion.dialect.text.components, node.name ?? '') === 'code'
    : CODE_ELEMENTS.has(element)
}

/** Returns the element of an MDX tag, or the one from the configuration; undefined if there is none. */
function elementNameOf(node: TreeNode, conversion: Conversion): string | undefined {
  const { name } = node
  if (typeof name !== 'string') return undefined
  if (/^[a-z][a-z\d]*$/.test(name)) return name
  return conversion.findOwn(name, () => textAttributes(node, conversion))?.element
}

/** Unwraps a line that contains only block elements, which is not a paragraph in MDX. */
function unravel(node: TreeNode, conversion: Conversion): TreeNode[] {
  const { children = [] } = node
  const isBlock = (child: TreeNode) => isBlockElement(child, conversion)
  if (node.type !== 'paragraph' || !children.some(isBlock)) return [node]
  if (!children.every((child) => child.type.startsWith('mdx') || isBlank(child))) return [node]
  return children
    .filter((child) => !isBlank(child))
    .map((child) =>
      child.type === 'mdxJsxTextElement' && isBlock(child) ? { ...child, type: 'mdxJsxFlowElement' } : child,
    )
}

function isBlockElement(node: TreeNode, conversion: Conversion): boolean {
  if (node.type !== 'mdxJsxTextElement' || typeof node.name !== 'string') return false
  const element = elementNameOf(node, conversion)
  return element === undefined ? isBlockComponent(node.name, conversion.dialect) : !PHRASING.has(element)
}

function convertNode(node: TreeNode, conversion: Conversion): TreeNode[] {
  const { dialect } = conversion
  const has = (syntax: DialectSyntax) => dialect.text.syntax.includes(syntax)
  switch (node.type) {
    case 'containerDirective':
      return convertContainer(node, conversion)
    case 'textDirective':
      // Within a line, a colon is text: only containers are directives here.
      return [textNode(`:${node.name ?? ''}`, node.position)]
    case 'mdxJsxFlowElement':
    case 'mdxJsxTextElement':
      return convertJsx(node, conversion)
    case 'mdxFlowExpression':
    case 'mdxTextExpression':
      return convertExpression(node, conversion)
    case 'mdxjsEsm':
      return []
    case 'code':
      return convertCode(node, conversion)
    case 'html':
      return has('vue') ? convertHtml(node, conversion) : [node]
    case 'text':
      return has('vue') ? convertText(node, conversion) : [node]
    case 'link':
    case 'image':
    case 'definition':
      if (has('vue') && hasExpression(node, conversion)) return [{ ...node, url: urlHole(node, conversion) }]
      return [node.url === undefined ? node : { ...node, url: withoutFilePrefix(node.url, dialect) }]
    case 'blockquote':
      return [has('titled-quotes') ? quoteAlert(node) : node]
    case 'tableCell': {
      const id = dialect.text.readAttributes && takeId(node, dialect)
      return [id === undefined ? node : { ...node, data: { ...node.data, hProperties: { id } } }]
    }
    case 'list':
      return node.children?.length === 0 ? [] : [node]
    case 'listItem':
      return isEmptied(node, conversion) ? [] : [node]
    case 'paragraph':
      return isLeftOut(node) || isImportedCode(node, conversion) ? [] : [node]
    default:
      return [node]
  }
}

/** Returns true for a paragraph that is empty or requests a table of contents. */
function isLeftOut({ children = [] }: TreeNode): boolean {
  if (children.every(isBlank)) return true
  const [only] = children
  return children.length === 1 && only?.type === 'text' && /^\s*\[\[toc\]\]\s*$/i.test(only.value ?? '')
}

/** Returns true if nothing is left of the content of an item. */
function isEmptied(item: TreeNode, { ranges }: Conversion): boolean {
  return item.children?.length === 0 && !/^(?:[-+*]|\d{1,9}[.)])\s*$/.test(ranges.textOf(item))
}

/** Reports `<<< @/snippets/example.js` if the file cannot be included. */
function isImportedCode({ children = [], position }: TreeNode, conversion: Conversion): boolean {
  const [first] = children
  const file = first?.type === 'text' ? /^<<<[ \t]+(\S+)/.exec(first.value ?? '')?.[1] : undefined
  if (file === undefined || !conversion.dialect.text.syntax.includes('snippets')) return false
  conversion.problems.push({
    code: 'component-removed',
    ...conversion.ranges.of({ position }),
    message: `The code of ${file} was not included: kb-sync only includes Markdown.`,
    hint: 'Write the code into the article, or include a Markdown file that contains it.',
  })
  return true
}

function mergeTexts(children: readonly TreeNode[]): TreeNode[] {
  const merged: TreeNode[] = []
  for (const child of children) {
    const last = merged.at(-1)
    if (child.type === 'text' && last?.type === 'text') merged[merged.length - 1] = joined(last, child)
    else if (last !== undefined && isPartOf(last, child)) last.children?.push(...(child.children ?? []))
    else merged.push(child)
  }
  return merged
}

/** Returns true for lists that components became, which are parts of one. */
function isPartOf(list: TreeNode, { type, data, ordered }: TreeNode): boolean {
  const isPart = type === 'list' && data?.['isPart'] === true && list.data?.['isPart'] === true
  return isPart && list.ordered === ordered
}

function joined(first: TreeNode, second: TreeNode): TreeNode {
  const value = `${first.value ?? ''}${second.value ?? ''}`
  if (first.position === undefined || second.position === undefined) return { ...first, value }
  return { ...first, value, position: { start: first.position.start, end: second.position.end } }
}

/** Converts a container to Markdown blocks. Its children are already converted. */
function convertContainer(node: TreeNode, { dialect, ranges, problems }: Conversion): TreeNode[] {
  const name = node.name ?? ''
  const { title, children } = partsOf(node)
  const body = { ...node, children }
  if (isAlertName(name)) return [alertNode(name, title, body)]
  if (name === 'details') return [detailsNode(title, isOpen(node), body)]
  if (name === 'tab' && title.length > 0) return [tabNode(title, body)]
  if (name === 'code-group') return codeTabs(children)
  const isKnown = dialect.text.containers?.plain.includes(name) === true
  if (!isKnown) {
    const { line, column } = ranges.of(node)
    problems.push({
      code: 'component-removed',
      ...ranges.within(node, 0, endOfLine(ranges.textOf(node))),
      line,
      column,
      message: `The container ":::${name}" is unknown, so only its content was kept.`,
      hint: 'The known containers are details, note, tip, info, important, warning, caution and danger.',
    })
  }
  return title.length > 0 && !isKnown ? [paragraphOf(title), ...children] : children
}

function endOfLine(text: string): number {
  const at = text.indexOf('\n')
  return at === -1 ? text.length : at
}

function partsOf({ children = [] }: TreeNode): { title: TreeNode[]; children: TreeNode[] } {
  const [first, ...rest] = children
  if (first?.data?.['directiveLabel'] !== true) return { title: [], children }
  return { title: first.children ?? [], children: rest }
}

function isOpen({ attributes }: TreeNode): boolean {
  return attributes !== undefined && !Array.isArray(attributes) && 'open' in attributes
}

/** Converts a code block: removes the tool's own syntax and puts the title before it. */
export function convertCode(node: TreeNode, conversion: Conversion): TreeNode[] {
  const { dialect } = conversion
  const { lang, value: written = '' } = node
  const title = titleOf(node, dialect)
  // Only code in a language with this ending is also a template.
  const isTemplate = dialect.text.syntax.includes('vue') && /^[^:{[]+-vue(?![^:{[])/.test(lang ?? '')
  const value = isTemplate ? interpolate(node, written, conversion, () => 'code') : written
  const code: TreeNode = { ...node, value: dialect.text.withoutMarks?.(value) ?? value }
  // `js{1,3-4}`, `js:line-numbers`. Without a language, `title="…"` may come first.
  if (typeof lang === 'string')
    code.lang = /^[^:{[=]+(?!=)(?=[:{[]|$)/.exec(lang)?.[0].replace(/-vue$/, '') ?? null
  return title === undefined ? [code] : [captionOf(title), code]
}

function titleOf({ lang, meta }: TreeNode, { text: { codeTitle } }: Dialect): string | undefined {
  const info = `${lang ?? ''} ${meta ?? ''}`
  return codeTitle === undefined ? /\btitle=(['"])(.+?)\1/.exec(info)?.[2] : codeTitle(info)
}
