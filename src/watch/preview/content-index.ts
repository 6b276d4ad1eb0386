import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import { sortedRange } from '../../core/sorted-lists.ts'
import type { ContentLayout } from '../../content/category-tree/content-layout.ts'

export type ContentIndex = Readonly<ReturnType<typeof indexContent>>

/** @param layout layout of this content, or of earlier content with the same articles in the same places */
export function indexContent(content: LoadedContent, layout: ContentLayout, defaultLanguage: string) {
  const { articles } = content
  // A map would have to be built for each edit.
  const bySource = (source: string) => {
    const found = articles[sortedRange(articles, source, (article) => article.source).start]
    return found?.source === source ? found : undefined
  }
  const languageOf = ({ language }: LocalArticle) => language ?? defaultLanguage
  return {
    content,
    layout,
    bySource,
    /** @param language undefined: the default language first, then any */
    find: (slug: string, language: string | undefined) => {
      const named = layout.atSlug(slug)
      const inLanguage = named.find((article) => languageOf(article) === (language ?? defaultLanguage))
      const found = inLanguage ?? (language === undefined ? named[0] : undefined)
      return found && bySource(found.source)
    },
    tagsOf: ({ tags }: LocalArticle) => [...new Set(tags.flatMap((name) => layout.tags.find(name) ?? []))],
    /** The article's versions in other languages. */
    translationsOf: (article: LocalArticle) =>
      layout
        .family(article)
        .flatMap(({ source }) => (source === article.source ? [] : (bySource(source) ?? []))),
  }
}
