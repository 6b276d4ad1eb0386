import type { Problem, TextChange } from '../../core/model/diagnostic.ts'
import { pluralize } from '../../core/pluralize.ts'

/** The changes that take white space from ends of lines as one problem, at the first of them; [] where there are none. */
export function trailingSpaceProblem(changes: readonly TextChange[]): Problem[] {
  const [first] = changes
  if (first === undefined) return []
  return [
    {
      code: 'trailing-space',
      message: `White space stands at the end of ${pluralize(changes.length, 'line')}.`,
      hint: 'kb check --fix removes it; many editors do when they save.',
      ...first.start,
      end: first.end,
      fix: changes,
    },
  ]
}

/** What frontmatter and text were found to have, as one problem of the file. */
export function joinTrailingSpaces(problems: readonly Problem[]): Problem[] {
  const found = problems.filter(({ code }) => code === 'trailing-space')
  if (found.length < 2) return [...problems]
  const others = problems.filter(({ code }) => code !== 'trailing-space')
  return [...others, ...trailingSpaceProblem(found.flatMap(({ fix = [] }) => fix))]
}
