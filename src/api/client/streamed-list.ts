import { JSONParser } from '@streamparser/json'
import { appendAll } from '../../core/append-all.ts'
import type { BodyReader } from './send-request.ts'
import { tryTo } from '../../core/try-to.ts'

/** Receives a list while it is read. */
export interface ListReceiver {
  /** Called at the start of the list. If a response contains it twice, the later one counts. */
  begin(): void
  /** Adds the next entries, in the order of the response. */
  add(entries: readonly unknown[]): void
}

/** Maximum length of an entry, of the text around the list, and of a response without one, to limit memory. */
const LONGEST_PART = 16 * 1024 * 1024

/** Longer than any quote in a message. */
const HEAD_LENGTH = 10_000

/** Invalid JSON after any text. It ends with the `}` of a response that has its end. */
const BROKEN = '{…'
/** The border between two entries, unless it is part of a text or of an entry. */
const BORDER = /\}[ \t\r\n]*,[ \t\r\n]*\{/
const TOO_LONG = 'more than 16 MB in one piece'

/**
 * Reads a JSON response whose list `data` is too long for memory: its entries go to `receiver`. The result is its
 * `success` and `message` with an empty `data`; the whole response if `data` has no entries; if it is not JSON, its
 * beginning. The parser drops U+FEFF, an invisible space, from texts. Otherwise the result is that of JSON.parse, which
 * parses most entries, because nothing is as fast.
 */
export class StreamedList implements BodyReader<string> {
  readonly #receiver: ListReceiver
  readonly #parser = new JSONParser({ paths: ['$.success', '$.message', '$.data.*'], keepStack: false })
  // A response without entries that is too long to be kept is something else, and must not count as an empty list.
  readonly #envelope: Record<string, unknown> = { data: false }
  /** The response so far; undefined once it has entries or a fault. */
  #whole: string | undefined = ''
  #head = ''
  #hasEnd = false
  #entries: unknown[] = []
  #sinceValue = 0
  #isNewList = false
  #hasEntryEnded = false
  #fault: 'broken' | 'too-long' | undefined

  constructor(receiver: ListReceiver) {
    this.#receiver = receiver
    this.#parser.onValue = ({ value, key, parent, stack }) => {
      this.#sinceValue = 0
      if (stack.length === 1) this.#envelope[String(key)] = value
      else if (Array.isArray(parent)) this.#addEntry(value, key)
      else this.#envelope['data'] = false
    }
  }

  write(text: string): void {
    if (this.#head.length < HEAD_LENGTH) this.#head = (this.#head + text).slice(0, HEAD_LENGTH)
    const last = text.trimEnd().at(-1)
    if (last !== undefined) this.#hasEnd = last === '}'
    this.#sinceValue += text.length
    this.#parse(() => this.#parsePart(text))
    if (this.#fault === undefined && this.#sinceValue > LONGEST_PART) this.#fault = 'too-long'
    this.#keepWhole(text)
    if (this.#fault === undefined) this.#tellReceiver()
  }

  end(): string {
    this.#parse(() => {
      if (!this.#parser.isEnded) this.#parser.end()
    })
    if (this.#fault === 'too-long') return TOO_LONG
    // White space alone is not JSON, although the parser accepts it.
    return this.#fault === 'broken' || this.#head.trim() === ''
      ? `${this.#head}${BROKEN}${this.#hasEnd ? '}' : ''}`
      : (this.#whole ?? JSON.stringify(this.#envelope))
  }

  #keepWhole(text: string): void {
    const isLong = (this.#whole?.length ?? 0) + text.length > LONGEST_PART
    const isKept = this.#fault === undefined && !this.#isNewList && !isLong
    this.#whole = isKept && this.#whole !== undefined ? this.#whole + text : undefined
  }

  #addEntry(entry: unknown, key: unknown): void {
    if (key === 0) {
      this.#isNewList = true
      this.#entries = []
      this.#envelope['data'] = []
    }
    this.#entries.push(entry)
    this.#hasEntryEnded = true
  }

  /** Passes the first and the last entry of a part of the response to the parser, and the rest to JSON.parse. */
  #parsePart(text: string): void {
    // Usually, all borders have the same white space.
    const border = BORDER.exec(text)?.[0] ?? '},{'
    const first = text.indexOf(border)
    const last = text.lastIndexOf(border)
    if (first === last) {
      this.#parser.write(text)
      return
    }
    this.#parser.write(text.slice(0, first))
    this.#hasEntryEnded = false
    this.#parser.write('}')
    const start = first + border.length - 1
    const between = this.#hasEntryEnded ? parseEntries(text.slice(start, last + 1)) : undefined
    if (between !== undefined) appendAll(this.#entries, between)
    this.#parser.write(text.slice((between === undefined ? first : last) + 1))
  }

  // Called after the parser, so that an error of the receiver does not look like an error in the text.
  #tellReceiver(): void {
    if (this.#isNewList) this.#receiver.begin()
    if (this.#entries.length > 0) this.#receiver.add(this.#entries)
    this.#isNewList = false
    this.#entries = []
  }

  #parse(step: () => void): void {
    if (this.#fault !== undefined) return
    try {
      step()
    } catch {
      this.#fault = 'broken'
    }
  }
}

/** Undefined if the text is not a list of whole entries. */
function parseEntries(text: string): unknown[] | undefined {
  // The result must not depend on the parser of an entry.
  if (text.includes('\uFEFF')) return undefined
  return tryTo(() => JSON.parse(`[${text}]`) as unknown[])
}
