/**
 * The reading side of the interface, written a second time from the specification alone: the five reads over node:http, and
 * every documented member checked by hand. It shares no code with src/, so a misreading of the document there does not
 * repeat itself here. A member that is missing, of another type or not documented is an error that names its place.
 */
import { request } from 'node:http'

type Json = Record<string, unknown>
type Check = (value: unknown, at: string) => void

export class ShapeError extends Error {}

export interface ReaderOptions {
  /** The address before `/api/v2`, without a slash at its end. */
  readonly baseUrl: string
  readonly apiKey: string
}

/** A reader whose answers have passed every check; a failure the server reports comes back with `success` false. */
export function createIndependentReader(options: ReaderOptions) {
  const read = async (path: string, members: Check): Promise<Json> => {
    const body = await get(options, path)
    if (body['success'] === false) failure(body, path)
    else members(body, path)
    return body
  }
  return {
    readArticle: (id: string) => read(`/api/v2/articles/${encodeURIComponent(id)}`, articleAnswer),
    listCategories: () => read('/api/v2/categories', categoriesAnswer),
    listReviewDates: () => read('/api/v2/tools/review_dates', reviewDatesAnswer),
    listLinks: () => read('/api/v2/tools/link_manager', linksAnswer),
    readTag: (id: string) => read(`/api/v2/tags/${encodeURIComponent(id)}`, tagAnswer),
  }
}

async function get({ baseUrl, apiKey }: ReaderOptions, path: string): Promise<Json> {
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
  const text = await new Promise<string>((resolve, reject) => {
    const sent = request(`${baseUrl}${path}`, { headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    })
    sent.on('error', reject)
    sent.end()
  })
  return object(JSON.parse(text), path)
}

function fail(at: string, expected: string, value: unknown): never {
  throw new ShapeError(`${at} must be ${expected}, not ${JSON.stringify(value) ?? 'absent'}`)
}

function object(value: unknown, at: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(at, 'an object', value)
  return value as Json
}

const string: Check = (value, at) => {
  if (typeof value !== 'string') fail(at, 'a string', value)
}

const number: Check = (value, at) => {
  if (typeof value !== 'number') fail(at, 'a number', value)
}

const boolean: Check = (value, at) => {
  if (typeof value !== 'boolean') fail(at, 'a boolean', value)
}

const yes: Check = (value, at) => {
  if (value !== true) fail(at, 'true', value)
}

const status: Check = (value, at) => {
  if (value !== 'draft' && value !== 'published') fail(at, 'draft or published', value)
}

/** Sections 2.1 and 2.6: a date-time in UTC. */
const timestamp: Check = (value, at) => {
  if (typeof value !== 'string') fail(at, 'a timestamp', value)
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)) fail(at, 'a timestamp in UTC', value)
  if (Number.isNaN(Date.parse(value))) fail(at, 'a timestamp that exists', value)
}

/** A documented string that holds a timestamp when there is one: the type leaves only '' for none. */
const timestampOrEmpty: Check = (value, at) => (value === '' ? undefined : timestamp(value, at))

const stringOrNull: Check = (value, at) => (value === null ? undefined : string(value, at))

const arrayOf =
  (item: Check): Check =>
  (value, at) => {
    if (!Array.isArray(value)) fail(at, 'an array', value)
    value.forEach((element, index) => item(element, `${at}[${String(index)}]`))
  }

/** An object with exactly these members; `optional` ones may be left out. */
const members =
  (required: Record<string, Check>, optional: Record<string, Check> = {}): Check =>
  (value, at) => {
    const found = object(value, at)
    for (const [name, check] of Object.entries(required)) {
      if (!Object.hasOwn(found, name)) fail(`${at}.${name}`, 'present', undefined)
      check(found[name], `${at}.${name}`)
    }
    for (const name of Object.keys(found)) {
      if (Object.hasOwn(required, name)) continue
      if (!Object.hasOwn(optional, name)) fail(`${at}.${name}`, 'left out: it is not documented', found[name])
      optional[name]?.(found[name], `${at}.${name}`)
    }
  }

const user = members({ username: string, first_name: string, last_name: string, email_address: string })
const selectList = arrayOf(members({ id: string, label: string, value: string }))
const languages = { language: stringOrNull, language_parent: stringOrNull }

const article = members({
  id: string,
  tags_relationship: arrayOf(members({ id: string, tag_id: string })),
  article_relationships: arrayOf(members({ id: string, category_id: string })),
  name: string,
  content: string,
  slug: string,
  excerpt: string,
  order_by: number,
  status,
  created_date: timestamp,
  article_parent: string,
  last_edited_Date: timestamp,
  seo_banner_url: string,
  hide_from_search: boolean,
  article_review_date: timestampOrEmpty,
  ...languages,
})

const category = members({
  id: string,
  name: string,
  order_by: number,
  other_categories_categories_language_parentTocategories: arrayOf(members({ language: string })),
  other_categories_categories_parent_idTocategories: members({ name: string }),
  article_relationships: members({
    added_date: timestampOrEmpty,
    category_id: string,
    id: string,
    site_id: string,
  }),
  users_categories_created_byTousers: user,
})

const reviewDate = members({
  id: string,
  name: string,
  status,
  article_review_date: timestamp,
  language: stringOrNull,
  users_articles_created_byTousers: user,
})

const link = members({
  id: string,
  site_id: string,
  article_id: string,
  url: string,
  created_date: timestamp,
  working: boolean,
  articles: members({ id: string, name: string }),
})

const tag = members({
  id: string,
  name: string,
  slug: string,
  description: string,
  long_description: string,
  ...languages,
})

/** `message` is documented on every read; the lists and the tag use it for an error only, so success may omit it. */
const list = (data: Check, more: Record<string, Check> = {}) =>
  members({ success: yes, data, ...more }, { message: string })

const failure = members({ success: boolean, message: string })

const articleAnswer = members({
  success: yes,
  message: string,
  data: article,
  isDraft: members({ id: string }),
  newVersion: boolean,
  categories: selectList,
  tags: selectList,
})
const categoriesAnswer = list(arrayOf(category), { languages: arrayOf(string), limit: number })
const reviewDatesAnswer = list(arrayOf(reviewDate))
const linksAnswer = list(arrayOf(link))
const tagAnswer = list(tag, { newVersion: boolean })
