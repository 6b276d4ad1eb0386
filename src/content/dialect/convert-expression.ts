import type { Conversion } from './conversion.ts'
import { readExpression } from './read-expression.ts'
import { paragraphOf, textNode, type TreeNode } from './tree-node.ts'

/** What stands in braces in MDX: comments go, words stay, and for the rest there is a problem. */
export function convertExpression(node: TreeNode, { places, problems }: Conversion): TreeNode[] {
  const code = node.value ?? ''
  const shown = readExpression(code)
  if (shown === '') return []
  if (shown !== undefined) {
    const text = textNode(shown, node.position)
    return node.type === 'mdxFlowExpression' ? [paragraphOf([text])] : [text]
  }
  problems.push({ ...expressionProblem(`{${code}}`), ...places.of(node) })
  return []
}

const SHOWN = 40

export function expressionProblem(written: string) {
  const line = written.replace(/\s+/g, ' ')
  const short = line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line
  return {
    code: 'expression-removed',
    message: `The expression ${short} was removed: no code is run.`,
    hint: 'Write the words themselves; to show braces, write them as `code`.',
  } as const
}
