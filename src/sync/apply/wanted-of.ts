import type { ArticleWrite } from '../../core/model/plan.ts'
import { type ResolvedArticle, withOriginal } from '../plan/payload.ts'
import type { ApplyContext } from './apply-context.ts'
import type { SendResult } from './send-article.ts'

/** The article to be sent; a translation names the article that its original has become in this run. */
export function wantedOf({ source }: ArticleWrite, { wanted, ledger }: ApplyContext): ResolvedArticle {
  const found = wanted.get(source)
  if (found === undefined) throw new Error(`the plan names ${source}, which is not among the documents`)
  const { originalId, article } = found
  const sentId = ledger.sent.get(article.original ?? '')?.id
  return originalId === undefined || sentId === undefined ? found : withOriginal(found, sentId)
}

/** A translation whose original is not there. */
export function waitForOriginal({ article }: ResolvedArticle): SendResult {
  const reason = `its original ${article.original} is not on the target yet; the next run sends it`
  return { kind: 'waiting', reason }
}
