// The nine operations of /api/v2, as one table that server, client and OpenAPI document are made from.
import type { z } from 'zod'
import {
  lenientDone,
  lenientListCategories,
  lenientListLinks,
  lenientListReviewDates,
  lenientReadArticle,
  lenientReadTag,
} from './lenient.ts'
import { createArticleRequest, updateCategoryRequest, updateTagRequest } from './request.ts'
import {
  doneResponse,
  listCategoriesResponse,
  listLinksResponse,
  listReviewDatesResponse,
  readArticleResponse,
  readTagResponse,
} from './response.ts'
import type { FailureStatus } from './wire-error.ts'

/** Every path starts with it. */
export const API_PREFIX = '/api/v2'

export interface Route {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** From the base address on, with `{id}` where an identifier stands. */
  readonly path: string
  readonly summary: string
  /** Undefined where the operation takes no body. */
  readonly request: z.ZodType | undefined
  /** What our server sends on success. */
  readonly response: z.ZodType
  /** What a client accepts on success; check `wireEnvelope` first. */
  readonly lenient: z.ZodType
  /** Failures beyond those that every operation knows. */
  readonly failures: readonly FailureStatus[]
}

/** The nine operations (api-v2.md 4.1 to 4.9). */
export const routes = {
  readArticle: {
    method: 'GET',
    path: '/api/v2/articles/{id}',
    summary: 'Read an article',
    request: undefined,
    response: readArticleResponse,
    lenient: lenientReadArticle,
    failures: [404],
  },
  createArticle: {
    method: 'PUT',
    path: '/api/v2/articles',
    summary: 'Create an article',
    request: createArticleRequest,
    response: doneResponse,
    lenient: lenientDone,
    failures: [400, 403, 409, 413, 415],
  },
  deleteArticle: {
    method: 'DELETE',
    path: '/api/v2/articles/{id}',
    summary: 'Delete an article',
    request: undefined,
    response: doneResponse,
    lenient: lenientDone,
    failures: [403, 404],
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
    failures: [400, 403, 404, 409, 413, 415],
  },
  listReviewDates: {
    method: 'GET',
    path: '/api/v2/tools/review_dates',
    summary: 'List articles in the review-dates tool',
    request: undefined,
    response: listReviewDatesResponse,
    lenient: lenientListReviewDates,
    failures: [],
  },
  listLinks: {
    method: 'GET',
    path: '/api/v2/tools/link_manager',
    summary: 'List links in the link-manager tool',
    request: undefined,
    response: listLinksResponse,
    lenient: lenientListLinks,
    failures: [],
  },
  readTag: {
    method: 'GET',
    path: '/api/v2/tags/{id}',
    summary: 'Read a tag',
    request: undefined,
    response: readTagResponse,
    lenient: lenientReadTag,
    failures: [404],
  },
  updateTag: {
    method: 'POST',
    path: '/api/v2/tags/{id}',
    summary: 'Update a tag',
    request: updateTagRequest,
    response: doneResponse,
    lenient: lenientDone,
    failures: [400, 403, 404, 409, 413, 415],
  },
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes

/** The path of a route with its identifier filled in, encoded for a URL. */
export function pathOf(route: Route, id?: string): string {
  return id === undefined ? route.path : route.path.replace('{id}', () => encodeURIComponent(id))
}
