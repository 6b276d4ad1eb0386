import { lenientBatch } from '../contract/lenient.ts'
import { pathOf, routes } from '../contract/routes.ts'
import { explainAnswer, redirectAddress, type Quote, type Envelope, readEnvelope } from './read-envelope.ts'
import { type Answer, headerOf } from './send-request.ts'
import { isUnprocessed, type Result } from './send-with-retries.ts'
import { statusLine } from '../../core/status-line.ts'

export type WriteOutcome =
  /** `id`: the new article, if the response to a create states it. */
  | { readonly kind: 'done'; readonly message: string; readonly id?: string | undefined }
  /** The target certainly did not do it. */
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  /** Unknown. Check whether it was done before sending it again. */
  | { readonly kind: 'lost'; readonly reason: string }

/**
 * Returns the outcome of a write. Done: only a 2xx with `success: true`. Refused: responses that a target sends only if
 * it did not act: a 2xx with `success: false`, a 4xx, 429 and 503 with Retry-After, and 307 or 308, which ask for the
 * same request elsewhere. Lost: everything else, such as a cut or silent connection, another 5xx (the write may have
 * been done), another redirect (some services answer a completed write with one), an undocumented body, and a status
 * that contradicts the body.
 *
 * @param isRepeatable True if the request has a key. Then a 503 with Retry-After only says that it may be repeated.
 */
export function judgeWrite(result: Result, quote: Quote, isRepeatable = false): WriteOutcome {
  if (result.kind === 'broken') return { kind: 'lost', reason: result.reason }
  const { status } = result
  if (status >= 300 && status < 400) return judgeRedirect(result, quote)
  const envelope = readEnvelope(result)
  if (envelope.kind === 'success' && status < 300) return { kind: 'done', message: quote(envelope.message) }
  const explanation = explainAnswer(result, envelope, quote)
  const isUnsure = isRepeatable && status === 503
  if (!isUnsure && isRefusal(result, envelope)) return { kind: 'refused', status, message: explanation }
  return {
    kind: 'lost',
    reason: envelope.kind === 'failure' ? `${statusLine(status)}: ${explanation}` : explanation,
  }
}

/** True if a write was refused because of the slug: by status 409, or by the message. */
export function isSlugTaken({ status, message }: Extract<WriteOutcome, { kind: 'refused' }>): boolean {
  return status === 409 || /slug|duplicate|already|unique|in use|\btaken\b/i.test(message)
}

/** The outcome of each write of a batch, or why the target certainly did none, but may do each of them alone. */
export type BatchOutcome = readonly WriteOutcome[] | 'too-large' | 'unsupported'

/** Judges each of `count` results like the response to a separate write. If one is missing, all are lost. */
export function judgeBatch(
  result: Result,
  count: number,
  { quote, isRepeatable }: { readonly quote: Quote; readonly isRepeatable: boolean },
): BatchOutcome {
  const whole = judgeWrite(result, quote, isRepeatable)
  const all = (outcome: WriteOutcome) => Array.from({ length: count }, () => outcome)
  if (whole.kind === 'refused' && REFUSING_ALL.has(whole.status)) return all(whole)
  if (whole.kind === 'refused') return whole.status === 413 ? 'too-large' : 'unsupported'
  // The target, or a proxy in front of it, does not support the request.
  if (result.kind === 'answered' && result.status === 501) return 'unsupported'
  const results = whole.kind === 'done' && result.kind === 'answered' ? resultsOf(result) : []
  if (results.length !== count) {
    const reason =
      whole.kind === 'lost' ? whole.reason : 'the response does not have the result of each article'
    return all({ kind: 'lost', reason })
  }
  return results.map(({ id = '', ...single }) => {
    const { status } = single
    const answer = { ...result, kind: 'answered', status, headers: {}, text: JSON.stringify(single) } as const
    const outcome = judgeWrite(answer, quote, isRepeatable)
    return outcome.kind === 'done' && PLAIN_ID.test(id) ? { ...outcome, id } : outcome
  })
}

/** Statuses with which a target rejects every request, regardless of its content. */
const REFUSING_ALL: ReadonlySet<number> = new Set([401, 429, 503])

function resultsOf({ text }: Answer) {
  const parsed = lenientBatch.safeParse(JSON.parse(text))
  return parsed.success ? parsed.data.results : []
}

/** Characters that are unencoded in a path. */
const PLAIN_ID = /^(?!\.{1,2}$)[\w.~-]{1,200}$/

/**
 * Returns the id in the `Location` header of a response; undefined unless that is an article of this service, as a URL
 * or as a path, which a proxy in front may have shortened.
 *
 * @param address the URL of the service
 */
export function locatedId(result: Result, address: string): string | undefined {
  const location = (result.kind === 'answered' && headerOf(result, 'location')) || ''
  const articles = `${pathOf(routes.createArticle)}/`
  const starts = [address, new URL(address).pathname.replace(/\/$/, ''), ''].map((base) => base + articles)
  const start = starts.find((each) => location.startsWith(each))
  const id = start === undefined ? '' : location.slice(start.length)
  return PLAIN_ID.test(id) ? id : undefined
}

function judgeRedirect(answer: Answer, quote: Quote): WriteOutcome {
  const { status } = answer
  const message = `redirected to ${redirectAddress(answer, quote)}, and kb-sync never follows a redirect`
  if (status === 307 || status === 308) return { kind: 'refused', status, message }
  return { kind: 'lost', reason: `${statusLine(status)}: ${message}` }
}

function isRefusal(answer: Answer, envelope: Envelope): boolean {
  if (envelope.kind === 'success') return false
  if (answer.status < 300) return envelope.kind === 'failure'
  return answer.status < 500 || isUnprocessed(answer)
}
