import type { RemoteArticle } from '../../core/model/remote-article.ts'
import { slugKey } from '../../core/model/slug-key.ts'
import type { ArticleRecord } from '../../core/model/target-state.ts'
import { matchesLastSync } from '../plan/matches-last-sync.ts'
import { hasDrifted } from '../plan/detect-drift.ts'

/**
 * The record of what was sent that an article without marker is, to the letter; else one of the same slug and title that
 * somebody has edited since: that is drift, and never overwritten unseen.
 */
export function findSent(
  remote: RemoteArticle,
  records: readonly ArticleRecord[],
): ArticleRecord | undefined {
  const { language, fields } = remote
  const address = slugKey({ slug: fields.slug, language })
  const here = records.filter((record) => slugKey(record) === address)
  return (
    here.find((record) => matchesLastSync(remote, record)) ??
    here.find((record) => record.title === fields.title && hasDrifted(record, remote))
  )
}
