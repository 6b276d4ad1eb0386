import { grouped } from '../../../core/grouped.ts'
import { type Finding, ok, unknown, warning } from '../finding.ts'
import type { TargetFacts } from '../target-facts.ts'
import { counted } from '../../../core/counted.ts'

/** From this share on, an account counts as nearly full. */
const NEARLY_FULL = 0.9

/** The lists show articles with a review date only: there may be more. */
export function checkLimit({ lists, content }: Pick<TargetFacts, 'lists' | 'content'>): Finding {
  const { articleLimit: limit, dated } = lists
  const shown = counted(dated.length, 'article')
  if (limit === undefined) return unknown('target.limit', `${shown} listed; the target names no limit`)
  const files = content?.articles.length ?? 0
  if (files > limit) {
    return warning(
      'target.limit',
      `The files hold ${counted(files, 'article')}; the target takes ${limit}.`,
      'Ask for a higher limit, or leave articles out with exclude.',
    )
  }
  const message = `${shown} of at most ${grouped(limit)} listed`
  if (dated.length < limit * NEARLY_FULL) return ok('target.limit', message)
  return warning(
    'target.limit',
    `The target is nearly full: ${message}, and a replaced article stands there twice for a moment.`,
    'Ask for a higher limit, or delete what is not needed (kb sync --prune deletes articles without a file).',
  )
}
