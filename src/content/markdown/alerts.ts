import type { Root } from 'mdast'
import remarkAdmonitions from 'remark-github-beta-blockquote-admonitions'
import { unified } from 'unified'

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
}) as ((tree: Root) => void) | undefined

/** Turns `> [!NOTE]` and its kin into alerts with GitHub's class names, in place; `body` is the text of `tree`. */
export function markAlerts(tree: Root, body: string): void {
  if (MARK.test(body)) transform?.(tree)
}
