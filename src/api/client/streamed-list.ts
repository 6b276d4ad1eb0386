import { JSONParser } from '@streamparser/json'
import type { BodyReader } from './send-request.ts'

/** Receives a list while it is read. */
export interface ListReceiver {
  /** Called at the start of the list. If a response contains it twice, the later one counts. */
  begin(): void
  /** Adds the next entries, in the order of the response. */
  add(entries: readonly unknown[]): void
}

/** Maximum length of an entry, and of the text around the list, to limit memory. */
const LONGEST_PART = 16 * 1024 * 1024

/** Longer than any quote in a message. */
const HEAD_LENGTH = 10_000

/** Invalid JSON after any text. */
const BROKEN = '{…'
const TOO_LONG = 'more than 16 MB in one piece'

/**
 * Reads a JSON response whose list `data` is too long for memory: its entries go to `receiver`. The result is its
 * `success` and `message` with an empty `data`, or with `data` as it is if that is no list; if it is not JSON, its
 * beginning. The parser drops U+FEFF, an invisible space, from texts. Otherwise the result is that of JSON.parse.
 */
export function createStreamedList(receiver: ListReceiver): BodyReader<string> {
  const parser = new JSONParser({ paths: ['$.success', '$.message', '$.data.*'], keepStack: false })
  // A response of that length without a list is something else, and must not pass as an empty list.
  const envelope: Record<string, unknown> = { data: false }
  let head = ''
  let entries: unknown[] = []
  let sinceValue = 0
  let isNewList = false
  let fault: 'broken' | 'too-long' | undefined

  parser.onValue = ({ value, key, parent, stack }) => {
    sinceValue = 0
    if (stack.length === 1) envelope[String(key)] = value
    else if (!Array.isArray(parent)) envelope['data'] = false
    else {
      if (key === 0) {
        isNewList = true
        entries = []
        envelope['data'] = []
      }
      entries.push(value)
    }
  }

  // An error of the receiver must not look like an error in the text, so it is called after the parser.
  function tellReceiver(): void {
    if (isNewList) receiver.begin()
    if (entries.length > 0) receiver.add(entries)
    isNewList = false
    entries = []
  }

  function parse(step: () => void): void {
    if (fault !== undefined) return
    try {
      step()
    } catch {
      fault = 'broken'
    }
  }

  return {
    write: (text) => {
      if (head.length < HEAD_LENGTH) head = (head + text).slice(0, HEAD_LENGTH)
      sinceValue += text.length
      parse(() => parser.write(text))
      if (fault === undefined && sinceValue > LONGEST_PART) fault = 'too-long'
      if (fault === undefined) tellReceiver()
    },
    end: () => {
      parse(() => {
        if (!parser.isEnded) parser.end()
      })
      if (fault === 'too-long') return TOO_LONG
      // White space alone is not JSON, although the parser accepts it.
      return fault === 'broken' || head.trim() === '' ? head + BROKEN : JSON.stringify(envelope)
    },
  }
}
