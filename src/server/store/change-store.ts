// The extension `changed-since`: articles in the order of their last changes, which triggers record in the database.
import { setImmediate as turn } from 'node:timers/promises'
import { groupBy } from '../../core/group-by.ts'
import { type ArticleHead, articleQueries } from './article-queries.ts'
import { summarizeContent, toArticleRecord } from './article-record.ts'
import type { Database } from './query.ts'
import type { NotedChange, ChangePage } from './records.ts'

export function createChangeStore(database: Database) {
  const { reader } = database

  /**
   * Lists each article at its last change. An article that changes while the pages are read is listed again, so that a
   * client that reads to the end knows all changes.
   */
  async function listChanges(siteId: string, page: ChangePage): Promise<NotedChange[]> {
    const { after, deletedAfter, limit } = page
    const rows = await reader.all(articleQueries.changes, { siteId, ...after, deletedAfter, limit })
    const ids = rows.flatMap(({ id }) => (id === null ? [] : [{ id }]))
    const related = groupBy(
      ids.length === 0 ? [] : await reader.all(articleQueries.relatedOfAll, { ids: JSON.stringify(ids) }),
      ({ articleId }) => articleId,
    )
    const listed: NotedChange[] = []
    for (const { changedId: id, revision, deleted_date, ...row } of rows) {
      if (deleted_date !== null || row.id === null) listed.push({ kind: 'deleted', id, revision })
      else {
        const head = row as ArticleHead
        const article = toArticleRecord({ ...head, content: '' }, related.get(id) ?? [])
        const { digest, comment } = await summaryOf(head)
        listed.push({
          kind: 'changed',
          id,
          revision,
          article,
          contentDigest: digest,
          contentComment: comment,
        })
      }
    }
    return listed
  }

  /** Articles that an earlier version of the program wrote have no summary: their contents are read, one by one. */
  async function summaryOf(row: ArticleHead): Promise<ReturnType<typeof summarizeContent>> {
    const { content_digest: digest, content_comment: comment } = row
    const isCurrent = row.digest_date === row.last_edited_date
    if (digest !== null && comment !== null && isCurrent) return { digest, comment }
    // Contents may be large, and a page may need hundreds of them, so other requests run in between.
    await turn()
    const stored = await reader.first(articleQueries.contentOf, { id: row.id })
    return summarizeContent(stored?.content ?? '')
  }

  return {
    listChanges,
    /** The revision up to which deletions are no longer known. */
    changesSince: (siteId: string) => database.changesSince(siteId),
  }
}
