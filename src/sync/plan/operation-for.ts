import type { Operation } from '../../core/model/plan.ts'
import type { WantedArticle } from './payload.ts'
import type { RemoteEntry } from './remote-entry.ts'

/** An operation on the article of one document. @param entry the article on the target that it is about */
export function operationFor(
  { article }: WantedArticle,
  entry: RemoteEntry | undefined,
  action: Operation['action'],
  reason?: string,
): Operation {
  return {
    kind: 'article',
    action,
    source: article.source,
    slug: article.slug,
    language: article.language,
    id: entry?.id ?? '',
    ...(reason === undefined ? {} : { reason }),
  }
}
