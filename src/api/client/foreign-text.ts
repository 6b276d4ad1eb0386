// What another program wrote, made fit for our messages: one short line, nothing a terminal would obey, never the key.
import { escapeControlInLine } from '../../core/escape-control.ts'

const LONGEST_QUOTE = 300

export type Quote = (text: string) => string

/** Quotes text of a foreign answer; where the key stands in it (some services repeat it), it is left out. */
export function createQuote(apiKey: string | undefined): Quote {
  return (text) => {
    // Cut generously first: a body may be hundreds of megabytes long.
    const head = text.slice(0, LONGEST_QUOTE * 4 + (apiKey?.length ?? 0))
    const keyless = apiKey === undefined ? head : head.replaceAll(apiKey, '[the API key]')
    const line = escapeControlInLine(keyless).replace(/ +/g, ' ').trim()
    return line.length > LONGEST_QUOTE ? `${line.slice(0, LONGEST_QUOTE - 1)}…` : line
  }
}

/**
 * Says what a body is that should have been JSON. Of JSON that is broken, or stands behind something else, nothing is
 * shown: it may hold personal data.
 */
export function describeBody(text: string, quote: Quote): string {
  const start = text.trimStart().slice(0, 1)
  if (start === '') return 'an empty body'
  if (start === '{' || start === '[') return 'invalid JSON'
  if (start !== '<') return `"${quote(text.replace(/[[{].*/s, ''))}"`
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(text.slice(0, 10_000))?.[1] ?? ''
  return title.trim() === '' ? 'a web page' : `a web page, "${quote(title)}"`
}
