import { type Finding, ok, skipped, warning } from '../finding.ts'
import type { TargetFacts } from '../target-facts.ts'

/** Whether this is still the knowledge base that the last run spoke to. */
export function checkKnown({ lists, state }: Pick<TargetFacts, 'lists' | 'state'>): Finding {
  const known = state.articles.filter(({ id }) => id !== '')
  if (known.length === 0) return skipped('target.known', 'no state knows any article')
  const ids = new Set(lists.dated.map(({ id }) => id))
  const present = known.filter(({ id }) => ids.has(id)).length
  const message = `${present} of the ${known.length} articles that the state knows are listed`
  if (present * 2 >= known.length) return ok('target.known', message)
  return warning(
    'target.known',
    `Only ${message}: they were deleted there, or this is another knowledge base.`,
    'Check the address and the key. kb plan shows what a sync would create again.',
  )
}
