import { remark } from 'remark'
import { unified, type PluggableList, type Processor } from 'unified'
import { reasonOf } from '../../core/errors/kb-error.ts'
import type { Root } from 'mdast'
import { assertShallow } from './nesting-limit.ts'

/** What of the configuration decides which parser runs. */
export interface ParserOptions {
  readonly parser: 'native' | 'remark'
  readonly remarkPlugins: PluggableList
}

type RemarkProcessor = typeof remark

/** The Markdown parser in use, as a frozen processor of remark that has it. */
export interface MarkdownParser {
  readonly kind: 'native' | 'remark'
  readonly processor: RemarkProcessor
  /** Why remark runs although the configuration decides for the native parser: to be reported as parser-fallback. */
  readonly fallback?: string
}

/**
 * The parser that the configuration decides for, wherever it runs: remark where it is asked for by name or where a
 * plugin extends the syntax, else the native one.
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
 * Loads the configured parser and no other; where the native one has no binary for this machine, remark steps in and
 * `fallback` says why.
 */
export async function resolveParser(options: ParserOptions): Promise<MarkdownParser> {
  if (configuredParser(options) === 'remark') return { kind: 'remark', processor: await loadRemark() }
  try {
    return { kind: 'native', processor: await loadNative() }
  } catch (error) {
    return { kind: 'remark', processor: await loadRemark(), fallback: reasonOf(error) }
  }
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

/**
 * Markdown to its tree, without plugins of the user.
 *
 * @throws what `isTooDeep` knows
 */
export function createParse({ processor }: MarkdownParser): (text: string) => Root {
  return (text) => {
    const tree = processor.parse(text)
    assertShallow(tree)
    return tree
  }
}
