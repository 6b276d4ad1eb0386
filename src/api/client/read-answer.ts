import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { KbError } from '../../core/errors/kb-error.ts'
import type { ConnectionFailure } from './connection-failure.ts'
import {
  explainAnswer,
  redirectAddress,
  describeBody,
  type Quote,
  type Envelope,
  readEnvelope,
} from './read-envelope.ts'
import { type Answer, headerOf } from './send-request.ts'
import { type Result, isCutOff, isUnclear, isUnprocessed } from './send-with-retries.ts'
import { EXTENSIONS_HEADER } from '../contract/routes.ts'
import { statusLine } from '../../core/status-line.ts'

/** The origin of a response, for messages. */
export interface Origin {
  /** The URL of the service, without secrets. */
  readonly address: string
  /** For example `GET /api/v2/categories`. */
  readonly operation: string
  readonly quote: Quote
}

/**
 * Parses the response to a read.
 *
 * @throws KbError TARGET_UNREACHABLE, TARGET_REFUSED, TARGET_REDIRECTED, TARGET_FAILED, TARGET_ANSWER_INVALID
 */
export function readAnswer<Schema extends z.ZodType>(
  result: Result,
  schema: Schema,
  origin: Origin,
): z.output<Schema> {
  const answer = assertAnswered(result, origin)
  return parseBody(answer, readEnvelope(answer), schema, origin)
}

/**
 * Like `readAnswer`, for one item by its id: undefined if it does not exist. That is a 404 or 410 whose body is a JSON
 * object without `success: true`. A web page with that status comes from another program; if it counted, everything
 * would be created again. `createMissingDetector` interprets a 200 with `success: false`.
 */
export function readItemAnswer<Schema extends z.ZodType>(
  result: Result,
  schema: Schema,
  origin: Origin,
): z.output<Schema> | undefined {
  const answer = assertAnswered(result, origin)
  const envelope = readEnvelope(answer)
  return saysMissing(answer, envelope) ? undefined : parseBody(answer, envelope, schema, origin)
}

function assertAnswered(result: Result, origin: Origin): Answer {
  if (result.kind === 'broken') throw unreachable(result, origin)
  return result
}

/**
 * Throws if a write did nothing and any other request would fail, too: it was not sent, or is the second in a row that is
 * still rejected after all retries; a single one may be what the target cannot process. With a key, a 503 leaves open
 * whether it was done.
 */
export function assertAccepted(result: Result, origin: Origin, isRepeatable = false): void {
  if (result.kind === 'answered') {
    const mayBeDone = isRepeatable && result.status === 503
    if (isUnprocessed(result) && !mayBeDone && result.abandoned > 1)
      throw failed(result, readEnvelope(result), origin)
  } else if (result.unsent) throw unreachable(result, origin)
}

/** Returns the error for a request without a response. */
function unreachable(broken: Extract<Result, ConnectionFailure>, { address }: Origin): KbError {
  const times = broken.tries === 1 ? '' : ` after ${broken.tries} tries`
  return new KbError(
    'TARGET_UNREACHABLE',
    `The target ${address} did not answer${times}: ${broken.reason}.`,
    { hint: broken.hint, cause: broken.cause },
  )
}

function saysMissing(answer: Answer, envelope: Envelope): boolean {
  if (answer.status !== 404 && answer.status !== 410) return false
  return envelope.kind === 'failure' || (envelope.kind === 'undocumented' && envelope.isObject)
}

function parseBody<Schema extends z.ZodType>(
  answer: Answer,
  envelope: Envelope,
  schema: Schema,
  origin: Origin,
): z.output<Schema> {
  assertNotTurnedAway(answer, envelope, origin)
  if (answer.status >= 300 || envelope.kind === 'failure') throw failed(answer, envelope, origin)
  if (envelope.kind !== 'success') {
    const hint = isCutOff(answer) ? LATER : undefined
    throw undocumented(`with ${nonEnvelope(answer, envelope, origin)}`, origin, hint)
  }
  const parsed = schema.safeParse(envelope.body)
  if (parsed.success) return parsed.data
  const where = parsed.error.issues.map((issue) => issue.path.join('.') || 'the body').join(', ')
  throw undocumented(`but these members are missing or have the wrong type: ${origin.quote(where)}`, origin)
}

function assertNotTurnedAway(answer: Answer, envelope: Envelope, origin: Origin): void {
  const { address, operation, quote } = origin
  if (answer.status === 401 || answer.status === 403) {
    const message = `The target ${address} refused ${operation}: ${explainAnswer(answer, envelope, quote)}.`
    throw new KbError('TARGET_REFUSED', oneStop(message), {
      hint: 'Check KB_API_KEY: the key must belong to this knowledge base and be allowed to read it.',
    })
  }
  if (answer.status >= 300 && answer.status < 400) {
    const message = `The target ${address} redirected ${operation} to ${redirectAddress(answer, quote)}.`
    throw new KbError('TARGET_REDIRECTED', oneStop(message), {
      hint: 'kb-sync never sends an API key to another URL. If the new URL is correct, set its part before /api/v2 as the url of the target.',
    })
  }
}

const LATER = 'Try again later; if it keeps failing, ask the operator of the target.'

function failed(answer: Answer, envelope: Envelope, { address, operation, quote }: Origin): KbError {
  const said = explainAnswer(answer, envelope, quote)
  const status = envelope.kind === 'failure' ? ` (${statusLine(answer.status)})` : ''
  const checks = 'Check the URL of the target; kb-sync adds /api/v2 to it.'
  const isBusy = answer.status >= 500 || answer.status === 429
  const isUrl = UNKNOWN_OPERATION.has(answer.status)
  const hints = isUrl ? [checks, 'If it is correct, check KB_API_KEY.'] : ['Check KB_API_KEY.', checks]
  // Some services reject a key with status 200 or 400.
  const hint = isBusy ? LATER : envelope.kind === 'failure' ? hints.join(' ') : checks
  const message = oneStop(`The target ${address} failed at ${operation}${status}: ${said}.`)
  return new KbError('TARGET_FAILED', message, { hint })
}

function undocumented(
  what: string,
  { address, operation }: Origin,
  hint = 'Check that the URL is that of a knowledge base; kb-sync adds /api/v2 to it.',
): KbError {
  const message = `The target ${address} answered ${operation}, ${what}.`
  return new KbError('TARGET_ANSWER_INVALID', oneStop(message), { hint })
}

function nonEnvelope(answer: Answer, envelope: Envelope, { quote }: Origin): string {
  return envelope.kind === 'not-json'
    ? describeBody(answer.text, quote)
    : 'JSON that has no boolean "success"'
}

/** Removes a second full stop, because messages of services often end with one. */
function oneStop(message: string): string {
  return message.replace(/([.!?])\.$/, '$1')
}

/** Statuses of a service without this operation. */
const UNKNOWN_OPERATION = new Set([404, 405, 501])

/**
 * Returns the extensions in the `KB-Extensions` header of a clean success, in lower case; none if the operation does
 * not exist. Undefined if there was no response, or one that says nothing about the service.
 */
export function readExtensions(result: Result): readonly string[] | undefined {
  if (result.kind === 'broken' || isUnclear(result)) return undefined
  if (UNKNOWN_OPERATION.has(result.status)) return []
  if (result.status >= 300) return undefined
  if (readEnvelope(result).kind === 'failure') return []
  const header = headerOf(result, EXTENSIONS_HEADER.toLowerCase()) ?? ''
  const names = header.split(',').map((name) => name.trim().toLowerCase())
  return names.filter((name) => name !== '')
}

/** Reads an item by its id. */
type Ask = (id: string) => Promise<Result>

interface Comparison {
  readonly askArticle: Ask
  /** True if a list of the target has the article now. */
  readonly isListed: (id: string) => Promise<boolean>
}

/**
 * Decides whether a target that does not return an item means that it does not exist: the specification documents
 * neither a status nor a message for an unknown id ("Errors"), so it may be 404, 200, 400, 403 or 500. For comparison,
 * this reads an item that cannot exist, a listed article, and this item again. It counts as missing only if the first
 * and the last response are the same as before, and the listed article can be read (or there is none). With 500, no list
 * may have it, because the target may fail to read an article that exists. Everything else is a failure of the target.
 */
export function createMissingDetector() {
  let listed: ReadonlySet<string> | undefined
  return {
    /** Stores articles that the target lists. */
    noteListed: (ids: Iterable<string>) => {
      listed = new Set(ids)
    },
    /**
     * True if the response to reading an item means that it does not exist.
     *
     * @param ask reads another item of the same kind
     */
    isMissing: async (id: string, result: Result, ask: Ask, { askArticle, isListed }: Comparison) => {
      const words = refusalOf(result, id)
      // It is not known yet how this target responds.
      if (words === undefined || listed === undefined) return false
      const unknown = unknownIdLike(id)
      if (words !== refusalOf(await ask(unknown), unknown)) return false
      const control = [...listed].find((other) => other !== id)
      if (control !== undefined && !isSuccess(await askArticle(control))) return false
      if (words !== refusalOf(await ask(id), id)) return false
      return !words.startsWith('500 ') || !(await isListed(id))
    },
  }
}

/** Statuses with a clear meaning: the item does not exist, or the target rejects everything now. */
const PLAIN: ReadonlySet<number> = new Set([401, 404, 408, 410, 429])

/** Returns status and message of a rejection, without the id in it; undefined for every other response. */
function refusalOf(result: Result, id: string): string | undefined {
  if (result.kind === 'broken' || PLAIN.has(result.status)) return undefined
  if (result.status > 500 || (result.status >= 300 && result.status < 400)) return undefined
  const envelope = readEnvelope(result)
  return envelope.kind === 'failure'
    ? `${result.status} ${envelope.message.replaceAll(id, '{id}')}`
    : undefined
}

function isSuccess(result: Result): boolean {
  return result.kind === 'answered' && result.status < 300 && readEnvelope(result).kind === 'success'
}

/** Returns an unknown id, a number if ids are numbers, because a target may respond differently to an invalid id. */
function unknownIdLike(id: string): string {
  return /^\d+$/.test(id) ? '9'.repeat(Math.min(id.length + 4, 15)) : randomUUID()
}
