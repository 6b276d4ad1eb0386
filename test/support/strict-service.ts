// A knowledge base of somebody else's making: it follows api-v2.md to the letter and no further, keeps everything in
// memory, and can be given the habits that the document leaves open.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export const SERVICE_KEY = 'key-of-the-service'

/** What happens where a new article's slug is taken. */
export type DuplicateSlugs = 'allowed' | 'refused-409' | 'refused-200' | 'suffixed'

export interface ServiceHabits {
  readonly duplicateSlugs?: DuplicateSlugs
  readonly stripsComments?: boolean
  /** Quotes, entities and white space come back another way. */
  readonly rewritesHtml?: boolean
  /** Members that the document lists are null or missing, all but the ids. */
  readonly isSparse?: boolean
  readonly numericIds?: boolean
  /** How many requests of a list it takes until the list shows a change. */
  readonly listLag?: number
  readonly articleLimit?: number
  /** What it can do beyond the document, and says so. */
  readonly extensions?: readonly ('update' | 'languages')[]
  /** Enabled languages, the default first; default: en. */
  readonly languages?: readonly string[]
  /** Says why a create is refused, or undefined. */
  readonly refuses?: (body: CreateBody) => string | undefined
}

export interface CreateBody {
  readonly title: string
  readonly slug: string
  readonly categories: readonly { readonly value: string }[]
  readonly tags?: readonly { readonly value: string }[]
  readonly excerpt: string
  readonly ordering: number
  readonly status: 'draft' | 'published'
  readonly content: string
  readonly hideFromSearch?: boolean
  readonly seoBannerUrl?: string
  readonly articleReviewDate?: string
  readonly lang?: string
  readonly languageParent?: string
}

/** An article as the service keeps it. */
export interface StoredArticle {
  readonly id: string
  readonly title: string
  readonly slug: string
  readonly content: string
  readonly excerpt: string
  readonly order: number
  readonly status: 'draft' | 'published'
  readonly categoryIds: readonly string[]
  readonly tagIds: readonly string[]
  readonly hideFromSearch: boolean
  readonly seoBannerUrl: string
  readonly reviewDate: string
  readonly language: string | null
  /** '' for an original. */
  readonly languageParent: string
  readonly createdMs: number
  readonly editedMs: number
  readonly draftId: string
}

interface StoredCategory {
  readonly id: string
  readonly name: string
  readonly order: number
  readonly parentId: string
}

interface StoredTag {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly longDescription: string
}

/** One change of the articles, in the order in which they happened. */
export interface ServiceEvent {
  readonly did: 'created' | 'updated' | 'deleted'
  readonly id: string
  readonly slug: string
}

export interface StrictService {
  readonly url: string
  /** `METHOD path` of every request. */
  readonly requests: readonly string[]
  readonly events: readonly ServiceEvent[]
  readonly articles: () => readonly StoredArticle[]
  /** The one article with this slug. */
  readonly articleAt: (slug: string) => StoredArticle
  readonly categories: () => readonly StoredCategory[]
  readonly tags: () => readonly StoredTag[]
  /** Somebody writes an article in the web interface. */
  readonly add: (article: Partial<StoredArticle>) => StoredArticle
  /** Somebody edits an article in the web interface, an hour later. */
  readonly edit: (slug: string, changes: Partial<StoredArticle>) => void
  /** Somebody deletes articles in the web interface. */
  readonly drop: (...slugs: readonly string[]) => void
  /** Changes what it refuses from now on. */
  readonly refuse: (refuses: ServiceHabits['refuses']) => void
  /** Forgets requests and events. */
  readonly forget: () => void
}

const JSON_TYPE = 'application/json'
const EMPTY_USER = { username: '', first_name: '', last_name: '', email_address: '' }
const ALLOWED_MEMBERS = new Set(
  'title slug categories tags excerpt ordering status content hideFromSearch seoBannerUrl articleReviewDate'.split(
    ' ',
  ),
)

const LANGUAGE_MEMBERS = ['lang', 'languageParent']

interface Reply {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Where an article stands, or why it may not stand there. */
type Place =
  | { readonly kind: 'place'; readonly language: string | null; readonly languageParent: string }
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }

/** Starts a service with the categories Guides and Guides/Accounts and the tag Safety; it ends with the test. */
export async function startStrictService(habits: ServiceHabits = {}): Promise<StrictService> {
  const { duplicateSlugs = 'allowed', listLag = 0, articleLimit = 1000, extensions = [] } = habits
  const { languages = ['en'] } = habits
  const allowedMembers = new Set([
    ...ALLOWED_MEMBERS,
    ...(extensions.includes('languages') ? LANGUAGE_MEMBERS : []),
  ])
  const articles = new Map<string, StoredArticle>()
  const categories = new Map<string, StoredCategory>()
  const tags = new Map<string, StoredTag>()
  const requests: string[] = []
  const events: ServiceEvent[] = []
  const listings: (readonly StoredArticle[])[] = []
  let { refuses } = habits
  let lastId = 0
  let nowMs = Date.parse('2026-03-01T10:00:00Z')

  const newId = () => (habits.numericIds === true ? String(++lastId) : `id-${++lastId}`)
  const guides = addCategory('Guides', '')
  addCategory('Accounts', guides)
  const tagId = newId()
  tags.set(tagId, { id: tagId, name: 'Safety', slug: 'safety', description: '', longDescription: '' })

  function addCategory(name: string, parentId: string): string {
    const id = newId()
    categories.set(id, { id, name, order: 0, parentId })
    return id
  }

  function add(article: Partial<StoredArticle>): StoredArticle {
    const id = newId()
    nowMs += 10
    const stored: StoredArticle = {
      id,
      title: 'Untitled',
      slug: id,
      content: '',
      excerpt: '',
      order: 0,
      status: 'draft',
      categoryIds: [guides],
      tagIds: [],
      hideFromSearch: false,
      seoBannerUrl: '',
      reviewDate: '2027-01-01',
      language: null,
      languageParent: '',
      createdMs: nowMs,
      editedMs: nowMs,
      draftId: '',
      ...article,
    }
    articles.set(id, stored)
    events.push({ did: 'created', id, slug: stored.slug })
    return stored
  }

  function articleAt(slug: string): StoredArticle {
    const found = [...articles.values()].filter((article) => article.slug === slug)
    const [first] = found
    if (first === undefined || found.length > 1) throw new Error(`${found.length} articles have ${slug}`)
    return first
  }

  function drop(id: string): void {
    events.push({ did: 'deleted', id, slug: articles.get(id)?.slug ?? '' })
    articles.delete(id)
    for (const article of articles.values())
      if (article.languageParent === id) articles.set(article.id, { ...article, languageParent: '' })
  }

  /** Articles as a list shows them: as they were some lists ago. */
  function listed(): readonly StoredArticle[] {
    listings.push([...articles.values()])
    return listings[Math.max(0, listings.length - 1 - listLag)] ?? []
  }

  /** Why a body is not to be had, whatever it is for. */
  function findWrong(body: CreateBody): Reply | undefined {
    const invalid = findInvalid(body, allowedMembers)
    if (invalid !== undefined) return refusal(400, invalid)
    if (body.categories.some(({ value }) => !categories.has(value))) return refusal(400, 'Unknown category')
    if (body.tags?.some(({ value }) => !tags.has(value)) === true) return refusal(400, 'Unknown tag')
    const reason = refuses?.(body)
    return reason === undefined ? undefined : refusal(400, reason)
  }

  function slugTaken(slug: string): Reply {
    return refusal(duplicateSlugs === 'refused-200' ? 200 : 409, `The slug ${slug} already exists`)
  }

  /** Language and original after a write; what a body leaves out stays. */
  function placeOf(body: CreateBody, present: StoredArticle | undefined): Place {
    const refused = (status: number, message: string) => ({ kind: 'refused', status, message }) as const
    const { lang } = body
    if (lang !== undefined && !languages.includes(lang)) return refused(400, `Unknown language ${lang}`)
    const given = lang === languages[0] ? null : lang
    const language = given === undefined ? (present?.language ?? null) : given
    const languageParent = body.languageParent ?? present?.languageParent ?? ''
    const own = [...articles.values()].filter(
      (other) => present !== undefined && other.languageParent === present.id,
    )
    if (languageParent === '') {
      return own.some((other) => other.language === language)
        ? refused(409, 'It has a translation in this language')
        : { kind: 'place', language, languageParent }
    }
    const original = articles.get(languageParent)
    if (original === undefined) return refused(400, 'Unknown languageParent')
    if (original.languageParent !== '') return refused(400, 'languageParent is a translation')
    if (original.language === language) return refused(400, 'languageParent has the same language')
    if (own.length > 0) return refused(409, 'It has translations')
    const twin = [...articles.values()].find(
      (other) =>
        other.languageParent === languageParent && other.language === language && other.id !== present?.id,
    )
    return twin === undefined
      ? { kind: 'place', language, languageParent }
      : refused(409, `There is a translation already: ${twin.title}`)
  }

  function update(id: string, body: CreateBody): Reply {
    const present = articles.get(id)
    if (present === undefined) return refusal(404, 'No such article')
    const wrong = findWrong(body)
    if (wrong !== undefined) return wrong
    const place = placeOf(body, present)
    if (place.kind === 'refused') return refusal(place.status, place.message)
    const { language, languageParent } = place
    const isTaken = [...articles.values()].some(
      (other) => other.id !== id && other.slug === body.slug && other.language === language,
    )
    if (isTaken && duplicateSlugs !== 'allowed') return slugTaken(body.slug)
    nowMs += 5000
    articles.set(id, {
      ...present,
      title: body.title,
      slug: body.slug,
      content: received(body.content),
      excerpt: body.excerpt,
      order: body.ordering,
      status: body.status,
      categoryIds: body.categories.map(({ value }) => value),
      tagIds: body.tags?.map(({ value }) => value) ?? present.tagIds,
      hideFromSearch: body.hideFromSearch ?? present.hideFromSearch,
      seoBannerUrl: body.seoBannerUrl ?? present.seoBannerUrl,
      reviewDate: body.articleReviewDate ?? present.reviewDate,
      language,
      languageParent,
      editedMs: nowMs,
    })
    events.push({ did: 'updated', id, slug: body.slug })
    return ok({ message: 'Article updated' })
  }

  function create(body: CreateBody): Reply {
    const wrong = findWrong(body)
    if (wrong !== undefined) return wrong
    if (articles.size >= articleLimit) return refusal(403, 'Article limit reached')
    const place = placeOf(body, undefined)
    if (place.kind === 'refused') return refusal(place.status, place.message)
    const { language, languageParent } = place
    const slug = freeSlug(body.slug, language)
    if (slug === undefined) return slugTaken(body.slug)
    const { title, excerpt, ordering: order, status, hideFromSearch = false, seoBannerUrl = '' } = body
    add({
      title,
      slug,
      content: received(body.content),
      excerpt,
      order,
      status,
      categoryIds: body.categories.map(({ value }) => value),
      tagIds: (body.tags ?? []).map(({ value }) => value),
      hideFromSearch,
      seoBannerUrl,
      reviewDate: body.articleReviewDate ?? '',
      language,
      languageParent,
    })
    return { status: 200, body: { success: true, message: `Article ${title} created` } }
  }

  function freeSlug(wanted: string, language: string | null): string | undefined {
    const beside = [...articles.values()].filter((article) => article.language === language)
    const taken = new Set(beside.map(({ slug }) => slug))
    if (!taken.has(wanted) || duplicateSlugs === 'allowed') return wanted
    if (duplicateSlugs !== 'suffixed') return undefined
    let number = 2
    while (taken.has(`${wanted}-${number}`)) number++
    return `${wanted}-${number}`
  }

  function received(html: string): string {
    const kept = habits.stripsComments === true ? html.replace(/<!--.*?-->/gs, '') : html
    return habits.rewritesHtml === true
      ? kept.replaceAll('</p>\n', '</p>').replaceAll('&#39;', "'").replaceAll('<p>', '<p class="text">')
      : kept
  }

  const wireId = (id: string) => (habits.numericIds === true && /^\d+$/.test(id) ? Number(id) : id)
  /** A member that a sparse service leaves out. */
  const full = <T>(value: T) => (habits.isSparse === true ? undefined : value)
  /** A member that a sparse service answers with null. */
  const nullable = <T>(value: T) => (habits.isSparse === true ? null : value)

  function readArticle(id: string): Reply {
    const article = articles.get(id)
    if (article === undefined) return refusal(404, 'No such article')
    const { categoryIds, tagIds } = article
    const selected = (value: string, label: string) => ({ id: wireId(value), label, value: wireId(value) })
    const data = {
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
    const isDraft = article.draftId === '' ? nullable({ id: '' }) : { id: article.draftId }
    const selections = {
      categories: categoryIds.map((each) => selected(each, categories.get(each)?.name ?? '')),
      tags: tagIds.map((each) => selected(each, tags.get(each)?.name ?? '')),
    }
    return ok({ message: full(''), data, isDraft, newVersion: full(false), ...selections })
  }

  function listCategories(): Reply {
    const data = [...categories.values()].map(({ id, name, order, parentId }) => ({
      id: wireId(id),
      name,
      order_by: order,
      other_categories_categories_language_parentTocategories: nullable([]),
      other_categories_categories_parent_idTocategories:
        parentId === '' ? nullable({ name: '' }) : { name: categories.get(parentId)?.name },
      article_relationships: full({ added_date: '', category_id: '', id: '', site_id: '' }),
      users_categories_created_byTousers: full(EMPTY_USER),
    }))
    return ok({ message: full(''), data, languages: full(languages), limit: full(articleLimit) })
  }

  function listReviewDates(): Reply {
    const data = listed()
      .filter(({ reviewDate }) => reviewDate !== '')
      .map(({ id, title, status, reviewDate, language }) => ({
        id: wireId(id),
        name: nullable(title),
        status: full(status),
        article_review_date: full(`${reviewDate}T00:00:00.000Z`),
        language,
        users_articles_created_byTousers: full(EMPTY_USER),
      }))
    return ok({ data })
  }

  function listLinks(): Reply {
    const data = [...articles.values()].flatMap(({ id, title, content, createdMs }) =>
      [...content.matchAll(/ (?:href|src)="((?:https?:|\/)[^"]*)"/g)].map(([, url], index) => ({
        id: `link-${id}-${index}`,
        site_id: full('site'),
        article_id: wireId(id),
        url,
        created_date: new Date(createdMs).toISOString(),
        working: full(true),
        articles: nullable({ id: wireId(id), name: title }),
      })),
    )
    return ok({ data })
  }

  function updateCategory(id: string, body: Record<string, unknown>): Reply {
    const category = categories.get(id)
    const { name, slug, priority, categoryParent = category?.parentId, lang } = body
    if (category === undefined) return refusal(404, 'No such category')
    if (typeof name !== 'string' || typeof slug !== 'string' || typeof lang !== 'string')
      return refusal(400, 'name, slug and lang are required')
    if (typeof priority !== 'number') return refusal(400, 'priority is required')
    categories.set(id, { id, name, order: priority, parentId: String(categoryParent) })
    return ok({ message: 'Category updated' })
  }

  function readTag(id: string): Reply {
    const tag = tags.get(id)
    if (tag === undefined) return refusal(404, 'No such tag')
    const { name, slug, description, longDescription } = tag
    const texts = { name, slug, description, long_description: longDescription }
    return ok({
      data: { id: wireId(id), ...texts, language: null, language_parent: null },
      newVersion: false,
    })
  }

  function updateTag(id: string, body: Record<string, unknown>): Reply {
    const tag = tags.get(id)
    const { name, slug, description = tag?.description, longDescription = tag?.longDescription, lang } = body
    if (tag === undefined || body['id'] !== id) return refusal(404, 'No such tag')
    if (typeof name !== 'string' || typeof slug !== 'string' || typeof lang !== 'string')
      return refusal(400, 'name, slug and lang are required')
    tags.set(id, {
      id,
      name,
      slug,
      description: String(description),
      longDescription: String(longDescription),
    })
    return ok({ message: 'Tag updated' })
  }

  function answer(method: string, path: string, body: unknown): Reply {
    const [, kind = '', id = ''] =
      /^\/api\/v2\/(articles|categories|tags|tools)(?:\/([^/]+))?$/.exec(path) ?? []
    switch (`${method} ${kind}${id === '' ? '' : '/'}`) {
      case 'GET articles/':
        return readArticle(id)
      case 'PUT articles':
        return create(body as CreateBody)
      case 'POST articles/':
        if (extensions.includes('update')) return update(id, body as CreateBody)
        break
      case 'OPTIONS articles':
        if (extensions.length > 0)
          return { ...ok({ message: '' }), headers: { 'KB-Extensions': extensions.join(', ') } }
        break
      case 'DELETE articles/': {
        if (!articles.has(id)) return refusal(404, 'No such article')
        drop(id)
        return ok({ message: 'Article deleted' })
      }
      case 'GET categories':
        return listCategories()
      case 'POST categories/':
        return updateCategory(id, body as Record<string, unknown>)
      case 'GET tags/':
        return readTag(id)
      case 'POST tags/':
        return updateTag(id, body as Record<string, unknown>)
      case 'GET tools/':
        if (id === 'review_dates') return listReviewDates()
        if (id === 'link_manager') return listLinks()
    }
    return { status: 404, body: '<h1>Not found</h1>' }
  }

  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const { method = '', url = '', headers } = incoming
      const sent = await text(incoming)
      requests.push(`${method} ${url}`)
      const {
        status,
        body,
        headers: extra,
      } = headers.authorization === `Bearer ${SERVICE_KEY}` && headers['content-type'] === JSON_TYPE
        ? answer(method, url, parseBody(incoming, sent))
        : refusal(401, 'No valid key')
      const isHtml = typeof body === 'string'
      outgoing.writeHead(status, { 'content-type': isHtml ? 'text/html' : JSON_TYPE, ...extra })
      outgoing.end(isHtml ? body : JSON.stringify(body))
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    events,
    articles: () => [...articles.values()],
    articleAt,
    categories: () => [...categories.values()],
    tags: () => [...tags.values()],
    add,
    edit: (slug, changes) => {
      const old = articleAt(slug)
      nowMs += 3_600_000
      articles.set(old.id, { ...old, editedMs: nowMs, ...changes })
    },
    drop: (...slugs) => slugs.forEach((slug) => drop(articleAt(slug).id)),
    refuse: (next) => {
      refuses = next
    },
    forget: () => {
      requests.length = 0
      events.length = 0
    },
  }
}

/** Why the body is not what api-v2.md 4.2 asks for, or undefined. */
function findInvalid(body: CreateBody, allowed: ReadonlySet<string>): string | undefined {
  const unknown = Object.keys(body).find((member) => !allowed.has(member))
  if (unknown !== undefined) return `Unknown field ${unknown}`
  const texts = [body.title, body.slug, body.excerpt, body.content]
  if (texts.some((value) => typeof value !== 'string')) return 'title, slug, excerpt, content: text'
  if (body.title === '' || body.slug === '') return 'title and slug must not be empty'
  if (Array.from(body.excerpt).length > 160) return 'excerpt: at most 160 characters'
  if (typeof body.ordering !== 'number') return 'ordering: number'
  if (!['draft', 'published'].includes(body.status)) return 'status: draft or published'
  if (!Array.isArray(body.categories) || body.categories.length === 0) return 'categories: at least one'
  return undefined
}

function ok(members: object): Reply {
  return { status: 200, body: { success: true, ...members } }
}

function refusal(status: number, message: string): Reply {
  return { status, body: { success: false, message } }
}

function parseBody({ method }: IncomingMessage, sent: string): unknown {
  return method === 'PUT' || method === 'POST' ? JSON.parse(sent) : undefined
}
