import { unified, type PluggableList, type Processor } from 'unified'
import { reasonOf } from '../../core/errors/kb-error.ts'
import type { MarkdownOptions } from '../markdown/rendered-body.ts'

/** The Markdown parser in use, with the unified plugins that are it. */
export interface MarkdownParser {
  readonly kind: 'native' | 'remark'
  readonly plugins: PluggableList
  /** Why remark runs although the configuration decides for the native parser: to be reported as parser-fallback. */
  readonly fallback?: string
}

/**
 * The parser that the configuration decides for, wherever it runs: remark where it is asked for by name or where a
 * plugin extends the syntax, else the native one.
 */
export function configuredParser(
  options: Pick<MarkdownOptions, 'parser' | 'remarkPlugins'>,
): MarkdownParser['kind'] {
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
export async function resolveParser(
  options: Pick<MarkdownOptions, 'parser' | 'remarkPlugins'>,
): Promise<MarkdownParser> {
  if (configuredParser(options) === 'remark') return { kind: 'remark', plugins: await loadRemark() }
  try {
    return { kind: 'native', plugins: await loadNative() }
  } catch (error) {
    return { kind: 'remark', plugins: await loadRemark(), fallback: reasonOf(error) }
  }
}

async function loadNative(): Promise<PluggableList> {
  const { parseNatively } = await import('./native-parser.ts')
  return [
    function native(this: Processor) {
      this.parser = parseNatively
    },
  ]
}

async function loadRemark(): Promise<PluggableList> {
  const [parse, gfm] = await Promise.all([import('remark-parse'), import('remark-gfm')])
  return [parse.default, gfm.default]
}
