import { STATUS_CODES } from 'node:http'
import { describeBody, type Quote } from './foreign-text.ts'
import type { Envelope } from './read-envelope.ts'
import { type Answer, headerOf } from './send-request.ts'

/** The answer's own message, else its status and what its body is; the end of a sentence, without a full stop. */
export function explainAnswer(answer: Answer, envelope: Envelope, quote: Quote): string {
  const message = envelope.kind === 'failure' ? quote(envelope.message) : ''
  return message === '' ? `${statusLine(answer.status)}, with ${contentOf(answer, envelope, quote)}` : message
}

/** `404 Not Found` */
export function statusLine(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd()
}

/** Where a redirect leads, without its query, which may hold secrets. */
export function redirectAddress(answer: Answer, quote: Quote): string {
  const location = headerOf(answer, 'location') ?? ''
  return quote(location.replace(/[?#].*$/s, '')) || 'a URL that the response does not contain'
}

function contentOf({ text }: Answer, envelope: Envelope, quote: Quote): string {
  if (envelope.kind === 'not-json') return describeBody(text, quote)
  if (envelope.kind === 'undocumented') return 'JSON that has no "success"'
  return envelope.kind === 'success' ? '"success": true' : 'no message'
}
