// The operations without HTTP: each takes a call and returns a response, or throws an HttpError.
import { z } from 'zod'
import type {
  ArticleRequest,
  MissingFilesRequest,
  SourcesRequest,
  UpdateCategoryRequest,
  UpdateTagRequest,
} from '../../api/contract/request.ts'
import { type AnswerCache, answerKey, createAnswerCache } from './answer-cache.ts'
import { EXTENSIONS, EXTENSIONS_HEADER, pathOf, type RouteName, routes } from '../../api/contract/routes.ts'
import { type FileLimits, receiveFile, type Upload } from '../files/receive-file.ts'
import {
  createYield,
  type JsonList,
  pageLimitOf,
  readCursor,
  respondWithList,
  respondWithPage,
  writeCursor,
} from './json-list.ts'
import {
  refuseCreate,
  refuseUpdate,
  refuseUpdateArticle,
  refuseVersion,
  unknownItem,
  unknownLanguage,
  HttpError,
  httpErrorOf,
  type JsonResponse,
  jsonResponse,
} from './responses.ts'
import { DatabaseUnavailable } from '../store/database-errors.ts'
import { REDIRECTS_START } from '../store/reader-data.ts'
import type { ApiKeyRecord, IsExpected, ReadOutcome } from '../store/records.ts'
import type { Store } from '../store/open-store.ts'
import { digest } from '../../core/digest.ts'
import { lowerCaseUuid } from '../../core/lower-case-uuid.ts'
import {
  entityTagOf,
  namesTag,
  toArticleInput,
  toCategoryChange,
  toTaxonChange,
  toCategory,
  toLinkEntry,
  toListedArticle,
  toReadArticleResponse,
  toRedirectEntry,
  toReviewDateEntry,
  toTag,
} from './wire-resources.ts'

/** The result of a call that reads a large text, which another thread answers. */
export const LARGE = { kind: 'large' } as const

/** A written item, for the log. Its contents may be personal data, so they are omitted. */
export interface WrittenItem {
  readonly action: 'create' | 'update' | 'delete'
  readonly item: 'article' | 'category' | 'tag' | 'file'
  readonly id: string
  /** Code of the written language, if all languages of an item share one id. */
  readonly language?: string
}

export interface Call {
  readonly caller: ApiKeyRecord
  /** From the path; '' if the operation has no id. */
  readonly id: string
  /** Validated by the query schema of the route. */
  readonly query: {
    readonly lang?: string | undefined
    readonly changedSince?: string | undefined
    readonly limit?: string | undefined
    readonly cursor?: string | undefined
  }
  /** Headers that make a request depend on the version of its article, or on an earlier request. */
  readonly conditions: {
    readonly ifMatch?: string | undefined
    readonly ifNoneMatch?: string | undefined
    readonly idempotencyKey?: string | undefined
  }
  /** Validated by the request schema of the route; for `writeArticles`, the articles as `BatchItem`; for `putFile`, the `Upload`. */
  readonly body: unknown
  /** The current time, ISO 8601. */
  readonly now: string
  /** Called with each written item, once it is stored. */
  readonly onWritten: (written: WrittenItem) => void
}

/** An article of a batch, or the reason why it is invalid. */
export type BatchItem =
  | ({ readonly kind: 'valid'; readonly id: string | undefined } & Pick<
      Call['conditions'],
      'ifMatch' | 'idempotencyKey'
    > &
      Pick<Call, 'body'>)
  | { readonly kind: 'invalid'; readonly message: string }

/** Returns a value to send as JSON, or a finished response. */
type Operation = (call: Call) => Promise<object>

/**
 * Creates one function for each route of the contract.
 *
 * @param largeBytes texts of this size are not read: the result is `LARGE`
 */
export function createOperations(
  store: Store,
  fileLimits: FileLimits,
  largeBytes?: number,
  answers: AnswerCache = createAnswerCache(),
): Operations<RouteName> {
  return {
    ...articleOperations(store, largeBytes, answers),
    ...taxonOperations(store),
    ...listOperations(store),
    ...fileOperations(store, fileLimits),
    async setSources({ caller: { siteId }, body }) {
      await store.setSources(siteId, (body as SourcesRequest).sources)
      return done('The files of the articles were stored')
    },
    announceExtensions: () => {
      const names = EXTENSIONS.join(', ')
      const answer = JSON.stringify(done(`This service offers the extensions ${names}`))
      return Promise.resolve(
        jsonResponse(answer, { [EXTENSIONS_HEADER]: names, Allow: 'PUT, POST, GET, OPTIONS, HEAD' }),
      )
    },
  }
}

type Operations<Name extends RouteName> = Readonly<Record<Name, Operation>>

function articleOperations(
  store: Store,
  largeBytes: number | undefined,
  answers: AnswerCache,
): Operations<'readArticle' | 'createArticle' | 'updateArticle' | 'deleteArticle' | 'writeArticles'> {
  const { create, update, write } = createArticleWrites(store)
  return {
    async readArticle({ caller, id, query: { lang }, conditions: { ifNoneMatch } }) {
      const mark = store.exactMark()
      const inputKey = answerKey(caller.siteId, id, lang)
      const kept = answers.find(mark, inputKey)
      if (kept !== undefined) return unlessKnown(kept, ifNoneMatch)
      const outcome = await store.readArticle(caller.siteId, id, lang, largeBytes)
      if (outcome.kind === 'large') return LARGE
      const { record, isCopy } = found(outcome, 'article', id)
      const answer = JSON.stringify(toReadArticleResponse(record, isCopy))
      const tag = entityTagOf(record, isCopy)
      return unlessKnown(answers.keep(mark, inputKey, answer, { ETag: tag }), ifNoneMatch)
    },
    async createArticle(call) {
      const { id, answer } = await create(call)
      return jsonResponse(JSON.stringify(answer), { Location: pathOf(routes.readArticle, id) })
    },
    updateArticle: async (call) => (await update(call)).answer,
    // Writes that start in one turn of the event loop are executed in this order, and share a transaction.
    writeArticles: async (call) =>
      answerBatch(await Promise.allSettled((call.body as BatchItem[]).map((item) => write(item, call)))),
    async deleteArticle({ caller, id, conditions, now, onWritten }) {
      const outcome = await store.deleteArticle(caller.siteId, id, now, isExpectedBy(conditions))
      if (outcome.kind !== 'deleted') throw refuseVersion(outcome, id)
      onWritten({ action: 'delete', item: 'article', id })
      return done(`Article "${outcome.name}" was deleted`)
    },
  }
}

/** Returns the response, without its body if the client has this version. */
function unlessKnown(response: JsonResponse, ifNoneMatch: string | undefined): JsonResponse {
  const { ETag: tag = '' } = response.headers
  return ifNoneMatch !== undefined && namesTag(ifNoneMatch, tag)
    ? jsonResponse(null, { ETag: tag })
    : response
}

function isExpectedBy({ ifMatch }: Call['conditions']): IsExpected | undefined {
  return ifMatch === undefined ? undefined : (present) => namesTag(ifMatch, entityTagOf(present, false))
}

/** Creates and updates single articles. */
function createArticleWrites(store: Store) {
  async function create({ caller, conditions, body, now, onWritten }: Call): Promise<WrittenArticle> {
    const { idempotencyKey: key } = conditions
    const request = body as ArticleRequest
    const article = toArticleInput(request, caller, now)
    const idempotency = key === undefined ? undefined : { key, digest: digestOf(request) }
    const outcome = await store
      .createArticle(caller.siteId, { ...article, idempotency })
      .catch(key === undefined ? undefined : rethrowRepeatable)
    if (outcome.kind !== 'created' && outcome.kind !== 'repeated') throw refuseCreate(outcome, request.slug)
    if (outcome.kind === 'created') onWritten({ action: 'create', item: 'article', id: outcome.id })
    return { id: outcome.id, answer: done(`Article "${request.title}" was created`) }
  }

  async function update(call: Call): Promise<WrittenArticle> {
    const { caller, id, conditions, body, now, onWritten } = call
    const request = body as ArticleRequest
    const article = toArticleInput(request, caller, now)
    const outcome = await store.updateArticle(caller.siteId, id, article, isExpectedBy(conditions))
    if (outcome.kind !== 'updated') throw refuseUpdateArticle(outcome, id, request.slug)
    onWritten({ action: 'update', item: 'article', id })
    return { id, answer: done(`Article "${request.title}" was updated`) }
  }

  function write(item: BatchItem, call: Call): Promise<WrittenArticle> {
    if (item.kind === 'invalid') return Promise.reject(new HttpError(400, item.message))
    const { id, ifMatch, idempotencyKey, body } = item
    return id === undefined
      ? create({ ...call, conditions: { idempotencyKey }, body })
      : update({ ...call, id: lowerCaseUuid(id), conditions: { ifMatch }, body })
  }

  return { create, update, write }
}

interface WrittenArticle {
  readonly id: string
  readonly answer: object
}

/** A create with a key may be repeated, whether or not it was written. */
function rethrowRepeatable(error: unknown): never {
  const isUnknown = error instanceof DatabaseUnavailable && error.fate === 'unknown'
  throw isUnknown ? new DatabaseUnavailable('repeatable', error.cause) : error
}

/** Digests the content separately, because escaping it takes longer than both digests. */
function digestOf(request: ArticleRequest): string {
  return digest(JSON.stringify({ ...request, content: digest(request.content) }))
}

/** Returns a result for each article, as if it had been sent alone. Throws if the server or its database failed. */
function answerBatch(settled: readonly PromiseSettledResult<WrittenArticle>[]): object {
  const failures = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as Error] : []))
  const fault = failures.find((error) => httpErrorOf(error) === undefined)
  if (fault !== undefined) throw fault
  const [busy] = failures
  const isBusy = failures.every((error) => httpErrorOf(error)?.status === 503)
  if (busy !== undefined && isBusy && failures.length === settled.length) {
    // The response applies to all of them: if one may have been written, it must not ask to repeat the request.
    const uncertain = failures.find((error) => httpErrorOf(error)?.headers['Retry-After'] === undefined)
    throw uncertain ?? busy
  }
  const results = settled.map((each) => {
    if (each.status === 'fulfilled') return { status: 200, ...each.value.answer, id: each.value.id }
    const { status, message } = httpErrorOf(each.reason) as HttpError
    return { status, success: false, message }
  })
  return {
    ...done(`${settled.length - failures.length} of ${settled.length} articles were written`),
    results,
  }
}

function taxonOperations(store: Store): Operations<'updateCategory' | 'readTag' | 'updateTag'> {
  return {
    async updateCategory({ caller, id, body, now, onWritten }) {
      const request = body as UpdateCategoryRequest
      const outcome = await store.updateCategory(caller.siteId, id, toCategoryChange(request, caller, now))
      if (outcome.kind !== 'updated') throw refuseUpdate(outcome, 'category', id, request)
      onWritten({ action: 'update', item: 'category', id, language: request.lang })
      return done(`Category "${request.name}" was updated`)
    },
    async readTag({ caller, id, query: { lang } }) {
      const { record, isCopy } = found(await store.readTag(caller.siteId, id, lang), 'tag', id)
      return { success: true, message: '', data: toTag(record), newVersion: isCopy }
    },
    async updateTag({ caller, id, body, now, onWritten }) {
      const request = body as UpdateTagRequest
      if (lowerCaseUuid(request.id) !== id) throw new HttpError(400, 'id must be the identifier in the path')
      const outcome = await store.updateTag(caller.siteId, id, toTaxonChange(request, caller, now))
      if (outcome.kind !== 'updated') throw refuseUpdate(outcome, 'tag', id, request)
      onWritten({ action: 'update', item: 'tag', id, language: request.lang })
      return done(`Tag "${request.name}" was updated`)
    },
  }
}

function listOperations(
  store: Store,
): Operations<'listArticles' | 'listCategories' | 'listReviewDates' | 'listLinks' | 'listRedirects'> {
  const nextTurn = createYield()
  const list = <Entry, Key>(entries: JsonList<Entry, Key>) => respondWithList(entries, nextTurn)
  const pagedList = <Entry, Key>({ query }: Call, cursor: z.ZodType<Key>, entries: JsonList<Entry, Key>) =>
    query.limit === undefined && query.cursor === undefined
      ? list(entries)
      : respondWithPage(entries, { ...query, schema: cursor }, nextTurn)
  return {
    async listArticles({ caller: { siteId }, query }) {
      await nextTurn()
      return pageOfChanges(store, siteId, query)
    },
    async listCategories({ caller: { siteId } }) {
      const { languages, articleLimit } = await store.siteSettings(siteId)
      return list({
        read: (page) => store.listCategories(siteId, page),
        start: '',
        keyOf: ({ id }) => id,
        toWire: (record) => toCategory(record, siteId),
        extra: { languages, limit: articleLimit },
      })
    },
    listReviewDates: (call) => {
      const { siteId } = call.caller
      return pagedList(call, dateCursor, {
        read: (page) => store.listReviewDates(siteId, page),
        start: { date: '', id: '' },
        keyOf: ({ reviewDate, id }) => ({ date: reviewDate, id }),
        toWire: toReviewDateEntry,
      })
    },
    listLinks: (call) => {
      const { siteId } = call.caller
      return pagedList(call, numberCursor, {
        read: (page) => store.listLinks(siteId, page),
        start: 0,
        keyOf: ({ number }) => number,
        toWire: (record) => toLinkEntry(record, siteId),
      })
    },
    listRedirects: ({ caller: { siteId } }) =>
      list({
        read: ({ after, limit }) => store.listRedirects(siteId, after, limit),
        start: REDIRECTS_START,
        keyOf: ({ kind, slug, language }) => ({ kind, slug, language }),
        toWire: toRedirectEntry,
      }),
  }
}

function fileOperations(store: Store, limits: FileLimits): Operations<'findMissingFiles' | 'putFile'> {
  return {
    async findMissingFiles({ caller: { siteId, readOnly }, body, now }) {
      const { files } = body as MissingFilesRequest
      const data = await store.findMissingFiles(siteId, files, readOnly ? undefined : now)
      return { success: true, message: '', data, limits: { fileBytes: limits.fileBytes } }
    },
    async putFile({ caller: { siteId }, id, body, now, onWritten }) {
      await receiveFile({ store, siteId, name: id, upload: body as Upload, limits, now })
      onWritten({ action: 'create', item: 'file', id })
      return done('The file was stored')
    },
  }
}

/** A page of the extension `changed-since`. */
async function pageOfChanges(store: Store, siteId: string, query: Call['query']): Promise<object> {
  const [revision, oldest] = [await store.revision(siteId), await store.changesSince(siteId)]
  const given = query.cursor === undefined ? undefined : readCursor(changeCursor, query.cursor)
  const since = query.changedSince === undefined ? undefined : Number(query.changedSince)
  const known = given?.deletedAfter ?? since
  const reset = known !== undefined && (known < oldest || known > revision)
  const all = { revision: 0, id: '', deletedAfter: revision }
  const changed = since === undefined ? all : { revision: since + 1, id: '', deletedAfter: since }
  const { deletedAfter, ...after } = reset ? all : (given ?? changed)
  const limit = pageLimitOf(query)
  const changes = await store.listChanges(siteId, { after, deletedAfter, limit: limit + 1 })
  const page = changes.slice(0, limit)
  const last = page.at(-1)
  const isLast = last === undefined || changes.length <= limit
  return {
    success: true,
    message: '',
    data: page.flatMap((change) => (change.kind === 'changed' ? [toListedArticle(change)] : [])),
    deleted: page.flatMap(({ kind, id }) => (kind === 'deleted' ? [id] : [])),
    reset,
    // Changes made while the page was read are listed again next time.
    ...(isLast
      ? { revision: String(revision) }
      : { cursor: writeCursor({ revision: last.revision, id: last.id, deletedAfter }) }),
  }
}

/** Text in a cursor. PostgreSQL does not accept U+0000. */
const cursorText = z.string().regex(/^[\w:.-]*$/)
const numberCursor = z.int().nonnegative()
const dateCursor = z.strictObject({ date: cursorText, id: cursorText })
const changeCursor = z.strictObject({ revision: numberCursor, id: cursorText, deletedAfter: numberCursor })

function found<Record>(outcome: ReadOutcome<Record>, noun: 'article' | 'tag', id: string) {
  if (outcome.kind === 'unknown') throw unknownItem(noun, id)
  if (outcome.kind === 'unknown-language') throw unknownLanguage(outcome.languages)
  return outcome
}

function done(message: string): object {
  return { success: true, message }
}
