import type { ArticleRecord } from '../../model/target-state.ts'
import { isAsSent } from '../../plan/as-sent.ts'
import { mayHaveBeenEdited } from '../../plan/detect-drift.ts'
import { toRemoteArticle } from '../../sync/remote/to-remote.ts'
import { failureOf, type Finding, unknown } from '../finding.ts'
import { judgeComments } from '../judge-comments.ts'
import type { TargetFacts } from '../target-facts.ts'

const MOST_READ = 3

/**
 * Reads articles that we sent: only they had a marker, and whoever edits one may lose it in an editor. Where they show
 * nothing, what the last run has seen counts.
 */
export async function checkComments(
  facts: Pick<TargetFacts, 'client' | 'lists' | 'state' | 'settings'>,
): Promise<Finding> {
  const listedIds = new Set(facts.lists.dated.map(({ id }) => id))
  const sent = facts.state.articles.filter(({ id, isClaimed }) => listedIds.has(id) && isClaimed !== true)
  try {
    const seen = new Set<Sight>()
    for (const record of sent.slice(0, MOST_READ)) {
      seen.add(await lookAt(record, facts))
      if (seen.has('kept')) break
    }
    const isSeen = seen.has('kept') || seen.has('stripped')
    const isKept = isSeen ? seen.has('kept') : facts.state.keepsComments
    if (isKept !== undefined) return judgeComments('target.comments', isKept)
  } catch (error) {
    return failureOf('target.comments', error)
  }
  return unknown(
    'target.comments',
    'whether HTML comments are kept is not known yet',
    sent.length === 0
      ? 'It is known after the first sync; kb doctor --probe tries it now.'
      : 'An article that was sent, and not edited since, shows it; kb doctor --probe tries it now.',
  )
}

type Sight = 'kept' | 'stripped' | 'nothing'

async function lookAt(
  record: ArticleRecord,
  { client, settings }: Pick<TargetFacts, 'client' | 'settings'>,
): Promise<Sight> {
  const read = await client.readArticle(record.id)
  if (read === undefined) return 'nothing'
  const remote = toRemoteArticle(read, settings.defaultLanguage)
  if (remote.marker !== undefined) return 'kept'
  // What its title alone told may be somebody else's.
  const isOurs = record.isUnproven !== true || isAsSent(remote, record)
  return isOurs && !mayHaveBeenEdited(remote, record.editedMs) ? 'stripped' : 'nothing'
}
