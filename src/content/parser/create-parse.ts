import type { Root } from 'mdast'
import { unified } from 'unified'
import { assertShallow } from './nesting-limit.ts'
import type { MarkdownParser } from './resolve-parser.ts'

/**
 * Markdown to its tree, without plugins of the user.
 *
 * @throws what `isTooDeep` knows
 */
export function createParse(parser: MarkdownParser): (text: string) => Root {
  const processor = unified().use(parser.plugins).freeze()
  return (text) => {
    const tree = processor.parse(text) as Root
    assertShallow(tree)
    return tree
  }
}
