import type { ApiClient } from '../../api/client/create-client.ts'
import type { ListedArticle, RemoteCategory } from '../../core/model/remote-article.ts'
import { toLanguage, toRemoteCategory } from './to-remote.ts'
import type { AwaitedArticle, TargetState } from '../../core/model/target-state.ts'
import { groupBy } from '../../core/group-by.ts'

/** The lists that every run requests. */
export interface RemoteLists {
  readonly categories: readonly RemoteCategory[]
  /** Enabled languages; empty if the target does not list them. */
  readonly languages: readonly string[]
  readonly articleLimit: number | undefined
  readonly dated: readonly ListedArticle[]
}

/** Requests the two lists that every run needs. Throws what the client throws. */
export async function readRemoteLists(client: ApiClient, defaultLanguage: string): Promise<RemoteLists> {
  const [categoryList, dated] = await Promise.all([
    client.listCategories(),
    listDated(client, { defaultLanguage }),
  ])
  // Services announce 0 or -1 if there is no limit.
  const { limit } = categoryList
  return {
    categories: categoryList.data.map(toRemoteCategory),
    languages: categoryList.languages,
    articleLimit: limit !== undefined && limit > 0 ? limit : undefined,
    dated,
  }
}

/** Returns the list of review dates, the only list with title and language. */
export async function listDated(
  client: ApiClient,
  { defaultLanguage }: { readonly defaultLanguage: string },
): Promise<ListedArticle[]> {
  return client.streamReviewDates(() => {
    const articles: ListedArticle[] = []
    return {
      add: ({ id, name, language }) =>
        articles.push({
          id,
          title: name,
          fromReviewDates: true,
          language: toLanguage(language, defaultLanguage),
        }),
      end: () => articles,
    }
  })
}

export async function listLinked(client: ApiClient): Promise<ListedArticle[]> {
  return client.streamLinks(() => {
    const articles = new Map<string, ListedArticle>()
    return {
      add: ({ article_id: id, articles: article }) => {
        if (!articles.has(id))
          articles.set(id, { id, title: article?.name, fromReviewDates: false, language: null })
      },
      end: () => [...articles.values()],
    }
  })
}

/** The first pause before lists are requested again; each further one is twice as long. */
export const FIRST_LIST_WAIT_MS = 100

/** What is needed to wait for a target's lists. */
export interface Patience {
  /** How long the lists may lag behind the target's writes. */
  readonly settleMs: number
  readonly nowMs: number
  readonly sleep: (ms: number) => Promise<void>
}

/**
 * Waits until the list of review dates shows the articles that an earlier run has sent without learning their ids, but
 * at most `settleMs`.
 *
 * @param dated the current list
 */
export async function awaitListed(
  client: ApiClient,
  dated: readonly ListedArticle[],
  state: TargetState,
  defaultLanguage: string,
  patience: Patience,
): Promise<readonly ListedArticle[]> {
  const { settleMs, nowMs, sleep } = patience
  const leftMs = ({ sentMs }: AwaitedArticle) => sentMs + settleMs - nowMs
  const sent = state.awaited.filter((article) => leftMs(article) > 0)
  const longestMs = sent.reduce((longest, record) => Math.max(longest, Math.min(settleMs, leftMs(record))), 0)
  let listed = dated
  for (let waitedMs = 0, waitMs = FIRST_LIST_WAIT_MS; waitedMs < longestMs; waitedMs += waitMs, waitMs *= 2) {
    if (areListed(sent, listed, state)) break
    await sleep(Math.min(waitMs, longestMs - waitedMs))
    listed = await listDated(client, { defaultLanguage })
  }
  return listed
}

/** Compares titles: an unknown article in the list may be one that was sent. */
function areListed(
  sent: readonly { readonly title: string }[],
  listed: readonly ListedArticle[],
  { articles, foreign }: TargetState,
): boolean {
  const known = new Set([...articles, ...foreign].map(({ id }) => id))
  const unknown = groupBy(
    listed.filter(({ id }) => !known.has(id)),
    ({ title }) => title ?? '',
  )
  return [...groupBy(sent, ({ title }) => title)].every(
    ([title, group]) => (unknown.get(title)?.length ?? 0) >= group.length,
  )
}
