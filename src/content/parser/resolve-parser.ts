import { remark } from 'remark'
import { unified, type PluggableList, type Processor } from 'unified'
import { reasonOf } from '../../core/errors/kb-error.ts'
import type { Problem } from '../../core/model/diagnostic.ts'
import type { Root } from 'mdast'
import { assertShallow } from './nesting-limit.ts'

/** The settings that determine the parser. */
export interface ParserOptions {
  readonly parser: 'native' | 'remark'
  readonly remarkPlugins: PluggableList
}

type RemarkProcessor = typeof remark

/** The active Markdown parser, as a frozen remark processor. */
export interface MarkdownParser {
  readonly kind: 'native' | 'remark'
  readonly processor: RemarkProcessor
  /** Why remark replaces the configured native parser; reported as parser-fallback. */
  readonly fallback?: string
}

/**
 * Returns the parser that the configuration selects, on any machine: remark if it is configured or if a plugin extends
 * the syntax, otherwise the native one.
 */
export function configuredParser(options: ParserOptions): MarkdownParser['kind'] {
  if (options.parser === 'remark' || options.remarkPlugins.length === 0) return options.parser
  const probe = unified().use(options.remarkPlugins).freeze()
  const data: Record<string, unknown> = { ...probe.data() }
  const extendsSyntax =
    'micromarkExtensions' in data || 'fromMarkdownExtensions' in data || probe.parser !== undefined
  return extendsSyntax ? 'remark' : 'native'
}

/**
 * Loads only the configured parser. If the native one has no binary for this machine, returns remark with the reason in
 * `fallback`.
 */
export async function resolveParser(options: ParserOptions): Promise<MarkdownParser> {
  if (configuredParser(options) === 'remark') return { kind: 'remark', processor: await loadRemark() }
  try {
    return { kind: 'native', processor: await loadNative() }
  } catch (error) {
    return { kind: 'remark', processor: await loadRemark(), fallback: reasonOf(error) }
  }
}

/** Reports once, at the first of `articles`, that a parser other than the configured one is used. */
export function fallbackProblems(
  { fallback }: MarkdownParser,
  [first]: readonly { readonly source: string }[],
): { readonly source: string; readonly problem: Problem }[] {
  if (fallback === undefined || first === undefined) return []
  const problem: Problem = {
    code: 'parser-fallback',
    message: `The native Markdown parser cannot run here (${fallback}); remark-parse is used.`,
    hint: "Install @bruits/satteri-wasm32-wasi for the same output, or set markdown.parser to 'remark' everywhere.",
    line: 1,
    column: 1,
  }
  return [{ source: first.source, problem }]
}

async function loadNative(): Promise<RemarkProcessor> {
  const { parseNatively } = await import('./native-parser.ts')
  function native(this: Processor) {
    this.parser = parseNatively
  }
  return remark().use(native).freeze()
}

async function loadRemark(): Promise<RemarkProcessor> {
  const { default: gfm } = await import('remark-gfm')
  return remark().use(gfm).freeze()
}

/** Parses Markdown to its tree, without the user's plugins. @throws an error for `isTooDeep` */
export function createParse({ processor }: MarkdownParser): (text: string) => Root {
  return (text) => {
    const tree = processor.parse(text)
    assertShallow(tree)
    return tree
  }
}
