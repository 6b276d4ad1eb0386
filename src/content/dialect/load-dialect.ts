import type { Root } from 'mdast'
import type { Problem, Span } from '../../model/diagnostic.ts'
import type { PresetName } from '../../model/preset-name.ts'
import type { MarkdownOptions } from '../markdown/rendered-body.ts'
import type { MarkdownParser } from '../markdown/resolve-parser.ts'
import type { SourcePlaces } from '../markdown/source-places.ts'
import { containerEdits } from './container-lines.ts'
import { convertTree, type ConvertedTree } from './convert-tree.ts'
import { shortcodeEdits } from './hugo/shortcode-edits.ts'
import { createPlainParser, type DialectParsers, loadParsers } from './load-parsers.ts'
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
  /** Reads the body of `source`; its lines end with line feeds. */
  readonly read: (body: string, source: string | undefined) => DialectText
}

/** The dialect of a configuration; undefined where it is plain Markdown. */
export async function loadDialect(
  options: Pick<MarkdownOptions, 'allow' | 'dialect' | 'elements' | 'remarkPlugins'>,
  parser: MarkdownParser,
): Promise<Dialect | undefined> {
  const { dialect, remarkPlugins } = options
  if (dialect === undefined) return undefined
  const findOwn = (key: 'components' | 'shortcodes') =>
    createFindOwnElement(key, options.elements?.[key], options.allow.tags)
  if (dialect === 'hugo') return hugo(createPlainParser(parser, remarkPlugins), findOwn('shortcodes'))
  const parsers = await loadParsers(parser, remarkPlugins)
  const findComponent = findOwn('components')
  if (dialect === 'docusaurus')
    return { read: (body, source) => readDocusaurus(body, source, parsers, findComponent) }
  return {
    read: (body) =>
      readEdited(body, containerEdits(splitLines(body), dialect), {
        dialect,
        parse: parsers.markdown,
        findOwn: findComponent,
      }),
  }
}

function hugo(parse: (text: string) => Root, findOwn: FindOwnElement): Dialect {
  return {
    read: (body) => {
      const { edits, problems } = shortcodeEdits(body, findOwn)
      return { ...readEdited(body, edits, { dialect: 'hugo', parse, findOwn }), problems }
    },
  }
}

interface Reading {
  readonly dialect: PresetName
  readonly parse: (text: string) => Root
  readonly findOwn: FindOwnElement
}

function readEdited(
  body: string,
  edits: readonly TextEdit[],
  { dialect, parse, findOwn }: Reading,
): Extract<DialectText, { readonly kind: 'text' }> {
  const edited = applyEdits(body, edits)
  const tree = parse(edited.text)
  const convert = (places: SourcePlaces) => convertTree(tree, dialect, places, findOwn)
  return { kind: 'text', ...edited, tree, problems: [], convert }
}

/** All files are MDX; one with the ending .md that is none is plain Markdown, as it may be for Docusaurus itself. */
function readDocusaurus(
  body: string,
  source: string | undefined,
  parsers: DialectParsers,
  findOwn: FindOwnElement,
): DialectText {
  const dialect = 'docusaurus'
  const lines = splitLines(body)
  const containers = containerEdits(lines, dialect)
  const edits = [...containers, ...mdxEdits(body, lines)]
  try {
    return readEdited(body, edits, { dialect, parse: parsers.mdx, findOwn })
  } catch (error) {
    if (!isNoMdx(error)) throw error
    if (source?.endsWith('.mdx') !== true)
      return readEdited(body, containers, { dialect, parse: parsers.markdown, findOwn })
    return { kind: 'problem', problem: mdxProblem(error, applyEdits(body, edits).toWritten) }
  }
}
