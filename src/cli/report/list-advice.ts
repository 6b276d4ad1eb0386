import type { Report } from '../../inspect/report/report.ts'
import { pluralize } from '../../core/pluralize.ts'

/** What to do about all that was found, in the order in which it helps most. */
export function listAdvice({ counts, reviews, links, unowned, exceeded }: Report): string[] {
  const overdue = counts.overdue - counts.acceptedOverdue
  const { overdue: late, due, later, never, undated } = reviews
  const unsent = [late, due, later, never, undated]
    .flatMap(({ entries }) => entries)
    .filter(({ fileDate }) => fileDate !== undefined).length
  const broken = counts.broken - counts.acceptedBroken
  const isGone = links.broken.entries.some(
    ({ article, places, isAccepted }) => !isAccepted && article.file !== undefined && places.length === 0,
  )
  return [
    ...(overdue > 0
      ? ['Read what is overdue again, set a new reviewDate in its file, and run kb sync.']
      : []),
    ...(unsent > 0 ? [`Run kb sync to send ${pluralize(unsent, 'new review date')} of the files.`] : []),
    ...(broken > 0
      ? ['Fix broken links where they stand and run kb sync; they count until the target has looked again.']
      : []),
    ...(isGone
      ? ['Where a broken link is not found in its file, run kb sync: the target has an older text.']
      : []),
    ...(counts.disagreements > 0
      ? [
          'Where the target and the check here disagree, open the link in a browser; fix it if it is dead for you, too.',
        ]
      : []),
    ...(unowned.entries.some(({ kind }) => kind === 'orphan')
      ? ['Run kb sync --prune to delete what kb-sync created and no file has any more.']
      : []),
    ...(exceeded.length > 0
      ? [
          'kb report --baseline kb-baseline.json --write-baseline accepts all of today: then only what is new counts.',
        ]
      : []),
  ]
}
