import type { Document } from '../../core/model/document.ts'
import type { PlacedProblem } from '../source/placed-problem.ts'

/** Problems as they are, without repairs of slugs that would give two articles the same one. */
export function dropTakenSlugs(
  problems: readonly PlacedProblem[],
  documents: readonly Document[],
): readonly PlacedProblem[] {
  if (!problems.some(isRepair)) return problems
  const counts = new Map<string, number>()
  const count = (slug: string) => counts.set(slug, (counts.get(slug) ?? 0) + 1)
  for (const { slug } of documents) count(slug)
  for (const problem of problems) if (isRepair(problem)) count(wantedSlug(problem))
  return problems.map((placed) => {
    if (!isRepair(placed) || counts.get(wantedSlug(placed)) === 1) return placed
    const { fix: _, ...problem } = placed.problem
    return { ...placed, problem }
  })
}

function isRepair({ problem }: PlacedProblem): boolean {
  return problem.code === 'slug-invalid' && problem.fix !== undefined
}

/** As it will be written, without the quotes of YAML. */
function wantedSlug({ problem: { fix = [] } }: PlacedProblem): string {
  return (fix[0]?.text ?? '').replace(/^(["'])(.*)\1$/, '$2')
}
