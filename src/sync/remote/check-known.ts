import type { ApiClient } from '../../api/client/create-client.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import type { ListedArticle } from '../../core/model/remote-article.ts'
import type { ArticleRecord } from '../../core/model/target-state.ts'
import { entryOfRecord, entryOfRemote, type RemoteEntry } from '../plan/remote-entry.ts'
import { findSent } from './find-sent.ts'
import { readRemoteArticle } from './read-remote-article.ts'
import type { RemoteIndexOptions } from './remote-index-options.ts'

/** The articles that state knows: still listed as they were, changed in the list (read), or gone. */
export async function checkKnown(
  client: ApiClient,
  listed: ReadonlyMap<string, ListedArticle>,
  records: ReadonlyMap<string, ArticleRecord>,
  options: RemoteIndexOptions,
): Promise<{ entries: RemoteEntry[]; goneIds: Set<string> }> {
  const { project, defaultLanguage } = options
  const { updates, deletedIds } = options.state.unfinished
  const goneIds = new Set<string>()
  const entries = await Promise.all(
    [...records.values()].map(async (record) => {
      const { id } = record
      const article = listed.get(id)
      const isUnsure = record.isUndecided === true || updates.has(id) || deletedIds.has(id)
      if (article !== undefined && !isUnsure && !showsOtherTitle(article, record))
        return entryOfRecord(record)
      const remote = await readRemoteArticle(client, id, defaultLanguage)
      if (remote !== undefined)
        return entryOfRemote(
          remote,
          project,
          findSent(remote, [...(updates.get(id) ?? []), record]) ?? record,
        )
      // What the last run itself has deleted is not missed.
      if (deletedIds.has(id)) return []
      goneIds.add(id)
      return entryOfRecord(record)
    }),
  )
  return { entries: entries.flat(), goneIds }
}

/** A list may leave titles out; the link list's may be old. */
function showsOtherTitle({ fromReviewDates, title }: ListedArticle, record: ArticleRecord): boolean {
  return fromReviewDates && title !== undefined && title !== record.title
}

/**
 * Stops where too many known articles are gone. Those that no file wants count for nothing, nor do those that have a
 * successor: they were replaced, or doubled and cleared up, by another machine.
 *
 * @throws KbError TARGET_DIFFERENT
 */
export function assertSameTarget(
  records: ReadonlyMap<string, ArticleRecord>,
  goneIds: ReadonlySet<string>,
  entries: readonly RemoteEntry[],
  { maxGone, articles }: RemoteIndexOptions,
): void {
  const wanted = new Set(articles.map(({ key }) => key))
  const succeeded = new Set(entries.flatMap(({ id, ours }) => (goneIds.has(id) ? [] : (ours?.key ?? []))))
  const missing = [...goneIds].filter((id) => {
    const key = records.get(id)?.key ?? ''
    return wanted.has(key) && !succeeded.has(key)
  })
  if (missing.length > maxGone(records.size)) throw looksDifferent(missing.length, records.size)
}

function looksDifferent(gone: number, known: number): KbError {
  return new KbError(
    'TARGET_DIFFERENT',
    `${gone} of the ${known} articles that the last run knew are gone from the target: this looks like another knowledge base. Nothing was sent.`,
    {
      hint: 'Check the address and the key. If the articles were deleted on purpose, run again with --yes.',
    },
  )
}
