// The operations of the service that change something.
import type { CreateBody, ServiceHabits } from './strict-service-quirks.ts'
import type { ServiceMemory, StoredArticle } from './strict-service-memory.ts'
import { ok, refuse, type Reply } from './strict-service-reply.ts'
import { rewriteHtml } from './strict-service-rewrite.ts'

const ALLOWED_MEMBERS =
  'title slug categories tags excerpt ordering status content hideFromSearch seoBannerUrl articleReviewDate'.split(
    ' ',
  )
const LANGUAGE_MEMBERS = ['lang', 'languageParent']

/** Where an article stands, or why it may not stand there. */
type Place =
  | {
      readonly kind: 'place'
      readonly place: { readonly language: string | null; readonly languageParent: string }
    }
  | { readonly kind: 'refused'; readonly reply: Reply }

export interface ServiceWrites {
  readonly create: (body: CreateBody) => Reply
  readonly update: (id: string, body: CreateBody) => Reply
  readonly remove: (id: string) => Reply
  readonly updateCategory: (id: string, body: Readonly<Record<string, unknown>>) => Reply
  readonly updateTag: (id: string, body: Readonly<Record<string, unknown>>) => Reply
}

export interface WriteOptions {
  readonly habits: ServiceHabits
  readonly memory: ServiceMemory
  readonly unknownId: (what: string) => Reply
  /** Says why a body is refused, or undefined. */
  readonly findRefusal: (body: CreateBody) => string | undefined
}

export function createServiceWrites({ habits, memory, unknownId, findRefusal }: WriteOptions): ServiceWrites {
  const { duplicateSlugs = 'allowed', articleLimit = 1000, extensions = [], languages = ['en'] } = habits
  const keptSlugs = new Set<string>()
  const { alters = (body) => body } = habits
  const { byId, categories, tags } = memory
  const allowedMembers = new Set([
    ...ALLOWED_MEMBERS,
    ...(extensions.includes('languages') ? LANGUAGE_MEMBERS : []),
  ])

  /** Why a body is not to be had, whatever it is for. */
  function findWrong(body: CreateBody): Reply | undefined {
    const invalid = findInvalid(body, allowedMembers)
    if (invalid !== undefined) return refuse(400, invalid)
    if (body.categories.some(({ value }) => !categories.has(value))) return refuse(400, 'Unknown category')
    if (body.tags?.some(({ value }) => !tags.has(value)) === true) return refuse(400, 'Unknown tag')
    const reason = findRefusal(body)
    return reason === undefined ? undefined : refuse(400, reason)
  }

  function create(given: CreateBody): Reply {
    const wrong = findWrong(given)
    if (wrong !== undefined) return wrong
    const body = alters(given)
    if (byId.size >= articleLimit) return refuse(403, 'Article limit reached')
    const found = findPlace(body, undefined, byId, languages)
    if (found.kind === 'refused') return found.reply
    const slug = freeSlug(body.slug, found.place.language)
    if (slug === undefined) return slugTaken(body.slug)
    const { hideFromSearch = false, seoBannerUrl = '', tags: selected = [], articleReviewDate = '' } = body
    const { id } = memory.add({
      ...plainFields(body),
      ...found.place,
      slug,
      tagIds: selected.map(({ value }) => value),
      hideFromSearch,
      seoBannerUrl,
      reviewDate: articleReviewDate,
    })
    const answer = ok({ message: `Article ${body.title} created` })
    return extensions.includes('ids')
      ? { ...answer, headers: { Location: `/api/v2/articles/${id}` } }
      : answer
  }

  function update(id: string, given: CreateBody): Reply {
    const present = byId.get(id)
    if (present === undefined) return unknownId('article')
    const wrong = findWrong(given)
    if (wrong !== undefined) return wrong
    const body = alters(given)
    const found = findPlace(body, present, byId, languages)
    if (found.kind === 'refused') return found.reply
    const isTaken = [...byId.values()].some(
      (other) => other.id !== id && other.slug === body.slug && other.language === found.place.language,
    )
    if (isTaken && duplicateSlugs !== 'allowed') return slugTaken(body.slug)
    byId.set(id, {
      ...present,
      ...plainFields(body),
      ...found.place,
      slug: body.slug,
      tagIds: body.tags?.map(({ value }) => value) ?? present.tagIds,
      hideFromSearch: body.hideFromSearch ?? present.hideFromSearch,
      seoBannerUrl: body.seoBannerUrl ?? present.seoBannerUrl,
      reviewDate: body.articleReviewDate ?? present.reviewDate,
      editedMs: memory.later(5000),
    })
    memory.events.push({ did: 'updated', id, slug: body.slug })
    return ok({ message: 'Article updated' })
  }

  function plainFields({ title, content, excerpt, ordering, status, categories: chosen }: CreateBody) {
    const categoryIds = chosen.map(({ value }) => value)
    return { title, content: received(content), excerpt, order: ordering, status, categoryIds }
  }

  function slugTaken(slug: string): Reply {
    return refuse(duplicateSlugs === 'refused-200' ? 200 : 409, `The slug ${slug} already exists`)
  }

  function freeSlug(wanted: string, language: string | null): string | undefined {
    const beside = [...byId.values()].filter((article) => article.language === language)
    const taken = new Set([...beside.map(({ slug }) => slug), ...keptSlugs])
    if (!taken.has(wanted) || duplicateSlugs === 'allowed') return wanted
    if (duplicateSlugs !== 'suffixed') return undefined
    let number = 2
    while (taken.has(`${wanted}-${number}`)) number++
    return `${wanted}-${number}`
  }

  function received(html: string): string {
    const kept = habits.stripsComments === true ? html.replace(/<!--.*?-->/gs, '') : html
    return habits.rewritesHtml === true ? rewriteHtml(kept) : kept
  }

  return {
    create,
    update,
    remove: (id) => {
      const article = byId.get(id)
      if (article === undefined) return unknownId('article')
      if (habits.keepsSlugs === true) keptSlugs.add(article.slug)
      memory.dropById(id)
      return ok({ message: 'Article deleted' })
    },
    updateCategory: (id, body) => {
      const category = categories.get(id)
      const { name, slug, priority, categoryParent = category?.parentId, lang } = body
      if (category === undefined) return unknownId('category')
      if (typeof name !== 'string' || typeof slug !== 'string' || typeof lang !== 'string')
        return refuse(400, 'name, slug and lang are required')
      if (typeof priority !== 'number') return refuse(400, 'priority is required')
      categories.set(id, { id, name, order: priority, parentId: String(categoryParent) })
      return ok({ message: 'Category updated' })
    },
    updateTag: (id, body) => {
      const tag = tags.get(id)
      const { name, slug, lang } = body
      const { description = tag?.description, longDescription = tag?.longDescription } = body
      if (tag === undefined || body['id'] !== id) return unknownId('tag')
      if (typeof name !== 'string' || typeof slug !== 'string' || typeof lang !== 'string')
        return refuse(400, 'name, slug and lang are required')
      const texts = { description: String(description), longDescription: String(longDescription) }
      tags.set(id, { id, name, slug, ...texts })
      return ok({ message: 'Tag updated' })
    },
  }
}

/** Language and original after a write; what a body leaves out stays. */
function findPlace(
  body: CreateBody,
  present: StoredArticle | undefined,
  byId: ReadonlyMap<string, StoredArticle>,
  languages: readonly string[],
): Place {
  const refused = (status: number, message: string): Place => ({
    kind: 'refused',
    reply: refuse(status, message),
  })
  const { lang } = body
  if (lang !== undefined && !languages.includes(lang)) return refused(400, `Unknown language ${lang}`)
  const given = lang === languages[0] ? null : lang
  const language = given === undefined ? (present?.language ?? null) : given
  const languageParent = body.languageParent ?? present?.languageParent ?? ''
  const all = [...byId.values()]
  const own = all.filter((other) => present !== undefined && other.languageParent === present.id)
  if (languageParent === '') {
    return own.some((other) => other.language === language)
      ? refused(409, 'It has a translation in this language')
      : { kind: 'place', place: { language, languageParent } }
  }
  const original = byId.get(languageParent)
  if (original === undefined) return refused(400, 'Unknown languageParent')
  if (original.languageParent !== '') return refused(400, 'languageParent is a translation')
  if (original.language === language) return refused(400, 'languageParent has the same language')
  if (own.length > 0) return refused(409, 'It has translations')
  const twin = all.find(
    (other) =>
      other.languageParent === languageParent && other.language === language && other.id !== present?.id,
  )
  return twin === undefined
    ? { kind: 'place', place: { language, languageParent } }
    : refused(409, `There is a translation already: ${twin.title}`)
}

/** Why the body is not what "Create an article" in the specification requires, or undefined. */
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
