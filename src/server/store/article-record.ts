import type { ArticleHead, ArticleRow } from './article-queries.ts'
import { DEFAULT_LANGUAGE } from './article-language.ts'
import type { ArticleDraft, StoredArticle, ItemRelation } from './store.ts'

type RelatedRow = ItemRelation & { readonly kind: string }

/** An article as the service speaks of it, out of its row and what hangs on it. */
export function toArticleRecord(row: ArticleRow, related: readonly RelatedRow[]): StoredArticle {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    excerpt: row.excerpt,
    content: row.content,
    order: row.order_by,
    status: row.status,
    hideFromSearch: row.hide_from_search === 1,
    seoBannerUrl: row.seo_banner_url,
    reviewDate: row.review_date ?? '',
    language: row.language === DEFAULT_LANGUAGE ? null : row.language,
    languageParent: row.language_parent,
    articleParent: row.article_parent ?? '',
    createdDate: row.created_date,
    editedDate: row.last_edited_date,
    draftId: related.find(({ kind }) => kind === 'draft')?.id ?? '',
    categories: related.filter(({ kind }) => kind === 'category'),
    tags: related.filter(({ kind }) => kind === 'tag'),
  }
}

/** The fields of a row that belong to the article alone, not to its place among others. */
export function writtenColumns(article: ArticleDraft, present: ArticleHead | undefined) {
  const { hideFromSearch, reviewDate } = article
  return {
    name: article.title,
    slug: article.slug,
    excerpt: article.excerpt,
    content: article.content,
    order_by: article.order,
    status: article.status,
    hide_from_search:
      hideFromSearch === undefined ? (present?.hide_from_search ?? 0) : Number(hideFromSearch),
    seo_banner_url: article.seoBannerUrl ?? present?.seo_banner_url ?? '',
    review_date: reviewDate === undefined ? (present?.review_date ?? null) : reviewDate,
  }
}
