// Includes that are specific to tools: `<<< file`, imported partials used as tags, and imports of code as text.
import type { Root } from 'mdast'
import { basename, posix } from 'node:path'
import type { Dialect } from '../../core/dialects/dialect.ts'
import { withoutEscapes } from '../../core/dialects/text-lines.ts'
import {
  type FindToolIncludes,
  type FoundInclude,
  NO_TOOL_INCLUDES,
  QUOTED_SIGN,
  type ToolIncludes,
} from '../includes/find-includes.ts'
import {
  createFindEmbeds,
  createFindMarkedSnippets,
  createFindShortcodeIncludes,
  findQuotedIncludes,
} from './line-includes.ts'
import type { MarkdownParser } from '../parser/resolve-parser.ts'
import { attributeOf } from './convert-jsx.ts'
import { isNoMdx, loadParsers } from './mdx-parsers.ts'
import { applyEdits, dialectEdits, type EditedText } from './text-edits.ts'
import { isBlank, type TreeNode } from './tree-node.ts'

/** Undefined for a tool without own includes. `folders`: their base folders, relative to the content folder. */
export async function loadToolIncludes(
  dialect: Dialect,
  parser: MarkdownParser,
  { contentRoot, folders }: { readonly contentRoot: string; readonly folders: readonly string[] },
): Promise<FindToolIncludes | undefined> {
  const { syntax } = dialect.text
  if (syntax.includes('marked-snippets')) return createFindMarkedSnippets(contentRoot, folders)
  if (syntax.includes('embeds')) return createFindEmbeds(contentRoot)
  if (syntax.includes('shortcodes')) return createFindShortcodeIncludes(contentRoot)
  const hasSnippets = syntax.includes('snippets')
  if (!hasSnippets && !syntax.includes('mdx') && !syntax.includes('mdx-files')) return undefined
  const parsers = await loadParsers(parser, [])
  const read = (text: string) => applyEdits(text, dialectEdits(text, dialect))
  if (hasSnippets) return (text) => findSnippets(text, read, parsers.markdown)
  // The path from the site to the content folder: empty if they are the same.
  const isSite = (await dialect.loadSite()).findConfig?.(contentRoot) !== undefined
  const siteFolder = isSite ? '' : `${basename(contentRoot)}/`
  const alias = dialect.isGeneric === true ? '/' : `@site/${siteFolder}`
  const takesQuoted = syntax.includes('mdx-files')
  return (text, { isArticle }) => {
    const partials = findPartials(text, read, parsers.mdx, alias, isArticle)
    if (!takesQuoted || !QUOTED_SIGN.test(text)) return partials
    return { ...partials, includes: [...partials.includes, ...findQuotedIncludes(text)] }
  }
}

/** Converts a text to the input of the parser. */
type ReadText = (text: string) => EditedText

interface Span {
  readonly start: { readonly line: number; readonly column: number }
  readonly end: { readonly line: number; readonly column: number }
}

/** The text before the content of a line: quote markers, list markers, indentation. */
const PREFIX = /^[\s>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*/

/** Adds the position of an include; `span` is that of the whole construct in the text. */
function placed(span: Span, path: string, lines: readonly string[], isContained: boolean): FoundInclude {
  const { start, end } = span
  const text = lines[start.line - 1] ?? ''
  const written = text.slice(0, start.column - 1)
  const [prefix = ''] = PREFIX.exec(written) ?? []
  const isFirst = written === prefix
  const indent = isContained
    ? prefix.replace(/(?:[-+*]|\d{1,9}[.)])(?=[ \t])/g, (marker) => ' '.repeat(marker.length))
    : ''
  const isOneLine = start.line === end.line
  return {
    path,
    line: start.line - 1,
    at: start.column - 1,
    before: isFirst && isContained ? prefix : indent,
    indent,
    length: isOneLine ? end.column - start.column : text.length - start.column + 1,
    part: undefined,
    tool: { form: { kind: 'markdown' }, end: { line: end.line - 1, at: end.column - 1 }, place: 'block' },
  }
}

function positionOf({ position }: TreeNode): Span {
  const nowhere = { line: 1, column: 1 }
  return position ?? { start: nowhere, end: nowhere }
}

const SNIPPET =
  /^<<<[ \t]*(.+?(?:\.([a-z0-9]+))?)(?:#([\w-]+))?(?:[ \t]?\{(?:\d+(?:[,-]\d+)*)?[ \t]?([^\s}]+)?[^}]*\})?[ \t]*(?:\[([^\]]+)\])?[ \t]*$/

const LONGEST_LINE = 1000

function findSnippets(text: string, read: ReadText, parse: (text: string) => Root): ToolIncludes {
  if (!text.includes('<<<')) return NO_TOOL_INCLUDES
  const lines = text.split('\n')
  const { text: edited, toWritten } = read(text)
  const found: FoundInclude[] = []
  const visit = (node: TreeNode, parents: readonly TreeNode[]): void => {
    if (node.type !== 'paragraph') {
      for (const child of node.children ?? []) visit(child, [...parents, node])
      return
    }
    if (node.children?.[0]?.type !== 'text' || node.children[0].value?.startsWith('<<<') !== true) return
    const span = positionOf(node)
    const { line: first } = toWritten?.(span.start) ?? span.start
    const { line: last } = toWritten?.(span.end) ?? span.end
    for (let line = first; line <= last; line++) {
      const include = snippetAt(line, lines, parents)
      // The text after it belongs to the paragraph.
      if (include === undefined) return
      found.push(include)
    }
  }
  visit(parse(edited) as TreeNode, [])
  return { ...NO_TOOL_INCLUDES, includes: found }
}

function snippetAt(
  line: number,
  lines: readonly string[],
  parents: readonly TreeNode[],
): FoundInclude | undefined {
  const text = (lines[line - 1] ?? '').slice(0, LONGEST_LINE)
  const [prefix = ''] = PREFIX.exec(text) ?? []
  const match = SNIPPET.exec(text.slice(prefix.length))
  if (match === null) return undefined
  const [, path = '', ending, region, lang, written] = match
  const isGroup = parents.at(-1)?.name === 'code-group'
  const title = written ?? (isGroup ? posix.basename(path) : undefined)
  const span = {
    start: { line, column: prefix.length + 1 },
    end: { line, column: (lines[line - 1] ?? '').length + 1 },
  }
  const include = placed(span, path.replace(/^@\//, '/'), lines, areContaining(parents))
  const language = lang?.replace(/:.*$/, '') ?? ending ?? ''
  const form = { kind: 'code', language, meta: title === undefined ? '' : `[${title}]` } as const
  return {
    ...include,
    ...(region !== undefined && { part: { kind: 'region', name: region } }),
    tool: { form, end: { line: line - 1, at: span.end.column - 1 }, place: 'block' },
  }
}

const HOLDS_BLOCKS: ReadonlySet<string> = new Set(['blockquote', 'listItem', 'footnoteDefinition'])

function areContaining(parents: readonly TreeNode[]): boolean {
  return parents.some(({ type }) => HOLDS_BLOCKS.has(type))
}

const IMPORT = /(?<![\w$.'"])import\s+([A-Za-z_$][\w$]*)(?:\s*,[^'";]{0,2000})?\s+from\s+(['"])([^'"\n]+)\2/g

interface Import {
  readonly path: string
  readonly isCode: boolean
}

function importsIn(tree: Root, alias: string): ReadonlyMap<string, Import> {
  const imports = new Map<string, Import>()
  for (const node of (tree as TreeNode).children ?? []) {
    if (node.type !== 'mdxjsEsm') continue
    for (const [, name = '', , text = ''] of (node.value ?? '').matchAll(IMPORT)) {
      const written = withoutEscapes(text)
      const isCode = written.includes('raw-loader!')
      const path = isCode || /\.mdx?$/.test(written) ? pathOf(written, alias) : undefined
      if (path !== undefined) imports.set(name, { path, isCode })
    }
  }
  return imports
}

function findPartials(
  text: string,
  read: ReadText,
  parse: (text: string) => Root,
  alias: string,
  isArticle: boolean,
): ToolIncludes {
  if (!/^import[ \t]/m.test(text)) return NO_TOOL_INCLUDES
  const { text: edited, toWritten } = read(text)
  const tree = parseIfMdx(edited, parse)
  if (tree === undefined) return NO_TOOL_INCLUDES
  const imports = importsIn(tree, alias)
  const droppedLines = new Set<number>()
  const written = text.split('\n')
  const found: FoundInclude[] = []
  const visit = (node: TreeNode, parents: readonly TreeNode[]): void => {
    const { start, end } = positionOf(node)
    const span = { start: toWritten?.({ ...start }) ?? start, end: toWritten?.({ ...end }) ?? end }
    // The article needs its modules. In an included file, which may be anywhere in the article, they would be text.
    if (!isArticle && node.type === 'mdxjsEsm' && !/^export\b/m.test(node.value ?? ''))
      for (let line = span.start.line; line <= span.end.line; line++) droppedLines.add(line - 1)
    const include = partialOf(node, imports)
    if (include === undefined) {
      for (const child of node.children ?? []) visit(child, [...parents, node])
      return
    }
    const place = parents.at(-1)?.type === 'paragraph' && !isRow(parents.at(-1)) ? 'inline' : 'block'
    const { path } = include
    const base = placed(span, path, written, areContaining(parents))
    found.push({
      ...base,
      tool: { form: include.form, end: { line: span.end.line - 1, at: span.end.column - 1 }, place },
    })
  }
  visit(tree as TreeNode, [])
  return { includes: found, droppedLines }
}

function parseIfMdx(text: string, parse: (text: string) => Root): Root | undefined {
  try {
    return parse(text)
  } catch (error) {
    // The renderer of the text reports this.
    if (isNoMdx(error)) return undefined
    throw error
  }
}

/** A paragraph that contains only tags is not a paragraph: see `unravel`. */
function isRow(paragraph: TreeNode | undefined): boolean {
  return paragraph?.children?.every((child) => child.type.startsWith('mdx') || isBlank(child)) === true
}

type Included = { readonly path: string } & Pick<NonNullable<FoundInclude['tool']>, 'form'>

/** Reads `<Part />` or `<CodeBlock>{code}</CodeBlock>` as an include of the imported file. */
function partialOf(node: TreeNode, imports: ReadonlyMap<string, Import>): Included | undefined {
  if (!node.type.startsWith('mdxJsx') || typeof node.name !== 'string') return undefined
  const partial = imports.get(node.name)
  const isEmpty = node.children?.every(isBlank) !== false
  if (partial?.isCode === false && isEmpty) return { path: partial.path, form: { kind: 'markdown' } }
  if (node.name !== 'CodeBlock') return undefined
  const [only, ...others] = (node.children ?? []).filter((child) => !isBlank(child))
  const name = only?.type.endsWith('Expression') === true ? (only.value ?? '').trim() : ''
  const code = others.length === 0 ? imports.get(name) : undefined
  if (code?.isCode !== true) return undefined
  const { path } = code
  const language = attributeOf(node, 'language') ?? posix.extname(path).slice(1)
  const title = attributeOf(node, 'title') ?? ''
  const meta = title === '' ? '' : `title="${title.replaceAll('"', "'")}"`
  return { path, form: { kind: 'code', language, meta } }
}

/**
 * Returns a path as in includes: with a leading slash, from the content folder. Undefined for a package or another part
 * of the site, which cannot be read.
 */
function pathOf(path: string, alias: string): string | undefined {
  const bare = path.slice(path.lastIndexOf('!') + 1)
  if (bare.startsWith(alias)) return `/${bare.slice(alias.length)}`
  return /^\.{1,2}\//.test(bare) ? bare : undefined
}
