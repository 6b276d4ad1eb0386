import { isAscii, isUtf8, transcode } from 'node:buffer'
import { storedFileNamesIn } from '../../core/stored-file-names.ts'
import { HttpError } from '../operations/responses.ts'
import { checkRequest } from '../../api/contract/check-request.ts'
import { anyBatch, type ArticleRequest, batchArticle } from '../../api/contract/request.ts'
import { type Route, type RouteName, routes } from '../../api/contract/routes.ts'
import type { BatchItem } from '../operations/create-operations.ts'

/** Maximum size of a body in bytes: an article may contain inline images. */
export const BODY_LIMIT_BYTES = 32_000_000

/**
 * Reads the body of a JSON request as bytes.
 *
 * @throws HttpError 415 if it is not sent as plain JSON, 413 if it is too large, 400 if it is incomplete
 */
export async function readJsonBytes(request: Request, limitBytes: number): Promise<Uint8Array> {
  const [type, ...parameters] = (request.headers.get('content-type') ?? '').toLowerCase().split(';')
  if (type?.trim() !== 'application/json') {
    throw new HttpError(415, 'Send the body with the header "Content-Type: application/json"')
  }
  // Lenient about spaces and quotes (RFC 9110, section 5.6.6). ASCII is UTF-8, too.
  const charset = parameters
    .map((each) => /^\s*charset\s*=\s*["']?([^"'\s]*)/.exec(each)?.[1] ?? '')
    .find((each) => !/^(?:utf-?8|us-ascii)?$/.test(each))
  if (charset !== undefined) {
    throw new HttpError(
      415,
      `Send the body in UTF-8, which JSON requires: the charset "${charset}" is not supported`,
    )
  }
  const coding = request.headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity'
  if (coding !== 'identity') {
    throw new HttpError(415, `Send the body as it is: the coding "${coding}" is not supported`, {
      'Accept-Encoding': 'identity',
    })
  }
  return readBytes(request, limitBytes).catch(cutOff)
}

async function readBytes(request: Request, limitBytes: number): Promise<Uint8Array> {
  const announced = request.headers.get('content-length')
  if (announced === null) return readChunks(request, limitBytes)
  if (Number(announced) > limitBytes) throw tooLarge(limitBytes)
  const bytes = new Uint8Array(await request.arrayBuffer())
  if (bytes.length > limitBytes) throw tooLarge(limitBytes)
  return bytes
}

// Without Content-Length, reading stops as soon as the limit is exceeded.
async function readChunks(request: Request, limitBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  // An iterator would cancel the stream when it is left early, and with it the connection.
  const reader = request.body?.getReader()
  for (;;) {
    const chunk = (await reader?.read())?.value
    if (chunk === undefined) return Buffer.concat(chunks)
    size += chunk.length
    if (size > limitBytes) throw tooLarge(limitBytes)
    chunks.push(chunk)
  }
}

// Reading fails only if the connection does. The client does not receive this response, but the log must not report it
// as a server error.
function cutOff(error: unknown): never {
  throw error instanceof HttpError ? error : new HttpError(400, 'The connection was closed within the body')
}

function tooLarge(limitBytes: number): HttpError {
  return new HttpError(413, `The body is too large: at most ${limitBytes} bytes are read`)
}

// Converts the bytes of a body to the input of an operation. Values are counted before the body is parsed, because ten
// million tiny ones fit into it and a parser creates an object for each. Time is linear in the length.

/**
 * Maximum number of members and elements of a body, including nested ones. An article with all its categories and tags
 * has some 4,000.
 */
const MOST_VALUES = 10_000

const DEEPEST_NESTING = 32

/** Maximum number of different files of one text. Each is stored as a row. */
const MOST_FILES = 1000

/** Length of texts that cannot refer to more files: a name has at least 68 characters. */
const FEW_FILES_LENGTH = 68 * MOST_FILES

/**
 * Parses and checks the body of a request.
 *
 * @param nextTurn called between the articles of a batch
 * @throws HttpError 400 if it is not JSON, holds too many values, or violates the contract
 */
export async function parseBody(
  bytes: Uint8Array,
  name: RouteName,
  nextTurn?: () => Promise<void>,
): Promise<unknown> {
  if (bytes.length === 0) throw new HttpError(400, 'The body is empty: send a JSON object')
  if (!isUtf8(bytes)) throw new HttpError(400, 'The body is not JSON: it is not encoded in UTF-8')
  assertBounded(bytes)
  const { request }: Route = routes[name]
  if (request === undefined) throw new Error(`${name} takes no body`)
  const json = parseJson(bytes)
  if (name === 'writeArticles') return parseBatch(json, nextTurn)
  const checked = checkRequest(request, json)
  if (checked.kind === 'invalid') throw new HttpError(400, checked.message)
  assertFewFiles(checked.value)
  return checked.value
}

/** Time after which other events are handled between the articles of a batch. */
const TURN_MS = 1

/** Parses the articles of a batch. An invalid one does not fail the others. */
async function parseBatch(json: unknown, nextTurn?: () => Promise<void>): Promise<BatchItem[]> {
  const checked = checkRequest(anyBatch, json)
  if (checked.kind === 'invalid') throw new HttpError(400, checked.message)
  const items: BatchItem[] = []
  let turnMs = performance.now()
  for (const article of checked.value.articles) {
    if (performance.now() - turnMs > TURN_MS) {
      await nextTurn?.()
      turnMs = performance.now()
    }
    const item = checkRequest(batchArticle, article, 'the article')
    if (item.kind === 'invalid') {
      items.push(item)
      continue
    }
    const { id, ifMatch, idempotencyKey, ...body } = item.value
    assertFewFiles(body)
    items.push({ kind: 'valid', id, ifMatch, idempotencyKey, body: body satisfies ArticleRequest })
  }
  return items
}

const decoder = new TextDecoder()

function parseJson(bytes: Uint8Array): unknown {
  // The decoder takes three times as long for a text with other characters.
  const text = isAscii(bytes)
    ? decoder.decode(bytes)
    : transcode(bytes, 'utf8', 'utf16le').toString('utf16le')
  try {
    // Skips a byte order mark, as RFC 8259, section 8.1, allows: some programs write one.
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new HttpError(400, `The body is not JSON: ${(error as Error).message}`)
  }
}

function assertFewFiles(value: unknown): void {
  for (const field of ['content', 'longDescription']) {
    const html = (value as Readonly<Record<string, unknown>>)[field]
    if (typeof html !== 'string' || html.length <= FEW_FILES_LENGTH) continue
    if (storedFileNamesIn(html, MOST_FILES + 1).length <= MOST_FILES) continue
    throw new HttpError(400, `${field} must refer to at most ${MOST_FILES} stored files`)
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
/** The bit that differs between `[` and `{`, and between `]` and `}`. */
const BRACE_BIT = 0x20
const OPENING = 0x7b
const CLOSING = 0x7d

/** Limits the number of values in a body by counting outside of strings. The parser validates the JSON. */
function assertBounded(bytes: Uint8Array): void {
  let values = 1
  let depth = 0
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] as number
    if (byte === QUOTE) index = endOfString(bytes, index)
    else if (byte === COMMA) values++
    else if ((byte | BRACE_BIT) === OPENING) {
      values++
      depth++
    } else if ((byte | BRACE_BIT) === CLOSING) depth--
    else continue
    if (values > MOST_VALUES) {
      throw new HttpError(400, `The body holds too many values: at most ${MOST_VALUES} are read`)
    }
    if (depth > DEEPEST_NESTING) {
      throw new HttpError(400, `The body is nested too deeply: at most ${DEEPEST_NESTING} levels are read`)
    }
  }
}

/** Returns the index of the quote that ends the string beginning at `start`. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end !== -1; end = bytes.indexOf(QUOTE, end + 1)) {
    let escape = end
    while (bytes[escape - 1] === BACKSLASH) escape--
    if ((end - escape) % 2 === 0) return end
  }
  return bytes.length
}
