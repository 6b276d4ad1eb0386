import type { FailureStatus } from '../../api/contract/wire-error.ts'
import { DatabaseBusy, DatabaseUnavailable } from '../store/database-errors.ts'
import type { ArticleRefusal, CreateOutcome, UpdateArticleOutcome, UpdateOutcome } from '../store/records.ts'

/** Rejects a request. Thrown anywhere, handled in one place; `message` is sent to the client. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: FailureStatus
  readonly headers: Readonly<Record<string, string>>

  constructor(status: FailureStatus, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}

/** Returns the error for the client; undefined for a server error. */
export function httpErrorOf(error: unknown): HttpError | undefined {
  if (error instanceof DatabaseBusy || error instanceof DatabaseUnavailable) {
    // `Retry-After` tells a client that it may repeat the request: nothing was done, or the request has a key.
    const isUnknown = error instanceof DatabaseUnavailable && error.fate === 'unknown'
    return new HttpError(503, error.message, isUnknown ? {} : { 'Retry-After': '1' })
  }
  return error instanceof HttpError ? error : undefined
}

// Messages for rejections by the store.

type Noun = 'article' | 'category' | 'tag'
type CreateRefused = Exclude<CreateOutcome, { kind: 'created' | 'repeated' }>
type UpdateRefused = Exclude<UpdateOutcome, { kind: 'updated' }>
type UpdateArticleRefused = Exclude<UpdateArticleOutcome, { kind: 'updated' }>

/** Finished JSON, or JSON that is created while it is sent; null if the client already has it. */
type JsonBody = string | Uint8Array | AsyncGenerator<string, void> | null

/** A successful response whose body is finished JSON, so it is not serialised again. */
export class JsonResponse {
  readonly body: JsonBody
  readonly headers: Readonly<Record<string, string>>

  constructor(body: JsonBody, headers: Readonly<Record<string, string>>) {
    this.body = body
    this.headers = headers
  }
}

/** @param headers of this response only; common headers are added when it is sent */
export function jsonResponse(body: JsonBody, headers: Readonly<Record<string, string>> = {}): JsonResponse {
  return new JsonResponse(body, headers)
}

export function unknownItem(noun: Noun, id: string): HttpError {
  return new HttpError(404, `There is no ${noun} with the id "${id}"`)
}

export function refuseCreate(outcome: CreateRefused, slug: string): HttpError {
  if (outcome.kind === 'key-reused')
    return new HttpError(422, 'The Idempotency-Key was used before to create an article with another body')
  if (outcome.kind !== 'limit-reached') return refuseArticle(outcome, slug)
  return new HttpError(403, `The article limit of ${outcome.limit} is reached`)
}

export function refuseUpdateArticle(outcome: UpdateArticleRefused, id: string, slug: string): HttpError {
  return outcome.kind === 'unknown' || outcome.kind === 'unexpected'
    ? refuseVersion(outcome, id)
    : refuseArticle(outcome, slug)
}

/** Returns the error for an article that does not exist, or not in the version that a client expects. */
export function refuseVersion({ kind }: { readonly kind: 'unknown' | 'unexpected' }, id: string): HttpError {
  if (kind === 'unknown') return unknownItem('article', id)
  return new HttpError(412, `The article "${id}" has another version than the one in If-Match`)
}

export function unknownLanguage(languages: readonly string[]): HttpError {
  return new HttpError(400, `lang must be one of the enabled languages: ${languages.join(', ')}`)
}

const CATEGORY_RULE = 'must be the id of a category: GET /api/v2/categories lists them'

function refuseArticle(outcome: ArticleRefusal, slug: string): HttpError {
  switch (outcome.kind) {
    case 'slug-taken':
      return slugTaken('article', slug, outcome.by)
    case 'translation-exists':
      return new HttpError(409, `The original has a translation in this language already: "${outcome.by}"`)
    case 'unknown-item': {
      const rule = outcome.list === 'categories' ? CATEGORY_RULE : 'must be the id of a tag'
      return new HttpError(400, `${outcome.list}[${outcome.index}].value ${rule}`)
    }
    case 'unknown-language':
      return unknownLanguage(outcome.languages)
    case 'unknown-language-parent':
      return new HttpError(400, 'languageParent must be the id of an article')
    case 'parent-is-translation':
      return new HttpError(
        400,
        `languageParent must name an original, but this is a translation of "${outcome.originalId}"`,
      )
    case 'parent-is-draft':
      return new HttpError(
        400,
        `languageParent must name the published article "${outcome.publishedId}", but this is its draft`,
      )
    case 'own-language-parent':
      return new HttpError(400, 'languageParent must name another article')
    case 'has-translations':
      return new HttpError(400, 'languageParent must be omitted, because the article has translations')
    case 'language-of-original':
      return new HttpError(400, 'lang must differ from the language of the original')
  }
}

export function refuseUpdate(
  outcome: UpdateRefused,
  noun: 'category' | 'tag',
  id: string,
  request: { readonly slug: string },
): HttpError {
  if (outcome.kind === 'unknown') return unknownItem(noun, id)
  if (outcome.kind === 'slug-taken') return slugTaken(noun, request.slug, outcome.by)
  if (outcome.kind === 'unknown-language') return unknownLanguage(outcome.languages)
  return new HttpError(400, ruleOf(outcome))
}

function ruleOf({ kind }: Extract<UpdateRefused, { kind: 'unknown-parent' | 'own-ancestor' }>): string {
  return kind === 'unknown-parent'
    ? `categoryParent ${CATEGORY_RULE}`
    : 'categoryParent must not be the category itself or one of its descendants'
}

function slugTaken(noun: Noun, slug: string, by: string): HttpError {
  return new HttpError(409, `The slug "${slug}" is taken by the ${noun} "${by}"`)
}
