import type { Root } from 'hast'
import type { Root as Mdast } from 'mdast'
import type { Handler, State } from 'mdast-util-to-hast'
import remarkHtml from 'remark-html'
import { unified, type PluggableList } from 'unified'
import { VFile } from 'vfile'
import { KbError, reasonOf } from '../../core/errors/kb-error.ts'
import { markAlerts } from './alerts.ts'
import { assertShallow } from '../parser/nesting-limit.ts'
import type { MarkdownParser } from '../parser/resolve-parser.ts'

export interface ParsedMarkdown {
  readonly mdast: Mdast
  /** What plugins had to say. */
  readonly messages: VFile['messages']
}

export interface MarkdownProcessor {
  /**
   * The Markdown tree of `body`, after the user's plugins, which are told the file's name. Throws `CONFIG_INVALID` where
   * one of them fails or is asynchronous.
   *
   * @param read the tree, where `body` was parsed already
   */
  parse(body: string, source?: string, read?: Mdast): ParsedMarkdown
  /** HTML of a finished tree, as remark-html writes it. */
  stringify(tree: Root): string
}

interface Carrier extends Mdast {
  readonly finished: Root
}

// Typed for handlers of content; at the root, a root is what is wanted.
const finishedTree = ((_state: State, carrier: Carrier) => carrier.finished) as unknown as Handler

/** The user's view of the rendering: a unified processor with parser, plugins and remark-html as compiler. */
export function createProcessor(parser: MarkdownParser, remarkPlugins: PluggableList): MarkdownProcessor {
  const processor = unified()
    .use(parser.plugins)
    .use(remarkPlugins)
    // Everything between Markdown and HTML is done here already; remark-html is handed the result.
    .use(remarkHtml, { sanitize: false, handlers: { root: finishedTree } })
    .freeze()

  return {
    parse(body, source, read) {
      const file = new VFile({ value: body, path: source })
      const parsed = read ?? (processor.parse(file) as Mdast)
      assertShallow(parsed)
      const mdast =
        remarkPlugins.length === 0
          ? parsed
          : runPlugins(() => processor.runSync(parsed, file) as Mdast, source)
      markAlerts(mdast, body)
      return { mdast, messages: file.messages }
    },
    stringify(tree) {
      const carrier: Carrier = { type: 'root', children: [], finished: tree }
      return processor.stringify(carrier)
    },
  }
}

function runPlugins(run: () => Mdast, source: string | undefined): Mdast {
  try {
    return run()
  } catch (cause) {
    const where = source === undefined ? '' : ` on ${source}`
    throw new KbError(
      'CONFIG_INVALID',
      `A plugin of markdown.remarkPlugins failed${where}: ${reasonOf(cause)}`,
      {
        hint: 'Plugins must be synchronous and accept every document; leave the plugin out to see which one it is.',
        cause,
      },
    )
  }
}
