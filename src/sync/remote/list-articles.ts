import type { ApiClient } from '../../api/client/create-client.ts'
import type { ListedArticle, RemoteCategory } from '../../core/model/remote-article.ts'
import { toLanguage, toRemoteCategory } from './to-remote.ts'
import type { AwaitedArticle, TargetState } from '../../core/model/target-state.ts'
import { groupBy } from '../../core/group-by.ts'

/** What the lists that every run asks for have shown. */
export interface RemoteLists {
  readonly categories: readonly RemoteCategory[]
  /** Languages that are enabled; empty where the target does not say. */
  readonly languages: readonly string[]
  readonly articleLimit: number | undefined
  readonly dated: readonly ListedArticle[]
}

/** Asks for the two lists that every run needs. Throws what the client throws. */
export async function readRemoteLists(client: ApiClient, defaultLanguage: string): Promise<RemoteLists> {
  const [categoryList, dated] = await Promise.all([
    client.listCategories(),
    listDated(client, { defaultLanguage }),
  ])
  return {
    categories: categoryList.data.map(toRemoteCategory),
    languages: categoryList.languages,
    articleLimit: categoryList.limit,
    dated,
  }
}

/** The review-dates list: the only one that gives title and language. */
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

/** The articles that the list of links names. */
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

const FIRST_WAIT_MS = 100

/** What it takes to wait for a target's lists. */
export interface Patience {
  /** How long the lists may lag behind the target's writes. */
  readonly settleMs: number
  readonly nowMs: number
  readonly sleep: (ms: number) => Promise<void>
}

/**
 * Waits until the review-dates list shows what an earlier run has sent without learning an id, but no longer than the
 * lists may lag.
 *
 * @param dated the list as it is now
 */
export async function awaitListed(
  client: ApiClient,
  dated: readonly ListedArticle[],
  state: TargetState,
  { defaultLanguage, patience }: { readonly defaultLanguage: string; readonly patience: Patience },
): Promise<readonly ListedArticle[]> {
  const { settleMs, nowMs, sleep } = patience
  const leftMs = ({ sentMs }: AwaitedArticle) => sentMs + settleMs - nowMs
  const sent = state.awaited.filter((article) => leftMs(article) > 0)
  const longestMs = sent.reduce((longest, record) => Math.max(longest, Math.min(settleMs, leftMs(record))), 0)
  let listed = dated
  for (let waitedMs = 0, waitMs = FIRST_WAIT_MS; waitedMs < longestMs; waitedMs += waitMs, waitMs *= 2) {
    if (areListed(sent, listed, state)) break
    await sleep(Math.min(waitMs, longestMs - waitedMs))
    listed = await listDated(client, { defaultLanguage })
  }
  return listed
}

/** Told by titles: what is listed and unknown may be what was sent. */
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
