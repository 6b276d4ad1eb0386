// The service as the specification describes it, in memory and in the plainest words: lists of objects that point at each
// other, and one function for each operation. Nothing here is shared with src/.
import { type Breach, articleBreaches, categoryBreaches, tagBreaches } from './service-fields.ts'

/** An id that the service makes: known from the first answer on that shows it. */
export class Learned {
  value: string | undefined

  constructor(value?: string) {
    this.value = value
  }
}

export interface User {
  readonly username: string
  readonly first_name: string
  readonly last_name: string
  readonly email_address: string
}

export interface Taxon {
  readonly id: Learned
  name: string
  slug: string
  description: string
  longDescription: string
  priority: number
  parent: Taxon | undefined
  readonly language: string
  readonly original: Taxon | undefined
}

interface Relation {
  readonly id: Learned
  readonly item: Taxon
  readonly addedDate: string
  readonly number: number
}

interface Link {
  readonly id: Learned
  readonly url: string
  readonly createdDate: string
  readonly number: number
}

export interface Article {
  readonly id: Learned
  readonly number: number
  readonly creator: User
  readonly createdDate: string
  editedDate: string
  title: string
  slug: string
  content: string
  excerpt: string
  ordering: number
  status: string
  hideFromSearch: boolean
  seoBannerUrl: string
  reviewDate: string
  language: string
  original: Article | undefined
  categories: Relation[]
  tags: Relation[]
  links: Link[]
}

/** A knowledge base; the first language is the default. */
export interface Site {
  readonly id: Learned
  readonly languages: readonly string[]
  readonly limit: number
  readonly categories: Taxon[]
  readonly tags: Taxon[]
  articles: Article[]
  /** What is made later has a greater one, as its id has. */
  lastNumber: number
}

export type Operation =
  | 'readArticle'
  | 'createArticle'
  | 'updateArticle'
  | 'deleteArticle'
  | 'listCategories'
  | 'updateCategory'
  | 'listReviewDates'
  | 'listLinks'
  | 'readTag'
  | 'updateTag'
  | 'announceExtensions'

export interface Request {
  readonly operation: Operation
  readonly site: Site
  readonly caller: 'writer' | 'reader' | 'stranger'
  readonly user: User
  readonly id: string
  /** Of the query. */
  readonly lang: string | undefined
  readonly body: unknown
  /** What the links in the body's HTML are, each once. */
  readonly links: readonly string[]
  /** What the body's review date means, ISO 8601. */
  readonly reviewDate: string
  readonly now: string
}

/** Of several broken rules the service may name any. `body` holds a `Learned` where the service chooses an id. */
export type Expected =
  | { readonly kind: 'refused'; readonly breaches: readonly Breach[] }
  | { readonly kind: 'answered'; readonly body: unknown }

type Body = Readonly<Record<string, unknown>>

const NOBODY: User = { username: '', first_name: '', last_name: '', email_address: '' }
const WRITES: ReadonlySet<Operation> = new Set([
  'createArticle',
  'updateArticle',
  'deleteArticle',
  'updateCategory',
  'updateTag',
])

/** What the service must answer; changes the request's site where the answer says so. */
export function answerAsModel(request: Request): Expected {
  if (request.caller === 'stranger') return refused({ status: 401, says: 'key' })
  if (request.caller === 'reader' && WRITES.has(request.operation)) {
    return refused({ status: 403, says: 'read' })
  }
  return operations[request.operation](request)
}

const operations: Readonly<Record<Operation, (request: Request) => Expected>> = {
  readArticle,
  createArticle: (request) => writeArticle(request, undefined),
  updateArticle(request) {
    const present = byId(request.site.articles, request.id)
    return present === undefined
      ? unknownWrite(articleBreaches(request.body))
      : writeArticle(request, present)
  },
  deleteArticle({ site, id }) {
    const article = byId(site.articles, id)
    if (article === undefined) return unknown()
    site.articles = site.articles.filter((other) => other !== article)
    for (const other of site.articles) if (other.original === article) other.original = undefined
    return done(`Article "${article.title}" was deleted`)
  },
  listCategories: ({ site }) => ({
    kind: 'answered',
    body: {
      success: true,
      message: '',
      data: originals(site.categories).map((category) => categoryOnWire(site, category)),
      languages: site.languages,
      limit: site.limit,
    },
  }),
  updateCategory,
  listReviewDates: ({ site }) => list(reviewDates(site)),
  listLinks: ({ site }) => list(links(site)),
  readTag,
  updateTag,
  announceExtensions: () =>
    done(
      'This service offers the extensions update, languages, ids, batch, etag, files, paging, changed-since, redirects, sources, idempotency',
    ),
}

// Articles

function readArticle({ site, id, lang }: Request): Expected {
  const article = byId(site.articles, id)
  const breaches = [...(article ? [] : [NOT_FOUND]), ...languageBreaches(site, lang)]
  if (article === undefined || breaches.length > 0) return refused(...breaches)
  if (lang === undefined) return articleAnswer(site, article)
  const original = article.original ?? article
  const family = site.articles.filter((each) => each === original || each.original === original)
  const inLanguage = family.filter((each) => each.language === lang)
  const found =
    inLanguage.find((each) => each === article) ??
    inLanguage.find((each) => each === original) ??
    inLanguage.find((each) => each.status === 'published') ??
    inLanguage[0]
  if (found !== undefined) return articleAnswer(site, found)
  // A draft beside a published article shares the translations of that one.
  const published = publishedBeside(site, original)
  const shared = site.articles.filter((each) => published && each.original === published)
  const inShared = shared.filter((each) => each.language === lang)
  const other = inShared.find((each) => each.status === 'published') ?? inShared[0]
  if (other !== undefined) return articleAnswer(site, other)
  return articleAnswer(site, { ...original, language: lang, original }, true)
}

function publishedBeside(site: Site, draft: Article): Article | undefined {
  if (draft.status !== 'draft') return undefined
  const { language, slug } = draft
  return site.articles.find((o) => o.status === 'published' && o.language === language && o.slug === slug)
}

function writeArticle(request: Request, present: Article | undefined): Expected {
  const wrongFields = articleBreaches(request.body)
  if (wrongFields.length > 0) return refused(...wrongFields)
  const { site, now } = request
  const body = request.body as Body
  const language = (body['lang'] as string | undefined) ?? present?.language ?? site.languages[0] ?? ''
  const parentId = body['languageParent'] as string | undefined
  const original = parentId === undefined ? present?.original : byId(site.articles, parentId)
  const [slug, status] = [body['slug'] as string, body['status'] as string]
  const others = site.articles.filter((other) => other !== present)
  const clash = others.some((o) => o.language === language && o.slug === slug && o.status === status)
  const breaches = [
    ...unknownItems(site.categories, body['categories'], 'categories'),
    ...unknownItems(site.tags, body['tags'] ?? [], 'tags'),
    ...languageBreaches(site, language),
    ...(parentId && original === undefined ? [{ status: 400, says: 'languageParent' }] : []),
    ...familyBreaches(site, { present, original, language, status, slug }),
    ...(clash ? [{ status: 409, says: slug }] : []),
    ...(present === undefined && site.articles.length >= site.limit
      ? [{ status: 403, says: `limit of ${String(site.limit)}` }]
      : []),
  ]
  if (breaches.length > 0) return refused(...breaches)
  const article = present ?? blankArticle(request)
  if (present === undefined) site.articles.push(article)
  else article.editedDate = now > present.editedDate ? now : nextMillisecond(present.editedDate)
  Object.assign(article, {
    title: body['title'],
    slug,
    content: body['content'],
    excerpt: body['excerpt'],
    ordering: body['ordering'],
    status,
    hideFromSearch: body['hideFromSearch'] ?? article.hideFromSearch,
    seoBannerUrl: body['seoBannerUrl'] ?? article.seoBannerUrl,
    reviewDate: body['articleReviewDate'] === undefined ? article.reviewDate : request.reviewDate,
    language,
    original,
  })
  article.categories = related(site, article.categories, site.categories, body['categories'], now)
  if (body['tags'] !== undefined) article.tags = related(site, article.tags, site.tags, body['tags'], now)
  article.links = [
    ...article.links.filter(({ url }) => request.links.includes(url)),
    ...request.links
      .filter((url) => !article.links.some((link) => link.url === url))
      .map((url) => ({ id: new Learned(), url, createdDate: article.editedDate, number: ++site.lastNumber })),
  ]
  return done(`Article "${article.title}" was ${present === undefined ? 'created' : 'updated'}`)
}

/**
 * An original has at most one translation into every other language, and a draft of it at the same slug; a translation
 * has none, and neither does a draft beside its published article get any.
 */
function familyBreaches(
  site: Site,
  wanted: Pick<Article, 'original' | 'language' | 'status' | 'slug'> & {
    readonly present: Article | undefined
  },
): Breach[] {
  const { present, original, language, status, slug } = wanted
  const translations = site.articles.filter((other) => present !== undefined && other.original === present)
  if (original === undefined) {
    const clash = translations.some((other) => other.language === language)
    return clash ? [{ status: 409, says: 'translation' }] : []
  }
  const siblings = site.articles.filter((other) => other !== present && other.original === original)
  const isNew = present?.original !== original || present.language !== language
  const isDouble = siblings.some(
    (other) => other.language === language && (other.status === status || (isNew && other.slug !== slug)),
  )
  const isWrong =
    original === present ||
    original.original !== undefined ||
    (publishedBeside(site, original) !== undefined && present?.original !== original) ||
    original.language === language ||
    translations.length > 0
  return [
    ...(isWrong ? [{ status: 400, says: 'lang' }] : []),
    ...(isDouble ? [{ status: 409, says: 'translation' }] : []),
  ]
}

function blankArticle({ site, user, now }: Request): Article {
  return {
    id: new Learned(),
    number: ++site.lastNumber,
    creator: user,
    createdDate: now,
    editedDate: now,
    title: '',
    slug: '',
    content: '',
    excerpt: '',
    ordering: 0,
    status: '',
    hideFromSearch: false,
    seoBannerUrl: '',
    reviewDate: '',
    language: '',
    original: undefined,
    categories: [],
    tags: [],
    links: [],
  }
}

/** What stays keeps its place and date; what is new follows, each item once. */
function related(
  site: Site,
  present: readonly Relation[],
  items: readonly Taxon[],
  wanted: unknown,
  now: string,
): Relation[] {
  const ids = (wanted as { value: string }[]).map(({ value }) => value)
  const chosen = new Set(ids.map((id) => byId(items, id) as Taxon))
  const kept = present.filter(({ item }) => chosen.has(item))
  const added = [...chosen].filter((item) => !kept.some((relation) => relation.item === item))
  return [
    ...kept,
    ...added.map((item) => ({ id: new Learned(), item, addedDate: now, number: ++site.lastNumber })),
  ]
}

// Categories and tags

function updateCategory(request: Request): Expected {
  const { site, id } = request
  const category = byId(site.categories, id)
  const breaches = categoryBreaches(request.body)
  if (category === undefined) return unknownWrite([...breaches, ...writtenLanguage(request)])
  if (breaches.length > 0) return refused(...breaches)
  const body = request.body as Body
  const parentId = body['categoryParent'] as string | undefined
  const parent = parentId === undefined ? undefined : byId(originals(site.categories), parentId)
  const more = [
    ...(parentId && parent === undefined ? [{ status: 400, says: 'categoryParent' }] : []),
    ...(isBelow(parent, category) ? [{ status: 400, says: 'categoryParent' }] : []),
  ]
  const saved = saveTaxon(site, site.categories, category, body, more)
  if ('kind' in saved) return saved
  saved.priority = body['priority'] as number
  if (parentId !== undefined) saved.parent = parent
  return done(`Category "${saved.name}" was updated`)
}

function readTag({ site, id, lang }: Request): Expected {
  const tag = byId(site.tags, id)
  const breaches = [...(tag ? [] : [NOT_FOUND]), ...languageBreaches(site, lang)]
  if (tag === undefined || breaches.length > 0) return refused(...breaches)
  if (lang === undefined) return tagAnswer(site, tag)
  const original = tag.original ?? tag
  const found = memberOf(site.tags, original, lang)
  return found ? tagAnswer(site, found) : tagAnswer(site, { ...original, language: lang, original }, true)
}

function updateTag(request: Request): Expected {
  const { site, id } = request
  const tag = byId(site.tags, id)
  const breaches = tagBreaches(request.body)
  const body = request.body as Body
  if (breaches.length === 0 && body['id'] !== id) breaches.push({ status: 400, says: 'id' })
  if (tag === undefined) return unknownWrite([...breaches, ...writtenLanguage(request)])
  if (breaches.length > 0) return refused(...breaches)
  const saved = saveTaxon(site, site.tags, tag, body, [])
  return 'kind' in saved ? saved : done(`Tag "${saved.name}" was updated`)
}

/** The family's member in the body's language, made where there is none, with what both kinds of taxon share. */
function saveTaxon(
  site: Site,
  all: Taxon[],
  named: Taxon,
  body: Body,
  more: readonly Breach[],
): Taxon | Expected {
  const language = body['lang'] as string
  const original = named.original ?? named
  const present = memberOf(all, original, language)
  const clash = all.some((o) => o !== present && o.language === language && o.slug === body['slug'])
  const breaches = [
    ...more,
    ...languageBreaches(site, language),
    ...(clash ? [{ status: 409, says: body['slug'] as string }] : []),
  ]
  if (breaches.length > 0) return refused(...breaches)
  const taxon = present ?? createTaxon({ language, original })
  if (present === undefined) all.push(taxon)
  return Object.assign(taxon, {
    name: body['name'],
    slug: body['slug'],
    description: body['description'] ?? taxon.description,
    longDescription: body['longDescription'] ?? taxon.longDescription,
  })
}

export function createTaxon(members: Partial<Taxon> & Pick<Taxon, 'language'>): Taxon {
  return {
    id: new Learned(),
    name: '',
    slug: '',
    description: '',
    longDescription: '',
    priority: 0,
    parent: undefined,
    original: undefined,
    ...members,
  }
}

function memberOf(all: readonly Taxon[], original: Taxon, language: string): Taxon | undefined {
  const family = all.filter((each) => each === original || each.original === original)
  return family.find((each) => each.language === language)
}

function isBelow(category: Taxon | undefined, ancestor: Taxon): boolean {
  return category !== undefined && (category === ancestor || isBelow(category.parent, ancestor))
}

const originals = (all: readonly Taxon[]) => all.filter((each) => each.original === undefined)

// What is broken

const NOT_FOUND: Breach = { status: 404, says: 'There is no' }

const unknown = (): Expected => refused(NOT_FOUND)
const unknownWrite = (breaches: readonly Breach[]) => refused(NOT_FOUND, ...breaches)

function unknownItems(items: readonly Taxon[], values: unknown, field: string): Breach[] {
  return (values as { value: string }[]).flatMap(({ value }, index) =>
    byId(items, value) === undefined ? [{ status: 400, says: `${field}[${String(index)}].value` }] : [],
  )
}

function languageBreaches(site: Site, lang: string | undefined): Breach[] {
  return lang === undefined || site.languages.includes(lang) ? [] : [{ status: 400, says: 'lang' }]
}

function writtenLanguage({ site, body }: Request): Breach[] {
  const lang = (body as Body | null)?.['lang']
  return typeof lang === 'string' ? languageBreaches(site, lang) : []
}

function byId<Item extends { readonly id: Learned }>(items: readonly Item[], id: string): Item | undefined {
  return items.find((item) => item.id.value === id)
}

// Answers

function refused(...breaches: readonly Breach[]): Expected {
  return { kind: 'refused', breaches }
}

function done(message: string): Expected {
  return { kind: 'answered', body: { success: true, message } }
}

function list(data: readonly unknown[]): Expected {
  return { kind: 'answered', body: { success: true, message: '', data } }
}

/** The language of an item as it is read: null for the default. */
const onWire = (site: Site, language: string) => (language === site.languages[0] ? null : language)

function articleAnswer(site: Site, article: Article, newVersion = false): Expected {
  const isBeside = (other: Article) =>
    other.id !== article.id && other.language === article.language && other.slug === article.slug
  // A copy into another language is not there yet, and nothing stands beside it.
  const beside = newVersion ? undefined : site.articles.find(isBeside)
  const entries = (relations: readonly Relation[]) =>
    relations.map(({ id, item }) => ({ id, label: item.name, value: item.id }))
  return {
    kind: 'answered',
    body: {
      success: true,
      message: '',
      data: {
        id: article.id,
        tags_relationship: article.tags.map(({ id, item }) => ({ id, tag_id: item.id })),
        article_relationships: article.categories.map(({ id, item }) => ({ id, category_id: item.id })),
        name: article.title,
        content: article.content,
        slug: article.slug,
        excerpt: article.excerpt,
        order_by: article.ordering,
        status: article.status,
        created_date: article.createdDate,
        article_parent: article.status === 'draft' && beside ? beside.id : '',
        last_edited_Date: article.editedDate,
        seo_banner_url: article.seoBannerUrl,
        hide_from_search: article.hideFromSearch,
        article_review_date: article.reviewDate,
        language: onWire(site, article.language),
        language_parent: article.original?.id ?? null,
      },
      isDraft: { id: article.status === 'published' && beside ? beside.id : '' },
      newVersion,
      categories: entries(article.categories),
      tags: entries(article.tags),
    },
  }
}

function tagAnswer(site: Site, tag: Taxon, newVersion = false): Expected {
  return {
    kind: 'answered',
    body: {
      success: true,
      message: '',
      data: {
        id: tag.id,
        name: tag.name,
        slug: tag.slug,
        description: tag.description,
        long_description: tag.longDescription,
        language: onWire(site, tag.language),
        language_parent: tag.original?.id ?? null,
      },
      newVersion,
    },
  }
}

function categoryOnWire(site: Site, category: Taxon): unknown {
  const relations = site.articles.flatMap((article) => article.categories)
  const latest = relations
    .filter(({ item }) => item === category)
    .toSorted(byNumber)
    .at(-1)
  return {
    id: category.id,
    name: category.name,
    order_by: category.priority,
    other_categories_categories_language_parentTocategories: site.categories
      .filter((other) => other.original === category)
      .map(({ language }) => ({ language }))
      .toSorted((a, b) => (a.language < b.language ? -1 : 1)),
    other_categories_categories_parent_idTocategories: { name: category.parent?.name ?? '' },
    article_relationships: {
      added_date: latest?.addedDate ?? '',
      category_id: latest === undefined ? '' : category.id,
      id: latest?.id ?? '',
      site_id: latest === undefined ? '' : site.id,
    },
    users_categories_created_byTousers: NOBODY,
  }
}

function reviewDates(site: Site): unknown[] {
  return site.articles
    .filter(({ reviewDate }) => reviewDate !== '')
    .toSorted((a, b) =>
      a.reviewDate === b.reviewDate ? byNumber(a, b) : a.reviewDate < b.reviewDate ? -1 : 1,
    )
    .map((article) => ({
      id: article.id,
      name: article.title,
      status: article.status,
      article_review_date: article.reviewDate,
      language: onWire(site, article.language),
      users_articles_created_byTousers: article.creator,
    }))
}

function links(site: Site): unknown[] {
  return site.articles
    .flatMap((article) => article.links.map((link) => ({ ...link, article })))
    .toSorted(byNumber)
    .map(({ id, article, url, createdDate }) => ({
      id,
      site_id: site.id,
      article_id: article.id,
      url,
      created_date: createdDate,
      working: true,
      articles: { id: article.id, name: article.title },
    }))
}

function byNumber(a: { readonly number: number }, b: { readonly number: number }): number {
  return a.number - b.number
}

function nextMillisecond(moment: string): string {
  return new Date(Date.parse(moment) + 1).toISOString()
}
