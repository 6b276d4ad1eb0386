// The operations of the service that change nothing, as the specification words them.
import type { ServiceHabits } from './strict-service-quirks.ts'
import type { LaggingList } from './strict-service-lag.ts'
import type { ServiceMemory, StoredArticle } from './strict-service-memory.ts'
import { ok, type Reply } from './strict-service-reply.ts'

const EMPTY_USER = { username: '', first_name: '', last_name: '', email_address: '' }
const EMPTY_RELATIONSHIP = { added_date: '', category_id: '', id: '', site_id: '' }

export interface ServiceReads {
  readonly readArticle: (id: string) => Reply
  readonly readTag: (id: string) => Reply
  readonly listCategories: () => Reply
  readonly listReviewDates: () => Reply
  readonly listLinks: () => Reply
}

export interface ReadOptions {
  readonly habits: ServiceHabits
  readonly memory: ServiceMemory
  readonly unknownId: (what: string) => Reply
  readonly dated: LaggingList
  readonly linked: LaggingList
}

export function createServiceReads({ habits, memory, unknownId, dated, linked }: ReadOptions): ServiceReads {
  const { languages = ['en'], articleLimit = 1000, isSparse = false } = habits
  const { announcedLimit = articleLimit } = habits
  const { byId, categories, tags } = memory
  const wireId = (id: string) => (habits.numericIds === true && /^\d+$/.test(id) ? Number(id) : id)
  /** A member that a sparse service leaves out. */
  const full = <T>(value: T) => (isSparse ? undefined : value)
  /** A member that a sparse service answers with null. */
  const nullable = <T>(value: T) => (isSparse ? null : value)
  const listOf = (data: readonly unknown[]) => (data.length === 0 ? nullable(data) : data)

  function toWire(article: StoredArticle): object {
    const { id, categoryIds, tagIds } = article
    return {
      id: wireId(id),
      tags_relationship: full(tagIds.map((each) => ({ id: `r-${each}`, tag_id: wireId(each) }))),
      article_relationships: full(
        categoryIds.map((each) => ({ id: `r-${each}`, category_id: wireId(each) })),
      ),
      name: article.title,
      content: article.content,
      slug: article.slug,
      excerpt: article.excerpt,
      order_by: article.order,
      status: article.status,
      created_date: new Date(article.createdMs).toISOString(),
      article_parent: nullable(''),
      last_edited_Date: new Date(article.editedMs).toISOString(),
      seo_banner_url: article.seoBannerUrl === '' ? nullable('') : article.seoBannerUrl,
      hide_from_search: article.hideFromSearch ? true : nullable(false),
      article_review_date: article.reviewDate === '' ? nullable('') : `${article.reviewDate}T00:00:00.000Z`,
      language: article.language,
      language_parent: article.languageParent === '' ? null : wireId(article.languageParent),
    }
  }

  function readArticle(id: string): Reply {
    const article = byId.get(id)
    if (article === undefined) return unknownId('article')
    const { categoryIds, tagIds, draftId } = article
    const selected = (value: string, label: string) => ({ id: wireId(value), label, value: wireId(value) })
    return ok({
      message: full(''),
      data: toWire(article),
      isDraft: draftId === '' ? nullable({ id: '' }) : { id: draftId },
      newVersion: full(false),
      categories: categoryIds.map((each) => selected(each, categories.get(each)?.name ?? '')),
      tags: tagIds.map((each) => selected(each, tags.get(each)?.name ?? '')),
    })
  }

  function readTag(id: string): Reply {
    const tag = tags.get(id)
    if (tag === undefined) return unknownId('tag')
    const { name, slug, description, longDescription } = tag
    const texts = { name, slug, description, long_description: longDescription }
    return ok({
      data: { id: wireId(id), ...texts, language: null, language_parent: null },
      newVersion: false,
    })
  }

  function listCategories(): Reply {
    const data = [...categories.values()].map(({ id, name, order, parentId }) => ({
      id: wireId(id),
      name,
      order_by: order,
      other_categories_categories_language_parentTocategories: nullable([]),
      other_categories_categories_parent_idTocategories:
        parentId === '' ? nullable({ name: '' }) : { name: categories.get(parentId)?.name },
      article_relationships: full(EMPTY_RELATIONSHIP),
      users_categories_created_byTousers: full(EMPTY_USER),
    }))
    return ok({ message: full(''), data, languages: full(languages), limit: full(announcedLimit) })
  }

  function listReviewDates(): Reply {
    const data = dated
      .show()
      .filter(({ reviewDate }) => reviewDate !== '' && reviewDate <= (habits.listsUntil ?? reviewDate))
      .map(({ id, title, status, reviewDate, language }) => ({
        id: wireId(id),
        name: nullable(title),
        status: full(status),
        article_review_date: full(`${reviewDate}T00:00:00.000Z`),
        language,
        users_articles_created_byTousers: full(EMPTY_USER),
      }))
    return ok({ data: listOf(data) })
  }

  function listLinks(): Reply {
    const data = linked
      .show()
      .flatMap(({ id, title, content, createdMs }) =>
        [...content.matchAll(/ (?:href|src)=["']((?:https?:|\/)[^"']*)["']/g)].map(([, url], index) => ({
          id: `link-${id}-${index}`,
          site_id: full('site'),
          article_id: wireId(id),
          url,
          created_date: new Date(createdMs).toISOString(),
          working: full(true),
          articles: nullable({ id: wireId(id), name: title }),
        })),
      )
    return ok({ data: listOf(data) })
  }

  return { readArticle, readTag, listCategories, listReviewDates, listLinks }
}
