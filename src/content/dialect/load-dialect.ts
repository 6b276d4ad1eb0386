import type { Root } from 'mdast'
import type { Problem, Span } from '../../core/model/diagnostic.ts'
import type { MarkdownOptions } from '../markdown/rendered-body.ts'
import type { MarkdownParser } from '../parser/resolve-parser.ts'
import type { SourcePlaces } from '../markdown/source-places.ts'
import { containerEdits } from './container-lines.ts'
import { type ConvertedPage, convertTree, type ConvertedTree } from './convert-tree.ts'
import { createSiteParams } from './hugo/site-params.ts'
import { shortcodeEdits } from './hugo/shortcode-edits.ts'
import { settleShortcodes } from './hugo/settle-shortcodes.ts'
import { createPlainParser, type DialectParsers, loadParsers } from './load-parsers.ts'
import type { PageValues } from './page-values.ts'
import { isNoMdx, mdxProblem } from './mdx-problem.ts'
import { mdxEdits } from './mdx-lines.ts'
import { createFindOwnElement, type FindOwnElement } from './own-elements.ts'
import { applyEdits, type TextEdit } from './text-edits.ts'
import { splitLines } from './text-lines.ts'

/** A text in the Markdown of a tool, on its way to plain Markdown. */
export type DialectText =
  | {
      readonly kind: 'text'
      /** What was parsed: places in the tree are places in it. */
      readonly text: string
      /** From places in `text` to places in the body as it was written; undefined where they are the same. */
      readonly toWritten: ((span: Span) => Span) | undefined
      readonly tree: Root
      /** What the rewriting of the text found, with places as written. */
      readonly problems: readonly Problem[]
      /** Makes plain Markdown of the tree, in place. */
      readonly convert: (places: SourcePlaces) => ConvertedTree
    }
  | { readonly kind: 'problem'; readonly problem: Problem }

export interface Dialect {
  /** Reads the body of `source`, whose lines end with line feeds; `values`: its frontmatter as it is written. */
  readonly read: (body: string, source: string | undefined, values: PageValues) => DialectText
}

/** The dialect of a configuration; undefined where it is plain Markdown. */
export async function loadDialect(
  options: Pick<
    MarkdownOptions,
    'allow' | 'dialect' | 'elements' | 'remarkPlugins' | 'frontmatter' | 'siteFiles'
  >,
  parser: MarkdownParser,
): Promise<Dialect | undefined> {
  const { dialect, remarkPlugins } = options
  if (dialect === undefined) return undefined
  const findOwnIn = (key: 'components' | 'shortcodes') =>
    createFindOwnElement(key, options.elements?.[key], options.allow)
  if (dialect === 'hugo')
    return hugo(createPlainParser(parser, remarkPlugins), findOwnIn('shortcodes'), options)
  const parsers = await loadParsers(parser, remarkPlugins)
  const findOwn = findOwnIn('components')
  if (dialect === 'docusaurus')
    return {
      read: (body, source, values) => readDocusaurus(body, source, { dialect, values, findOwn }, parsers),
    }
  return {
    read: (body, _, values) => {
      const edits = containerEdits(splitLines(body), dialect)
      return readEdited(body, edits, { dialect, values, findOwn }, parsers.markdown)
    },
  }
}

function hugo(
  parse: (text: string) => Root,
  findOwn: FindOwnElement,
  { frontmatter, siteFiles }: Pick<MarkdownOptions, 'frontmatter' | 'siteFiles'>,
): Dialect {
  const paramsOf = createSiteParams(siteFiles ?? [], frontmatter)
  return {
    read: (body, source, values) => {
      const written = shortcodeEdits(body, [values, ...paramsOf(source)], findOwn)
      const { edits, problems } = settleShortcodes(body, written, parse)
      return { ...readEdited(body, edits, { dialect: 'hugo', values, findOwn }, parse), problems }
    },
  }
}

/** All of a page but the text that is parsed of it. */
type PageContext = Omit<ConvertedPage, 'text'>

function readEdited(
  body: string,
  edits: readonly TextEdit[],
  page: PageContext,
  parse: (text: string) => Root,
): Extract<DialectText, { readonly kind: 'text' }> {
  const edited = applyEdits(body, edits)
  const tree = parse(edited.text)
  const convert = (places: SourcePlaces) => convertTree(tree, { ...page, text: edited.text }, places)
  return { kind: 'text', ...edited, tree, problems: [], convert }
}

/** All files are MDX; one with the ending .md that is none is plain Markdown, as it may be for Docusaurus itself. */
function readDocusaurus(
  body: string,
  source: string | undefined,
  page: PageContext,
  parsers: DialectParsers,
): DialectText {
  const lines = splitLines(body)
  const containers = containerEdits(lines, 'docusaurus')
  const edits = [...containers, ...mdxEdits(body, lines)]
  try {
    return readEdited(body, edits, page, parsers.mdx)
  } catch (error) {
    if (!isNoMdx(error)) throw error
    if (source?.endsWith('.mdx') !== true) return readEdited(body, containers, page, parsers.markdown)
    return { kind: 'problem', problem: mdxProblem(error, applyEdits(body, edits).toWritten) }
  }
}
