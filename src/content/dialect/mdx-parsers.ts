// Parsers for containers and MDX, and the problem of invalid MDX. The native parser reads the syntax on which both are
// known to agree; otherwise remark's does, which the tools themselves use.
import type { Root } from 'mdast'
import type { PluggableList, Processor } from 'unified'
import type { Position, Problem, Span } from '../../core/model/diagnostic.ts'
import { splitLines } from '../../core/dialects/text-lines.ts'
import type { MarkdownParser } from '../parser/resolve-parser.ts'
import type { TreeNode } from './tree-node.ts'
import { tryTo } from '../../core/try-to.ts'

export interface DialectParsers {
  /** Parses Markdown with containers (`:::name[label]`). */
  readonly markdown: (text: string) => Root
  /** Parses MDX with containers. Throws micromark's message, with `reason` and `place`, for invalid MDX. */
  readonly mdx: (text: string) => Root
}

/** Parses plain Markdown without a dialect. */
export function createPlainParser(
  parser: MarkdownParser,
  remarkPlugins: PluggableList,
): (text: string) => Root {
  const processor = parser.processor().use(remarkPlugins).freeze()
  return (text) => processor.parse(text)
}

/** @param remarkPlugins the user's plugins, which may extend the syntax */
export async function loadParsers(
  parser: MarkdownParser,
  remarkPlugins: PluggableList,
): Promise<DialectParsers> {
  const remark = await loadRemark(remarkPlugins)
  if (parser.kind === 'remark') return remark
  const [{ markdownToMdast, mdxToMdast }, { FEATURES }] = await Promise.all([
    import('satteri'),
    import('../parser/native-parser.ts'),
  ])
  const features = { ...FEATURES, directive: true }
  return {
    markdown: (text) => {
      // See `parseNatively` about memory.
      const tree = markdownToMdast(text, { features }) as Root
      return isDoubtful(tree, text) ? remark.markdown(text) : tree
    },
    mdx: (text) => {
      if (mayHoldModules(text)) return remark.mdx(text)
      // The native parser rejects some valid MDX, so the result of remark decides.
      const tree = tryTo(() => mdxToMdast(text, { features }) as Root)
      return tree === undefined || hasMdx(tree) || isDoubtful(tree, text) ? remark.mdx(text) : tree
    },
  }
}

/** The native parser accepts every such line, but only outside containers. */
const MODULE_LINE = /^[ \t>]*(?:import|export)\b/

function mayHoldModules(text: string): boolean {
  if (!text.includes('import') && !text.includes('export')) return false
  return splitLines(text).some((line) => line.kind === 'text' && MODULE_LINE.test(line.text))
}

function hasMdx(node: TreeNode | Root): boolean {
  if (node.type.startsWith('mdx')) return true
  return 'children' in node && (node.children as readonly TreeNode[] | undefined)?.some(hasMdx) === true
}

// Neither the start nor the end of a container. The native parser reads it as an end and loses its text.
const NO_FENCE = /^[ \t>]*:{3,}(?:[ \t]+\S|[^\s:A-Za-z])/m

/**
 * The native parser also reads inline directives, which use brackets and braces of other syntax. In addition, a code
 * fence with `:::` in a container keeps the container open.
 */
function isDoubtful(tree: Root, text: string): boolean {
  if (!text.includes(':')) return false
  if (NO_FENCE.test(text)) return true
  const visit = (node: TreeNode, isWithin: boolean): boolean => {
    if (node.type === 'leafDirective') return true
    // An unmatched fence continues the preceding paragraph in one parser and ends it in the other.
    if (node.type === 'text') return /(?:^|\n)[ \t]*:{3,}/.test(node.value ?? '')
    if (node.type === 'textDirective')
      return /[[{]/.test(text.slice(node.position?.start.offset, node.position?.end.offset))
    if (node.type === 'code' && isWithin) return /^[ \t>]*:{3,}[ \t]*$/m.test(node.value ?? '')
    const isContainer = isWithin || node.type === 'containerDirective'
    return node.children?.some((child) => visit(child, isContainer)) === true
  }
  return visit(tree as TreeNode, false)
}

async function loadRemark(remarkPlugins: PluggableList): Promise<DialectParsers> {
  const [{ remark }, { default: gfm }, { default: directive }, { default: mdx }] = await Promise.all([
    import('remark'),
    import('remark-gfm'),
    import('remark-directive'),
    import('remark-mdx'),
  ])
  const base = remark().use(gfm).use(directive).use(containersOnly).freeze()
  const markdownProcessor = base().use(remarkPlugins).freeze()
  const mdxProcessor = base().use(mdx).use(remarkPlugins).freeze()
  return { markdown: (text) => markdownProcessor.parse(text), mdx: (text) => mdxProcessor.parse(text) }
}

const COLON = 58

interface SyntaxExtension {
  readonly text?: object | undefined
  readonly flow?: Readonly<Record<number, unknown>> | undefined
}

/** Removes inline and leaf directives: `12:30` is a time, and `::name` has no meaning in any of the tools. */
function containersOnly(this: Processor): void {
  const data: { micromarkExtensions?: SyntaxExtension[] | undefined } = this.data()
  data.micromarkExtensions = data.micromarkExtensions?.map((extension) => {
    const constructs = extension.text !== undefined && COLON in extension.text ? extension.flow?.[COLON] : []
    const [container] = [constructs].flat()
    return container === undefined ? extension : { flow: { [COLON]: container } }
  })
}

interface SyntaxMessage extends Error {
  readonly reason: string
  readonly source: string
  readonly place?: Position | { readonly start: Position } | undefined
}

export function isNoMdx(error: unknown): error is SyntaxMessage {
  return error instanceof Error && 'reason' in error && 'source' in error && /mdx/.test(String(error.source))
}

const TAG_PLACE = / ?\((\d+):(\d+)(?:-\d+:\d+)?\)/g

/** @param toWritten maps positions in the parsed text to positions in the body */
export function mdxProblem(error: SyntaxMessage, toWritten: ((span: Span) => Span) | undefined): Problem {
  const place = placeOf(error)
  const { line, column } = toWritten?.(place) ?? place
  const reason = error.reason.replaceAll(TAG_PLACE, '').replace(/\.$/, '')
  return {
    code: 'mdx-syntax',
    line,
    column,
    message: `This is not valid MDX: ${reason}.`,
    hint: 'To show { and < as text, write \\{ and \\<. If the file uses no MDX, change its ending to .md.',
  }
}

/** For an unclosed tag, only the message contains the position. */
function placeOf({ place, reason }: SyntaxMessage): Position {
  const [tag] = reason.matchAll(TAG_PLACE)
  if (place === undefined) return { line: Number(tag?.[1] ?? 1), column: Number(tag?.[2] ?? 1) }
  const { line, column } = 'start' in place ? place.start : place
  return { line, column }
}
