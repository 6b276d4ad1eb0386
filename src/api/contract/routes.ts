// The operations of /api/v2, as one table from which server, client and OpenAPI document are derived: the nine of the
// specification, and those of our extensions. Comments refer to the specification by the headings of
// content/service/specification.md, which records our interpretation.
import type { z } from 'zod'
import {
  lenientBatch,
  lenientDone,
  lenientListArticles,
  lenientListCategories,
  lenientListLinks,
  lenientListRedirects,
  lenientListReviewDates,
  lenientMissingFiles,
  lenientReadArticle,
  lenientReadTag,
} from './lenient.ts'
import { changesQuery, languageQuery, pageQuery } from './fields.ts'
import {
  articleRequest,
  batchRequest,
  missingFilesRequest,
  sourcesRequest,
  updateCategoryRequest,
  updateTagRequest,
} from './request.ts'
import {
  batchResponse,
  doneResponse,
  listArticlesResponse,
  listCategoriesResponse,
  listLinksResponse,
  listRedirectsResponse,
  listReviewDatesResponse,
  missingFilesResponse,
  readArticleResponse,
  readTagResponse,
} from './response.ts'
import type { FailureStatus } from './wire-error.ts'

export const API_PREFIX = '/api/v2'

/** The extensions of our server to the specification, by the announced names. */
export const EXTENSIONS = [
  'update',
  'languages',
  'ids',
  'batch',
  'etag',
  'files',
  'paging',
  'changed-since',
  'redirects',
  'sources',
  'idempotency',
] as const

type Extension = (typeof EXTENSIONS)[number]

/** The header that announces the extensions, in the response to `OPTIONS /api/v2/articles`. */
export const EXTENSIONS_HEADER = 'KB-Extensions'

export interface Route {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'OPTIONS'
  /** Relative to the base URL, with `{id}` for an identifier. */
  readonly path: string
  readonly summary: string
  /** Set if the operation is not in the specification: the extension that adds it, or their announcement. */
  readonly extension?: Extension | 'announcement'
  /** Query parameters; only extensions have any. */
  readonly query?: z.ZodObject
  /** Request headers with their descriptions; only extensions have any. */
  readonly conditions?: Readonly<Partial<Record<'If-Match' | 'If-None-Match' | 'Idempotency-Key', string>>>
  /** Undefined if the operation has no body, or a file as its body. */
  readonly request: z.ZodType | undefined
  /** True if the body is a file. */
  readonly takesFile?: true
  /** True if a read-only key may use the operation although its method is that of a write. */
  readonly isRead?: true
  /** Response of our server on success. */
  readonly response: z.ZodType
  /** Headers of that response with their descriptions; only extensions have any. */
  readonly headers?: Readonly<Record<string, string>>
  /** Response that a client accepts on success; check `wireEnvelope` first. */
  readonly lenient: z.ZodType
  /** Failures in addition to those of every operation. */
  readonly failures: readonly FailureStatus[]
}

const IF_MATCH = {
  'If-Match':
    'Extension `etag`: the version that the client has read; if the article has another one now, nothing is written (412).',
} as const

/** The nine operations of the specification, then the extensions. */
export const routes = {
  readArticle: {
    method: 'GET',
    path: '/api/v2/articles/{id}',
    summary: 'Read an article',
    query: languageQuery,
    conditions: {
      'If-None-Match': 'Extension `etag`: the version that the client has; it is not sent again (304).',
    },
    request: undefined,
    response: readArticleResponse,
    headers: { ETag: 'Extension `etag`: the version of the article, in quotes.' },
    lenient: lenientReadArticle,
    failures: [400, 404],
  },
  createArticle: {
    method: 'PUT',
    path: '/api/v2/articles',
    summary: 'Create an article',
    conditions: {
      'Idempotency-Key':
        'Extension `idempotency`: a text in quotes that the client has for this create alone. If the same is sent again within 24 hours, the response is the same, and no second article is created; with another body, it is rejected (422).',
    },
    request: articleRequest,
    response: doneResponse,
    headers: { Location: 'Extension `ids`: path of the new article, `/api/v2/articles/{id}`.' },
    lenient: lenientDone,
    failures: [400, 403, 408, 409, 412, 413, 415, 422],
  },
  deleteArticle: {
    method: 'DELETE',
    path: '/api/v2/articles/{id}',
    summary: 'Delete an article',
    conditions: IF_MATCH,
    request: undefined,
    response: doneResponse,
    lenient: lenientDone,
    failures: [403, 404, 412],
  },
  listCategories: {
    method: 'GET',
    path: '/api/v2/categories',
    summary: 'List categories',
    request: undefined,
    response: listCategoriesResponse,
    lenient: lenientListCategories,
    failures: [],
  },
  updateCategory: {
    method: 'POST',
    path: '/api/v2/categories/{id}',
    summary: 'Update a category',
    request: updateCategoryRequest,
    response: doneResponse,
    lenient: lenientDone,
    failures: [400, 403, 404, 408, 409, 412, 413, 415],
  },
  listReviewDates: {
    method: 'GET',
    path: '/api/v2/tools/review_dates',
    summary: 'List articles in the review-dates tool',
    query: pageQuery,
    request: undefined,
    response: listReviewDatesResponse,
    lenient: lenientListReviewDates,
    failures: [400],
  },
  listLinks: {
    method: 'GET',
    path: '/api/v2/tools/link_manager',
    summary: 'List links in the link-manager tool',
    query: pageQuery,
    request: undefined,
    response: listLinksResponse,
    lenient: lenientListLinks,
    failures: [400],
  },
  readTag: {
    method: 'GET',
    path: '/api/v2/tags/{id}',
    summary: 'Read a tag',
    query: languageQuery,
    request: undefined,
    response: readTagResponse,
    lenient: lenientReadTag,
    failures: [400, 404],
  },
  updateTag: {
    method: 'POST',
    path: '/api/v2/tags/{id}',
    summary: 'Update a tag',
    request: updateTagRequest,
    response: doneResponse,
    lenient: lenientDone,
    failures: [400, 403, 404, 408, 409, 412, 413, 415],
  },
  updateArticle: {
    method: 'POST',
    path: '/api/v2/articles/{id}',
    summary: 'Update an article in place',
    extension: 'update',
    conditions: IF_MATCH,
    request: articleRequest,
    response: doneResponse,
    lenient: lenientDone,
    failures: [400, 403, 404, 408, 409, 412, 413, 415],
  },
  writeArticles: {
    method: 'POST',
    path: '/api/v2/articles',
    summary: 'Create and update several articles',
    extension: 'batch',
    request: batchRequest,
    response: batchResponse,
    lenient: lenientBatch,
    failures: [400, 403, 408, 412, 413, 415],
  },
  findMissingFiles: {
    method: 'POST',
    path: '/api/v2/files/missing',
    summary: 'Find the files that are not stored, and keep the others until articles use them',
    extension: 'files',
    isRead: true,
    request: missingFilesRequest,
    response: missingFilesResponse,
    lenient: lenientMissingFiles,
    failures: [400, 408, 412, 413, 415],
  },
  putFile: {
    method: 'PUT',
    path: '/api/v2/files/{id}',
    summary: 'Store a file, named by the SHA-256 of its bytes and its type',
    extension: 'files',
    request: undefined,
    takesFile: true,
    response: doneResponse,
    lenient: lenientDone,
    failures: [400, 403, 408, 412, 413, 507],
  },
  listArticles: {
    method: 'GET',
    path: '/api/v2/articles',
    summary: 'List articles, or those that have changed since a revision',
    extension: 'changed-since',
    query: changesQuery,
    request: undefined,
    response: listArticlesResponse,
    lenient: lenientListArticles,
    failures: [400],
  },
  listRedirects: {
    method: 'GET',
    path: '/api/v2/tools/redirects',
    summary: 'List redirects of articles, categories and tags',
    extension: 'redirects',
    request: undefined,
    response: listRedirectsResponse,
    lenient: lenientListRedirects,
    failures: [],
  },
  setSources: {
    method: 'POST',
    path: '/api/v2/tools/sources',
    summary: 'Name the files of articles',
    extension: 'sources',
    request: sourcesRequest,
    response: doneResponse,
    lenient: lenientDone,
    failures: [400, 403, 408, 412, 413, 415],
  },
  announceExtensions: {
    method: 'OPTIONS',
    path: '/api/v2/articles',
    summary: 'Name the extensions',
    extension: 'announcement',
    request: undefined,
    response: doneResponse,
    headers: { [EXTENSIONS_HEADER]: 'Names of the extensions, separated by commas.' },
    lenient: lenientDone,
    failures: [],
  },
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes

/** Returns the path of a route with its identifier, encoded for a URL. */
export function pathOf(route: Route, id?: string): string {
  return id === undefined ? route.path : route.path.replace('{id}', () => encodeURIComponent(id))
}
