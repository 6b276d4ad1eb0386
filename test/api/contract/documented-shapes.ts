// The members and types of every response, written by hand from the specification and not derived from our schemas, so
// that it reveals their mistakes.

export type Shape =
  | 'string'
  | 'number'
  | 'boolean'
  | 'string or null'
  | 'timestamp'
  | 'timestamp or empty'
  | 'status'
  | { readonly list: Shape }
  | { readonly [member: string]: Shape }

const user: Shape = { username: 'string', first_name: 'string', last_name: 'string', email_address: 'string' }
const selectEntry: Shape = { id: 'string', label: 'string', value: 'string' }
const done: Shape = { success: 'boolean', message: 'string' }

/** By operation. */
export const DOCUMENTED = {
  readArticle: {
    success: 'boolean',
    message: 'string',
    data: {
      id: 'string',
      tags_relationship: { list: { id: 'string', tag_id: 'string' } },
      article_relationships: { list: { id: 'string', category_id: 'string' } },
      name: 'string',
      content: 'string',
      slug: 'string',
      excerpt: 'string',
      order_by: 'number',
      status: 'status',
      created_date: 'timestamp',
      article_parent: 'string',
      last_edited_Date: 'timestamp',
      seo_banner_url: 'string',
      hide_from_search: 'boolean',
      article_review_date: 'timestamp or empty',
      language: 'string or null',
      language_parent: 'string or null',
    },
    isDraft: { id: 'string' },
    newVersion: 'boolean',
    categories: { list: selectEntry },
    tags: { list: selectEntry },
  },
  createArticle: done,
  deleteArticle: done,
  listCategories: {
    success: 'boolean',
    message: 'string',
    data: {
      list: {
        id: 'string',
        name: 'string',
        order_by: 'number',
        other_categories_categories_language_parentTocategories: { list: { language: 'string' } },
        other_categories_categories_parent_idTocategories: { name: 'string' },
        article_relationships: {
          added_date: 'timestamp or empty',
          category_id: 'string',
          id: 'string',
          site_id: 'string',
        },
        users_categories_created_byTousers: user,
      },
    },
    languages: { list: 'string' },
    limit: 'number',
  },
  updateCategory: done,
  listReviewDates: {
    success: 'boolean',
    message: 'string',
    data: {
      list: {
        id: 'string',
        name: 'string',
        status: 'status',
        article_review_date: 'timestamp',
        language: 'string or null',
        users_articles_created_byTousers: user,
      },
    },
  },
  listLinks: {
    success: 'boolean',
    message: 'string',
    data: {
      list: {
        id: 'string',
        site_id: 'string',
        article_id: 'string',
        url: 'string',
        created_date: 'timestamp',
        working: 'boolean',
        articles: { id: 'string', name: 'string' },
      },
    },
  },
  readTag: {
    success: 'boolean',
    message: 'string',
    data: {
      id: 'string',
      name: 'string',
      slug: 'string',
      description: 'string',
      long_description: 'string',
      language: 'string or null',
      language_parent: 'string or null',
    },
    newVersion: 'boolean',
  },
  updateTag: done,
} as const satisfies Record<string, Shape>

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/**
 * Returns all positions where `value` differs from the documented form. A list must have an entry, or nothing was
 * checked.
 */
export function differences(value: unknown, shape: Shape, place = 'body'): string[] {
  if (typeof shape === 'string')
    return isOf(value, shape) ? [] : [`${place} is no ${shape}: ${JSON.stringify(value)}`]
  if ('list' in shape) {
    if (!Array.isArray(value) || value.length === 0) return [`${place} is no list with entries`]
    return value.flatMap((entry, index) => differences(entry, shape.list, `${place}[${index}]`))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${place} is no object`]
  const extra = Object.keys(value).filter((member) => !(member in shape))
  return [
    ...extra.map((member) => `${place}.${member} is not documented`),
    ...Object.entries(shape).flatMap(([member, inner]) =>
      member in value
        ? differences((value as Record<string, unknown>)[member], inner, `${place}.${member}`)
        : [`${place}.${member} is missing`],
    ),
  ]
}

function isOf(value: unknown, shape: string): boolean {
  if (shape === 'string or null') return value === null || typeof value === 'string'
  if (shape === 'timestamp') return typeof value === 'string' && TIMESTAMP.test(value)
  if (shape === 'timestamp or empty') return value === '' || isOf(value, 'timestamp')
  if (shape === 'status') return value === 'draft' || value === 'published'
  return typeof value === shape
}
