import type { ArticleRecord } from '../../../core/model/target-state.ts'
import { isRecognised, matchesLastSync, mayHaveBeenEdited } from '../../../sync/plan/remote-entry.ts'
import { toRemoteArticle } from '../../../sync/remote/to-remote.ts'
import { type Finding, failureOf, judgeComments, unknown } from '../finding.ts'
import type { TargetFacts } from '../doctor-options.ts'

const MOST_READ = 3

type CommentFacts = Pick<TargetFacts, 'client' | 'lists' | 'state' | 'settings' | 'content'>

/**
 * Reads articles of this project. Those that were sent had a marker, which editing on the target may remove. A claimed
 * article without a marker, but with exactly the HTML that we would send, was sent by a sync, and the target removed
 * the marker. If no article is conclusive, the observation of the last run counts.
 */
export async function checkComments(facts: CommentFacts): Promise<Finding> {
  const { keepsComments, articles } = facts.state
  const listedIds = new Set(facts.lists.dated.map(({ id }) => id))
  const listed = articles.filter(({ id }) => listedIds.has(id))
  const claimed = listed.filter(({ isClaimed }) => isClaimed === true)
  const sent = listed.filter((record) => !isRecognised(record))
  try {
    const seen = (await lookAtSome(sent, facts)) ?? keepsComments ?? (await lookAtSome(claimed, facts))
    if (seen !== undefined) return judgeComments('target.comments', seen)
  } catch (error) {
    return failureOf('target.comments', error)
  }
  return unknown(
    'target.comments',
    'it is not known yet whether the target keeps HTML comments',
    hintOf(articles),
  )
}

function hintOf(articles: readonly ArticleRecord[]): string {
  const probe = 'kb doctor --probe tests it now.'
  if (articles.length === 0) return `The first sync shows it; ${probe}`
  return articles.some((record) => !isRecognised(record))
    ? `An article that was not edited after it was sent shows it; ${probe}`
    : `All your articles were recognised by their text: either the target removed their markers, or they were created there manually. The first article that is sent shows it; ${probe}`
}

/** Returns whether some of the articles show that the target keeps comments; undefined if none is conclusive. */
async function lookAtSome(records: readonly ArticleRecord[], facts: CommentFacts) {
  let isKept: boolean | undefined
  for (const record of records.slice(0, MOST_READ)) {
    isKept = (await lookAt(record, facts)) ?? isKept
    if (isKept === true) break
  }
  return isKept
}

async function lookAt(
  record: ArticleRecord,
  { client, settings, content }: Pick<CommentFacts, 'client' | 'settings' | 'content'>,
): Promise<boolean | undefined> {
  const read = await client.readArticle(record.id)
  if (read === undefined) return undefined
  const remote = toRemoteArticle(read, settings.defaultLanguage)
  if (remote.marker !== undefined) return true
  if (record.isClaimed === true) {
    const article = content?.articles.find(({ key }) => key === record.key)
    const isToTheLetter =
      article !== undefined && content?.readHtml(article).trimEnd() === (read.data.content ?? '').trimEnd()
    return isToTheLetter ? false : undefined
  }
  // An article that was matched only by its title may be foreign.
  const isOurs = record.isUnproven !== true || matchesLastSync(remote, record)
  return isOurs && !mayHaveBeenEdited(remote, record.editedMs) ? false : undefined
}
