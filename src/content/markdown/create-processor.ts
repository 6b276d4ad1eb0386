import type { Root } from 'hast'
import type { Root as Mdast } from 'mdast'
import type { Handler, State } from 'mdast-util-to-hast'
import remarkHtml from 'remark-html'
import { unified, type PluggableList } from 'unified'
import { VFile } from 'vfile'
import { KbError, reasonOf } from '../../errors/kb-error.ts'
import { markAlerts } from './alerts.ts'
import type { MarkdownParser } from './resolve-parser.ts'

export interface MarkdownProcessor {
  /**
   * The Markdown tree of `body`, after the user's plugins. Throws `CONFIG_INVALID` where one of them fails or is
   * asynchronous.
   */
  parse(body: string): Mdast
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
    parse(body) {
      const file = new VFile(body)
      const parsed = processor.parse(file) as Mdast
      const tree =
        remarkPlugins.length === 0 ? parsed : runPlugins(() => processor.runSync(parsed, file) as Mdast)
      markAlerts(tree, body)
      return tree
    },
    stringify(tree) {
      const carrier: Carrier = { type: 'root', children: [], finished: tree }
      return processor.stringify(carrier)
    },
  }
}

function runPlugins(run: () => Mdast): Mdast {
  try {
    return run()
  } catch (cause) {
    throw new KbError('CONFIG_INVALID', `A plugin of markdown.remarkPlugins failed: ${reasonOf(cause)}`, {
      hint: 'Plugins must be synchronous and accept every document; leave the plugin out to see which one it is.',
      cause,
    })
  }
}
