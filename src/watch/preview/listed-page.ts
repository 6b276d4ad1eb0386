import type { LocalArticle } from '../../core/model/document.ts'
import type { LocalTag } from '../../core/model/taxonomy.ts'
import type { ListedPage, PageLink } from '../../web/pages/page-source.ts'
import type { PreviewState } from './preview-state.ts'

/** An article as lists show it. */
export function listedPage(article: LocalArticle, state: PreviewState): ListedPage {
  const { source, title, slug, language, excerpt, status } = article
  return {
    id: source,
    title,
    slug,
    language: language ?? state.settings().defaultLanguage,
    excerpt,
    isDraft: status === 'draft',
  }
}

/** A category or tag in a language, as far as it is translated. */
export function linkIn(
  entry: PageLink & { readonly translations: LocalTag['translations'] },
  language: string,
): PageLink {
  const { name, slug } = entry.translations[language] ?? entry
  return { name, slug }
}
