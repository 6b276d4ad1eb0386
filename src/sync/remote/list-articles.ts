import type { ApiClient } from '../../api/client/create-client.ts'
import type { ListedArticle, RemoteCategory } from '../../core/model/remote-article.ts'
import { toLanguage, toRemoteCategory } from './to-remote.ts'

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
