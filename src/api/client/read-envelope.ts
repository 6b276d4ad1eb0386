import { wireEnvelope } from '../contract/lenient.ts'
import { type Answer, headerOf } from './send-request.ts'
import { escapeControlInLine } from '../../core/escape-control.ts'
import { statusLine } from '../../core/status-line.ts'
import { tryTo } from '../../core/try-to.ts'

/** The result in the body of a response ("Errors" in the specification), regardless of its status. */
export type Envelope =
  | { readonly kind: 'success'; readonly message: string; readonly body: unknown }
  | { readonly kind: 'failure'; readonly message: string }
  | { readonly kind: 'not-json' }
  /** JSON without a boolean `success`. */
  | { readonly kind: 'undocumented'; readonly isObject: boolean }

export function readEnvelope({ text }: Answer): Envelope {
  const body = tryTo((): unknown => JSON.parse(text))
  if (body === undefined) return { kind: 'not-json' }
  const envelope = wireEnvelope.safeParse(body)
  if (!envelope.success) {
    return {
      kind: 'undocumented',
      isObject: typeof body === 'object' && body !== null && !Array.isArray(body),
    }
  }
  const { success, message = '' } = envelope.data
  return success ? { kind: 'success', message, body } : { kind: 'failure', message }
}

/** The response's own message, otherwise its status and kind of body, as the end of a sentence without a full stop. */
export function explainAnswer(answer: Answer, envelope: Envelope, quote: Quote): string {
  const message = envelope.kind === 'failure' ? quote(envelope.message) : ''
  return message === '' ? `${statusLine(answer.status)}, with ${contentOf(answer, envelope, quote)}` : message
}

/** Returns the URL of a redirect, without its query, which may contain secrets. */
export function redirectAddress(answer: Answer, quote: Quote): string {
  const location = headerOf(answer, 'location') ?? ''
  return quote(location.replace(/[?#].*$/s, '')) || 'a URL that the response does not contain'
}

function contentOf({ text }: Answer, envelope: Envelope, quote: Quote): string {
  if (envelope.kind === 'not-json') return describeBody(text, quote)
  if (envelope.kind === 'undocumented') return 'JSON that has no "success"'
  return envelope.kind === 'success' ? '"success": true' : 'no message'
}

// Makes text from another program safe for our messages: one short line without control characters or the key.

const LONGEST_QUOTE = 300

export type Quote = (text: string) => string

/** Quotes text of a response, without the key, which some services repeat. */
export function createQuote(apiKey: string | undefined): Quote {
  return (text) => {
    // Shortened first, since a body may have hundreds of megabytes.
    const head = text.slice(0, LONGEST_QUOTE * 4 + (apiKey?.length ?? 0))
    const keyless = apiKey === undefined ? head : head.replaceAll(apiKey, '[the API key]')
    const line = escapeControlInLine(keyless).replace(/ +/g, ' ').trim()
    return line.length > LONGEST_QUOTE ? `${line.slice(0, LONGEST_QUOTE - 1)}…` : line
  }
}

/**
 * Describes a body that should have been JSON. Invalid JSON, or JSON after something else, is not quoted, since it may
 * contain personal data.
 */
export function describeBody(text: string, quote: Quote): string {
  const start = text.trimStart().slice(0, 1)
  if (start === '') return 'an empty body'
  if (start === '{' || start === '[') return 'invalid JSON'
  if (start !== '<') return `"${quote(text.replace(/[[{].*/s, ''))}"`
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(text.slice(0, 10_000))?.[1] ?? ''
  return title.trim() === '' ? 'a web page' : `a web page, "${quote(title)}"`
}
