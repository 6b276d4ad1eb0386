// What each of the nine operations does, without HTTP around it: a call comes in, an answer goes out, and what cannot
// be done is a Refusal.
import type { CreateArticleRequest, UpdateCategoryRequest, UpdateTagRequest } from '../contract/request.ts'
import type { RouteName } from '../contract/routes.ts'
import { createAnswerCache } from './answer-cache.ts'
import { findLinks } from './find-links.ts'
import { respondWithList } from './json-list.ts'
import { jsonResponse } from './json-response.ts'
import { refuseCreate, refuseUpdate, unknownItem } from './refuse-outcome.ts'
import { Refusal } from './refusal.ts'
import type { ApiKeyRecord, CreateOutcome, Store, UpdateOutcome } from './store/store.ts'
import { toTimestamp } from './timestamp.ts'
import { toCategory, toLinkEntry, toReadArticleResponse, toReviewDateEntry, toTag } from './wire-resources.ts'

const ANSWER_CACHE_LENGTH = 16 * 1024 * 1024

export interface Call {
  readonly caller: ApiKeyRecord
  /** From the path; '' where the operation has none. */
  readonly id: string
  /** Checked against the request schema of the route. */
  readonly body: unknown
  /** The present, ISO 8601. */
  readonly now: string
}

/** The answer: a value to be sent as JSON, or a response that is ready. */
type Operation = (call: Call) => Promise<object>

/** One function for each route of the contract. */
export function createOperations(store: Store): Readonly<Record<RouteName, Operation>> {
  const answers = createAnswerCache(ANSWER_CACHE_LENGTH)
  return {
    async readArticle({ caller, id }) {
      const mark = store.changeMark()
      const inputKey = `${caller.siteId}/${id}`
      const kept = answers.find(mark, inputKey)
      if (kept !== undefined) return jsonResponse(kept)
      const record = await store.readArticle(caller.siteId, id)
      if (record === undefined) throw unknownItem('article', id)
      return jsonResponse(answers.keep(mark, inputKey, JSON.stringify(toReadArticleResponse(record))))
    },
    async createArticle({ caller, body, now }) {
      const request = body as CreateArticleRequest
      const outcome = await createArticle(store, caller, request, now)
      if (outcome.kind !== 'created') throw refuseCreate(outcome, request.slug)
      return done(`Article "${request.title}" was created`)
    },
    async deleteArticle({ caller, id }) {
      const name = await store.deleteArticle(caller.siteId, id)
      if (name === undefined) throw unknownItem('article', id)
      return done(`Article "${name}" was deleted`)
    },
    async listCategories({ caller: { siteId } }) {
      const { languages, articleLimit } = await store.siteSettings(siteId)
      return respondWithList({
        read: (page) => store.listCategories(siteId, page),
        toWire: (record) => toCategory(record, siteId),
        extra: { languages, limit: articleLimit },
      })
    },
    async updateCategory({ caller, id, body, now }) {
      const request = body as UpdateCategoryRequest
      const outcome = await updateCategory(store, caller, id, request, now)
      if (outcome.kind !== 'updated') throw refuseUpdate(outcome, 'category', id, request)
      return done(`Category "${request.name}" was updated`)
    },
    listReviewDates: ({ caller: { siteId } }) =>
      respondWithList({
        read: (page) => store.listReviewDates(siteId, page),
        toWire: toReviewDateEntry,
      }),
    listLinks: ({ caller: { siteId } }) =>
      respondWithList({
        read: (page) => store.listLinks(siteId, page),
        toWire: (record) => toLinkEntry(record, siteId),
      }),
    async readTag({ caller, id }) {
      const record = await store.readTag(caller.siteId, id)
      if (record === undefined) throw unknownItem('tag', id)
      return { success: true, message: '', data: toTag(record), newVersion: false }
    },
    async updateTag({ caller, id, body, now }) {
      const request = body as UpdateTagRequest
      if (request.id !== id) throw new Refusal(400, 'id must be the identifier in the path')
      const outcome = await store.updateTag(caller.siteId, id, taxonChange(request, caller, now))
      if (outcome.kind !== 'updated') throw refuseUpdate(outcome, 'tag', id, request)
      return done(`Tag "${request.name}" was updated`)
    },
  }
}

function done(message: string): object {
  return { success: true, message }
}

function createArticle(
  store: Store,
  caller: ApiKeyRecord,
  request: CreateArticleRequest,
  now: string,
): Promise<CreateOutcome> {
  return store.createArticle(caller.siteId, {
    title: request.title,
    slug: request.slug,
    categoryIds: request.categories.map(({ value }) => value),
    tagIds: (request.tags ?? []).map(({ value }) => value),
    excerpt: request.excerpt,
    order: request.ordering,
    status: request.status,
    content: request.content,
    hideFromSearch: request.hideFromSearch ?? false,
    seoBannerUrl: request.seoBannerUrl ?? '',
    reviewDate: request.articleReviewDate ? toTimestamp(request.articleReviewDate) : null,
    links: findLinks(request.content),
    createdBy: caller.userId,
    now,
  })
}

function updateCategory(
  store: Store,
  caller: ApiKeyRecord,
  id: string,
  request: UpdateCategoryRequest,
  now: string,
): Promise<UpdateOutcome> {
  return store.updateCategory(caller.siteId, id, {
    ...taxonChange(request, caller, now),
    priority: request.priority,
    parentId: request.categoryParent,
    thumbnailUrl: request.thumbnailUrl,
    iconUrl: request.iconUrl,
  })
}

function taxonChange(request: UpdateCategoryRequest | UpdateTagRequest, caller: ApiKeyRecord, now: string) {
  return {
    name: request.name,
    slug: request.slug,
    description: request.description,
    longDescription: request.longDescription,
    language: request.lang,
    editedBy: caller.userId,
    now,
  }
}
