import type { SiteView } from '../../index.ts'
import type { LocalePages } from './locale-pages.ts'

/** The data of `usePluginData('kb-sync')`. It is part of every page, so it contains only names and URLs. */
export interface KbGlobalData {
  readonly articles: readonly {
    readonly id: string
    readonly title: string
    readonly url: string
    readonly language: string
    readonly categories: readonly string[]
    readonly tags: readonly string[]
  }[]
  readonly categories: readonly {
    readonly id: string
    readonly name: string
    readonly url: string
    readonly parent: string | null
  }[]
}

/** @param pages pages of the locale, if any */
export function describeContent(view: SiteView, pages: LocalePages | undefined): KbGlobalData {
  const articles = pages?.articles ?? view.articles.map((article) => ({ article, path: article.url }))
  const categories = pages?.categories ?? view.categories.map((each) => ({ ...each, path: each.url }))
  return {
    articles: articles.map(({ article: { id, title, language, categories: ids, tags }, path }) => ({
      id,
      title,
      url: path,
      language,
      categories: ids,
      tags,
    })),
    categories: categories.map(({ id, name, path, parent }) => ({ id, name, url: path, parent })),
  }
}
