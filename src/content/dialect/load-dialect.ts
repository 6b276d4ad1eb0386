import { posix } from 'node:path'
import type { Root } from 'mdast'
import type { Dialect } from '../../core/dialects/dialect.ts'
import { dialectOf } from '../../core/dialects/dialects.ts'
import { type LineEdit, splitLines } from '../../core/dialects/text-lines.ts'
import type { Problem } from '../../core/model/diagnostic.ts'
import { lineStarts, positionIn } from '../source/line-starts.ts'
import type { MarkdownOptions } from '../markdown/rendered-body.ts'
import type { MarkdownParser } from '../parser/resolve-parser.ts'
import type { SourceRanges } from '../markdown/source-ranges.ts'
import { type ConvertedPage, convertTree } from './convert-tree.ts'
import { createPlainParser, type DialectParsers, isNoMdx, loadParsers, mdxProblem } from './mdx-parsers.ts'
import { createFindOwnElement, type FindOwnElement } from './own-elements.ts'
import { createSiteParams, isSiteSetting } from './page-values.ts'
import { settleShortcodes } from './shortcodes/settle-shortcodes.ts'
import { shortcodeEdits } from './shortcodes/shortcode-edits.ts'
import { applyEdits, containerEdits, dialectEdits } from './text-edits.ts'
import type { DialectReader, DialectText } from '../markdown/to-plain-markdown.ts'

/**
 * Creates the reader for texts in the configured dialect; undefined for plain Markdown.
 *
 * @param hasMdx false if none of its files has the extension .mdx: the parsers of MDX take longer to load than a file
 *   takes to compile
 */
export async function loadDialectReader(
  options: MarkdownOptions,
  parser: MarkdownParser,
  hasMdx: boolean,
): Promise<DialectReader | undefined> {
  if (options.dialect === undefined) return undefined
  const { remarkPlugins, elements, allow } = options
  const dialect = dialectOf(options.dialect)
  const { syntax } = dialect.text
  const key = syntax.includes('shortcodes') ? 'shortcodes' : 'components'
  const findOwn = createFindOwnElement(key, elements?.[key], allow)
  if (syntax.includes('shortcodes'))
    return shortcodeReader(createPlainParser(parser, remarkPlugins), dialect, findOwn, options)
  const hasMdxFiles = syntax.includes('mdx-files')
  const readPlain =
    hasMdxFiles && !syntax.includes('containers')
      ? plainReader(createPlainParser(parser, remarkPlugins), dialect, options.siteFiles)
      : undefined
  if (readPlain !== undefined && !hasMdx) return { read: readPlain }
  const parsers = await loadParsers(parser, remarkPlugins)
  const readMdx = mdxReader(dialect, findOwn, parsers)
  const readMarkdown: ReadDialect = (body, _, values) =>
    readEdited(body, dialectEdits(body, dialect), { dialect, values, findOwn }, parsers.markdown)
  const read = syntax.includes('mdx') ? readMdx : readMarkdown
  if (!hasMdxFiles) return { read }
  const readOthers = readPlain ?? read
  return {
    read: (body, source, values) =>
      (source?.endsWith('.mdx') === true ? readMdx : readOthers)(body, source, values),
  }
}

type ReadDialect = DialectReader['read']

/** Leaves the text unchanged. */
const PLAIN = {
  kind: 'text',
  toWritten: undefined,
  problems: [],
  convert: () => ({ problems: [], hasElements: false }),
} as const satisfies Partial<DialectText>

function plainReader(
  parse: (text: string) => Root,
  { text: { rewrite, rewriteSign } }: Dialect,
  siteFiles: MarkdownOptions['siteFiles'],
): ReadDialect {
  return (body) => {
    const isRewritten = rewriteSign === undefined || rewriteSign.test(body)
    const edits = isRewritten ? rewrite?.(body, splitLines(body, false), siteFiles) : undefined
    const edited = applyEdits(body, edits ?? [])
    return { ...PLAIN, ...edited, tree: parse(edited.text) }
  }
}

function shortcodeReader(
  parse: (text: string) => Root,
  dialect: Dialect,
  findOwn: FindOwnElement,
  { frontmatter, siteFiles }: Pick<MarkdownOptions, 'frontmatter' | 'siteFiles'>,
): DialectReader {
  const files = siteFiles ?? []
  const languages = frontmatter?.languages ?? []
  const paramsOf = createSiteParams(files, { dialect, languages })
  const { termIds } = dialect.text
  return {
    namesTerms: termIds !== undefined && isSiteSetting(files, dialect, termIds),
    read: (body, source, values) => {
      const folder = posix.dirname(dialect.paths.splitLanguage(source ?? '', languages).path)
      const written = shortcodeEdits(body, [values, ...paramsOf(source)], dialect, findOwn, folder)
      const { edits, holes, problems } = settleShortcodes(body, written, parse)
      return { ...readEdited(body, edits, { dialect, values, findOwn, holes }, parse), problems }
    },
  }
}

/** Everything known about a page except the text to parse. */
type PageContext = Omit<ConvertedPage, 'text'>

function readEdited(
  body: string,
  edits: readonly LineEdit[],
  page: PageContext,
  parse: (text: string) => Root,
): Extract<DialectText, { readonly kind: 'text' }> {
  const edited = applyEdits(body, edits)
  const tree = parse(edited.text)
  const convert = (ranges: SourceRanges) => convertTree(tree, { ...page, text: edited.text }, ranges)
  return { kind: 'text', ...edited, tree, problems: removedBy(edits, body), convert }
}

function removedBy(edits: readonly LineEdit[], body: string): Problem[] {
  let starts: readonly number[] | undefined
  return edits.flatMap(({ removed, from, to }) => {
    if (removed === undefined) return []
    starts ??= lineStarts(body)
    const end = positionIn(starts, to)
    return [{ code: 'component-removed', ...positionIn(starts, from), end, ...removed }]
  })
}

/** An .md file that is not valid MDX is read as plain Markdown, as the tool itself may do. */
function mdxReader(dialect: Dialect, findOwn: FindOwnElement, parsers: DialectParsers): ReadDialect {
  return (body, source, values) => {
    const page = { dialect, values, findOwn }
    const edits = dialectEdits(body, dialect)
    try {
      return readEdited(body, edits, page, parsers.mdx)
    } catch (error) {
      if (!isNoMdx(error)) throw error
      if (source?.endsWith('.mdx') !== true)
        return readEdited(body, containerEdits(splitLines(body), dialect), page, parsers.markdown)
      return { kind: 'problem', problem: mdxProblem(error, applyEdits(body, edits).toWritten) }
    }
  }
}
