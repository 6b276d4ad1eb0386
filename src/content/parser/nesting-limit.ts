// Trees are processed by recursive functions, here and in libraries, so a very deep tree would overflow the stack.
// Browsers also limit the depth to 512 elements.
import type { Nodes as HastNodes } from 'hast'
import type { Nodes as MdastNodes } from 'mdast'
import type { Problem, SourceRange } from '../../core/model/diagnostic.ts'

export const MOST_LEVELS = 500

type Nodes = HastNodes | MdastNodes

class NestedTooDeeply extends Error {
  readonly node: Nodes

  constructor(node: Nodes) {
    super(`More than ${MOST_LEVELS} levels.`)
    this.node = node
  }
}

/** @throws an error for `isTooDeep` if a node at this depth is deeper than in any article */
export function assertDepth(node: Nodes, depth: number): void {
  if (depth > MOST_LEVELS) throw new NestedTooDeeply(node)
}

/** @throws an error for `isTooDeep` if the tree has more levels than an article may have */
export function assertShallow(tree: Nodes, depth = 0): void {
  assertDepth(tree, depth)
  if ('children' in tree) for (const child of tree.children) assertShallow(child, depth + 1)
}

/** Returns true if an error was caused by excessive nesting. A parser may throw before `assertShallow` does. */
export function isTooDeep(error: unknown): boolean {
  return (
    error instanceof NestedTooDeeply || (error instanceof RangeError && /call stack/i.test(error.message))
  )
}

/**
 * @param error an error for `isTooDeep`
 * @param rangeOf returns the range of a node; for one without position, that of the text
 */
export function nestingProblem(
  error: unknown,
  rangeOf: (node: Pick<Nodes, 'position'>) => SourceRange,
): Problem {
  return {
    code: 'nested-too-deeply',
    ...rangeOf(error instanceof NestedTooDeeply ? { position: error.node.position } : {}),
    message: `Quotes, lists, emphasis or HTML elements are nested more than ${MOST_LEVELS} levels deep.`,
    hint: 'Close all HTML elements, and remove accidental repetitions.',
  }
}
