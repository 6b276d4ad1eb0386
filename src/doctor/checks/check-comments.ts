import { readMarker } from '../../model/marker.ts'
import { failureOf, type Finding, ok, unknown, warning } from '../finding.ts'
import type { TargetFacts } from '../target-facts.ts'

/** A marker may be missing because somebody took it out of one article. */
const MOST_READ = 3

/** Reads articles that state knows as ours: only they had a marker when they were sent. */
export async function checkComments({
  client,
  lists,
  state,
}: Pick<TargetFacts, 'client' | 'lists' | 'state'>): Promise<Finding> {
  const listedIds = new Set(lists.dated.map(({ id }) => id))
  const ours = state.articles.filter(({ id }) => listedIds.has(id)).slice(0, MOST_READ)
  try {
    let read = 0
    for (const { id } of ours) {
      const article = await client.readArticle(id)
      if (article === undefined) continue
      read++
      if (readMarker(article.data.content ?? '') !== undefined) return commentsKept()
    }
    return read > 0
      ? commentsStripped()
      : unknown(
          'target.comments',
          'whether HTML comments are kept is not known yet',
          'It is known after the first sync; kb doctor --probe tries it now.',
        )
  } catch (error) {
    return failureOf('target.comments', error)
  }
}

function commentsKept(): Finding {
  return ok('target.comments', 'comments are kept: every checkout recognises our articles by their marker')
}

export const KEEP_STATE =
  'On build machines keep .kb/state between runs: it is then all that proves which articles are yours.'

function commentsStripped(): Finding {
  return warning(
    'target.comments',
    "The target takes comments out of the HTML, and our marker with them. Without .kb/state, an article that was edited there counts as somebody else's.",
    KEEP_STATE,
  )
}
