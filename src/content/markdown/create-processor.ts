import type { Root } from 'hast'
import type { Blockquote, Nodes, Root as Mdast } from 'mdast'
import type { Handler, State } from 'mdast-util-to-hast'
import remarkAdmonitions from 'remark-github-beta-blockquote-admonitions'
import remarkHtml from 'remark-html'
import { unified, type PluggableList } from 'unified'
import { VFile } from 'vfile'
import { KbError, reasonOf } from '../../core/errors/kb-error.ts'
import { assertShallow } from '../parser/nesting-limit.ts'
import type { MarkdownParser } from '../parser/resolve-parser.ts'
import { isComment } from './mdast-to-hast.ts'
import { writeHtml } from './write-html.ts'

export type MarkdownProcessor = ReturnType<typeof createProcessor>

interface Carrier extends Mdast {
  readonly finished: Root
}

// The type is that of handlers for content; the handler of the root must return a root.
const finishedTree = ((_state: State, carrier: Carrier) => carrier.finished) as unknown as Handler

/** Creates the processor that plugins see: remark with the active parser, the plugins, and remark-html. */
export function createProcessor(
  { processor: base }: Pick<MarkdownParser, 'processor'>,
  remarkPlugins: PluggableList,
) {
  const processor = base()
    .use(remarkPlugins)
    // The HTML tree is finished at this point; remark-html only serialises it.
    .use(remarkHtml, { sanitize: false, handlers: { root: finishedTree } })
    .freeze()

  return {
    /**
     * Returns the Markdown tree of `body` after the user's plugins, which get the file name. Throws `CONFIG_INVALID` if
     * a plugin fails or is asynchronous.
     *
     * @param read the tree, if `body` was already parsed
     */
    parse(body: string, source?: string, read?: Mdast) {
      const file = new VFile({ value: body, path: source })
      const parsed = read ?? processor.parse(file)
      // The levels of a tree that was read are counted before its conversion, and again when it becomes HTML.
      if (read === undefined || remarkPlugins.length > 0) assertShallow(parsed)
      const mdast =
        remarkPlugins.length === 0
          ? parsed
          : runPlugins(() => processor.runSync(parsed, file) as Mdast, source)
      markAlerts(mdast, body)
      return { mdast, messages: file.messages }
    },
    /** Returns the HTML of a finished tree, as remark-html writes it. */
    stringify(tree: Root) {
      const html = writeHtml(tree)
      if (html !== undefined) return html
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
        hint: 'Plugins must be synchronous and accept every document. To find the failing one, remove the plugins one by one.',
        cause,
      },
    )
  }
}

const KIND = /^\[!(note|tip|important|warning|caution)\]$/i

const MARK = /\[!(?:note|tip|important|warning|caution)\]/i

const kindOf = (title: string): string => (KIND.exec(title)?.[1] ?? '').toLowerCase()

const transform = remarkAdmonitions.call(unified(), {
  classNameMaps: {
    block: (kind) => ['markdown-alert', `markdown-alert-${kind}`],
    title: 'markdown-alert-title',
  },
  titleFilter: (title) => KIND.test(title),
  titleTextMap: (title) => {
    const kind = kindOf(title)
    return { displayTitle: kind.charAt(0).toUpperCase() + kind.slice(1), checkedTitle: kind }
  },
}) as ((tree: Mdast) => void) | undefined

/** Converts quotes such as `> [!NOTE]` to alerts with GitHub's classes, in place. `body` is the text of `tree`. */
function markAlerts(tree: Mdast, body: string): void {
  if (!MARK.test(body)) return
  const quotes: Mdast = { type: 'root', children: findQuotes(tree, false) }
  const bare = bareMarks(quotes)
  transform?.(quotes)
  for (const { quote, before } of bare) Object.assign(quote, before)
}

/** Collects the outermost quotes, or those within quotes, too. The library takes several times as long to visit a text. */
function findQuotes(node: Nodes, isNested: boolean, found: Blockquote[] = []): Blockquote[] {
  if (node.type === 'blockquote') found.push(node)
  if ('children' in node && (isNested || node.type !== 'blockquote'))
    for (const child of node.children) findQuotes(child, isNested, found)
  return found
}

/** Returns quotes with a mark and no visible content, which GitHub leaves unchanged. */
function bareMarks(tree: Mdast) {
  const found: { quote: Blockquote; before: Pick<Blockquote, 'children' | 'data'> }[] = []
  for (const quote of findQuotes(tree, true)) {
    const [paragraph, ...more] = quote.children
    if (paragraph?.type !== 'paragraph' || !more.every(isNothing)) continue
    const [text, ...rest] = paragraph.children
    if (text?.type !== 'text' || !KIND.test(text.value.trim()) || !rest.every(isNothing)) continue
    const children = [{ ...paragraph, children: [{ ...text }, ...rest] }, ...more]
    found.push({ quote, before: { children, data: quote.data } })
  }
  return found
}

function isNothing(node: Nodes): boolean {
  if (node.type === 'html') return isComment(node.value)
  if (node.type === 'text') return node.value.trim() === ''
  if (node.type === 'paragraph') return node.children.every(isNothing)
  return ['definition', 'footnoteDefinition', 'break'].includes(node.type)
}
