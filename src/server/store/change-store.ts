// The extension `changed-since`: articles in the order of their last changes, which triggers record in the database.
import { hash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { groupBy } from '../../core/group-by.ts'
import { type ArticleHead, articleQueries } from './article-queries.ts'
import { toArticleRecord } from './article-record.ts'
import type { Database } from './query.ts'
import type { NotedChange, ChangePage, ArticleInput } from './store.ts'

/** Maximum length of a stored comment; longer ones are cut, so that a page stays small. */
const LONGEST_COMMENT = 4000

const COMMENT_END = '-->'

/** Returns what a list shows of a content: its SHA-256 in hex, and its last HTML comment or ''. */
export function summarizeContent(content: string): { readonly digest: string; readonly comment: string } {
  const start = content.lastIndexOf('<!--')
  const end = start === -1 ? -1 : content.indexOf(COMMENT_END, start)
  const comment = start === -1 ? '' : content.slice(start, end === -1 ? undefined : end + COMMENT_END.length)
  return {
    digest: hash('sha256', content),
    // Half of a surrogate pair cannot be stored.
    comment: comment.slice(0, LONGEST_COMMENT).toWellFormed(),
  }
}

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

/** The columns that an edit of an article's content sets. */
export function editedColumns({ content }: ArticleInput, date: string) {
  const { digest, comment } = summarizeContent(content)
  return { last_edited_date: date, content_digest: digest, content_comment: comment, digest_date: date }
}
