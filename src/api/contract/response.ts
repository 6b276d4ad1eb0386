// The responses of our server: exactly the documented members. What a client accepts is in lenient.ts.
import { z } from 'zod'
import {
  key,
  languageField,
  languageParentField,
  reference,
  slugField,
  statusField,
  timestampField,
  timestampOrNone,
} from './fields.ts'

const id = (of: string) => reference(`Identifier of the ${of}.`)
const keyOf = (item: string) => key(`Identifier of the ${item}.`)
const success = z.literal(true).describe('Whether the call was successful.')
const message = z.string().describe('Descriptive text; on failure, the reason.')
const newVersion = z
  .boolean()
  .describe('True when the response is a copy into a new language that does not yet exist.')

/** The creator of an item: personal data, sent only where the specification documents it. */
const creator = z
  .strictObject({
    username: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    email_address: z.string(),
  })
  .meta({ id: 'Creator', description: 'The creating user. Personal data.' })

/** "Article" in the specification. */
const articleResource = z
  .strictObject({
    id: keyOf('article'),
    tags_relationship: z.array(z.strictObject({ id: id('relationship'), tag_id: keyOf('tag') })),
    article_relationships: z.array(
      z.strictObject({ id: id('relationship'), category_id: keyOf('category') }),
    ),
    name: z.string().describe('Title of the article.'),
    content: z.string().describe('HTML.'),
    slug: slugField,
    excerpt: z.string().describe('Short summary.'),
    order_by: z.number().describe('Ordering priority.'),
    status: statusField,
    created_date: timestampField,
    article_parent: reference('Identifier of a parent article, or "".'),
    last_edited_Date: timestampField,
    seo_banner_url: z.string().describe('URL of an SEO banner image.'),
    hide_from_search: z.boolean().describe('True hides the article from search.'),
    article_review_date: timestampOrNone,
    language: languageField,
    language_parent: languageParentField,
  })
  .meta({ id: 'Article' })

/** "Category" in the specification. */
const categoryResource = z
  .strictObject({
    id: keyOf('category'),
    name: z.string().describe('Category name.'),
    order_by: z.number().describe('Ordering priority.'),
    other_categories_categories_language_parentTocategories: z
      .array(z.strictObject({ language: key('Language code.') }))
      .describe('Translations of the category.'),
    other_categories_categories_parent_idTocategories: z
      .strictObject({ name: z.string() })
      .describe('The parent category; its name is "" if there is none.'),
    article_relationships: z
      .strictObject({
        added_date: timestampOrNone,
        category_id: reference(),
        id: reference(),
        site_id: reference(),
      })
      .describe('The latest article relationship; its members are "" if there is none.'),
    users_categories_created_byTousers: creator,
  })
  .meta({ id: 'Category' })

/** "Tag" in the specification. */
const tagResource = z
  .strictObject({
    id: keyOf('tag'),
    name: z.string().describe('Tag name.'),
    slug: slugField,
    description: z.string().describe('Plain description.'),
    long_description: z.string().describe('HTML description.'),
    language: languageField,
    language_parent: languageParentField,
  })
  .meta({ id: 'Tag' })

/** "Select-list entry" in the specification. */
const selectEntry = z
  .strictObject({ id: reference(), label: z.string(), value: key('Identifier of the category or tag.') })
  .meta({ id: 'SelectEntry' })

/** "Review-date entry" in the specification. */
export const reviewDateEntry = z
  .strictObject({
    id: keyOf('article'),
    name: z.string(),
    status: statusField,
    article_review_date: timestampField,
    language: languageField,
    users_articles_created_byTousers: creator,
  })
  .meta({ id: 'ReviewDateEntry' })

/** "Link entry" in the specification. */
export const linkEntry = z
  .strictObject({
    id: id('link'),
    site_id: id('knowledge base'),
    article_id: keyOf('article that contains the link'),
    url: z.string().describe('The URL of the link. URLs of more than 8 KB are not listed.'),
    created_date: timestampField,
    working: z.boolean().describe('Whether the link works.'),
    articles: z.strictObject({ id: id('article'), name: z.string() }),
  })
  .meta({ id: 'LinkEntry' })

const cursor = z
  .string()
  .optional()
  .describe('Extension `paging`: where the next page begins; missing on the last page.')

/** Entry of the extension `changed-since`: what a read of the article returns, except its content. */
const listedArticle = articleResource
  .omit({ content: true })
  .extend({
    content_digest: z.string().describe('SHA-256 of the content in UTF-8, in hex.'),
    content_comment: z
      .string()
      .describe('The last HTML comment in the content, up to 4,000 characters of it; "" if there is none.'),
    isDraft: z
      .strictObject({ id: reference() })
      .describe('The draft version; its id is "" if there is none.'),
    categories: z.array(selectEntry),
    tags: z.array(selectEntry),
    etag: z.string().describe('Extension `etag`: the version of the article, in quotes.'),
  })
  .meta({ id: 'ListedArticle' })

/** Response of the extension `changed-since`. */
export const listArticlesResponse = z
  .strictObject({
    success,
    message,
    data: z.array(listedArticle),
    deleted: z.array(z.string()).describe('Identifiers of articles that were deleted since.'),
    revision: z
      .string()
      .optional()
      .describe('On the last page: the revision to send as changedSince next time.'),
    reset: z
      .boolean()
      .describe(
        'True if the changes since that revision are not known: the list begins again, with all articles.',
      ),
    cursor,
  })
  .meta({ id: 'ListArticlesResponse' })

const leadsTo = (kind: 'article' | 'category' | 'tag') =>
  z
    .strictObject({ id: id(kind), name: z.string() })
    .optional()
    .describe(`The ${kind}, if it leads to one.`)

/** An entry of the extension `redirects`. */
export const redirectEntry = z
  .strictObject({
    slug: z.string().describe('The slug that leads to the article, category or tag.'),
    language: z.string().nullable().describe('Its language; null for the default language.'),
    declared: z
      .boolean()
      .describe('True for an alias, false for a slug that the article, category or tag had.'),
    hits: z.number().describe('How often readers followed it.'),
    last_hit_date: z.string().describe('When readers followed it last; "" if they never did.'),
    created_date: timestampField,
    articles: leadsTo('article'),
    categories: leadsTo('category'),
    tags: leadsTo('tag'),
  })
  .meta({ id: 'RedirectEntry' })

/** Response of every write: create and delete an article, update a category, update a tag. */
export const doneResponse = z.strictObject({ success, message }).meta({ id: 'DoneResponse' })

/** Response of the extension `batch`: a result for each article, in the order of the request. */
export const batchResponse = z
  .strictObject({
    success,
    message,
    results: z.array(
      z.strictObject({
        status: z.int().describe('The HTTP status of the same request for this article alone.'),
        success: z.boolean().describe('Whether the article was written.'),
        message,
        id: z.string().optional().describe('Identifier of the written article.'),
      }),
    ),
  })
  .meta({ id: 'BatchResponse' })

/** Response of the extension `files`: the files that the service lacks. */
export const missingFilesResponse = z
  .strictObject({
    success,
    message,
    data: z.array(z.string()).describe('Names of the files that the service does not have.'),
    limits: z.strictObject({ fileBytes: z.int().describe('The size of the largest file that is stored.') }),
  })
  .meta({ id: 'MissingFilesResponse' })

/** Response of "Read an article" in the specification. */
export const readArticleResponse = z
  .strictObject({
    success,
    message,
    data: articleResource,
    isDraft: z
      .strictObject({ id: reference() })
      .describe('The draft version; its id is "" if there is none.'),
    newVersion,
    categories: z.array(selectEntry),
    tags: z.array(selectEntry),
  })
  .meta({ id: 'ReadArticleResponse' })

/** Response of "List categories" in the specification. */
export const listCategoriesResponse = z
  .strictObject({
    success,
    message,
    data: z.array(categoryResource),
    languages: z.array(z.string()).describe('All language codes enabled for the knowledge base.'),
    limit: z.number().describe("The account's limit of articles."),
  })
  .meta({ id: 'ListCategoriesResponse' })

/** Response of "List review dates" in the specification. */
export const listReviewDatesResponse = z
  .strictObject({ success, message, data: z.array(reviewDateEntry), cursor })
  .meta({ id: 'ListReviewDatesResponse' })

/** Response of "List links" in the specification. */
export const listLinksResponse = z
  .strictObject({ success, message, data: z.array(linkEntry), cursor })
  .meta({ id: 'ListLinksResponse' })

/** Response of the list of the extension `redirects`. */
export const listRedirectsResponse = z
  .strictObject({ success, message, data: z.array(redirectEntry) })
  .meta({ id: 'ListRedirectsResponse' })

/** Response of "Read a tag" in the specification. */
export const readTagResponse = z
  .strictObject({ success, message, data: tagResource, newVersion })
  .meta({ id: 'ReadTagResponse' })

export type ArticleResource = z.infer<typeof articleResource>
export type CategoryResource = z.infer<typeof categoryResource>
export type TagResource = z.infer<typeof tagResource>
export type SelectEntry = z.infer<typeof selectEntry>
export type ReviewDateEntry = z.infer<typeof reviewDateEntry>
export type RedirectEntry = z.infer<typeof redirectEntry>
export type LinkEntry = z.infer<typeof linkEntry>
export type ListedArticleResource = z.infer<typeof listedArticle>
export type ReadArticleResponse = z.infer<typeof readArticleResponse>
