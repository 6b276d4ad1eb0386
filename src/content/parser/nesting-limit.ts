// Trees are walked by functions that call themselves, in this code and in the libraries that it uses: a tree that is
// deep enough ends them all. Browsers do not nest deeper than 512 elements either.
import type { Nodes as HastNodes } from 'hast'
import type { Nodes as MdastNodes } from 'mdast'
import type { Problem, SourceRange } from '../../core/model/diagnostic.ts'

const LIMIT = 500

type Nodes = HastNodes | MdastNodes

class NestedTooDeeply extends Error {
  readonly node: Nodes

  constructor(node: Nodes) {
    super(`More than ${LIMIT} levels.`)
    this.node = node
  }
}

/** @throws what `isTooDeep` knows, where the tree has more levels than an article may have */
export function assertShallow(tree: Nodes, depth = 0): void {
  if (depth > LIMIT) throw new NestedTooDeeply(tree)
  if ('children' in tree) for (const child of tree.children) assertShallow(child, depth + 1)
}

/** Whether something failed since a text is nested too deeply; a parser may find that out before `assertShallow` does. */
export function isTooDeep(error: unknown): boolean {
  return (
    error instanceof NestedTooDeeply || (error instanceof RangeError && /call stack/i.test(error.message))
  )
}

/**
 * @param error what `isTooDeep` knows
 * @param rangeOf tells where a node stands; one without position, the text as a whole
 */
export function nestingProblem(
  error: unknown,
  rangeOf: (node: Pick<Nodes, 'position'>) => SourceRange,
): Problem {
  return {
    code: 'nested-too-deeply',
    ...rangeOf(error instanceof NestedTooDeeply ? { position: error.node.position } : {}),
    message: `Quotes, lists, emphasis or HTML elements are nested more than ${LIMIT} levels deep.`,
    hint: 'Close all HTML elements, and remove accidental repetitions.',
  }
}
