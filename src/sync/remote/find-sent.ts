import type { RemoteArticle } from '../../model/remote-article.ts'
import { slugKey } from '../../model/slug-key.ts'
import type { ArticleRecord } from '../../model/target-state.ts'
import { isAsSent } from '../../plan/as-sent.ts'

/** The record of what was sent that an article without marker is, to the letter. */
export function findSent(
  remote: RemoteArticle,
  records: readonly ArticleRecord[],
): ArticleRecord | undefined {
  const { language, fields } = remote
  const address = slugKey({ slug: fields.slug, language })
  return records.find((record) => slugKey(record) === address && isAsSent(remote, record))
}
