import type { Problem } from '../../core/model/diagnostic.ts'
import type { FoundSources } from '../source/find-sources.ts'
import type { MarkdownParser } from '../parser/resolve-parser.ts'
import type { PlacedProblem } from '../source/placed-problem.ts'

/** Said once, at the first article. */
export function fallbackProblems(parser: MarkdownParser, { articles }: FoundSources): PlacedProblem[] {
  const [first] = articles
  if (parser.fallback === undefined || first === undefined) return []
  const problem: Problem = {
    code: 'parser-fallback',
    message: `The native Markdown parser cannot run here (${parser.fallback}); remark-parse is used.`,
    hint: "Install @bruits/satteri-wasm32-wasi for the same output, or set markdown.parser to 'remark' everywhere.",
    line: 1,
    column: 1,
  }
  return [{ source: first.source, problem }]
}
