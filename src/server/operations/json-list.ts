// Lists may have a million entries. They are read from the store page by page and sent at once, so that memory use is
// constant and the first bytes are sent early. Each turn of the event loop reads one page of one list, so that other
// requests wait for one page at most.
import type { z } from 'zod'
import { HttpError, type JsonResponse, jsonResponse } from './responses.ts'

const PAGE_SIZE = 500

export interface JsonList<Entry, Key> {
  /** Reads the entries after the one with the key `after`. */
  readonly read: (page: { readonly after: Key; readonly limit: number }) => Promise<readonly Entry[]>
  /** A key before all others. */
  readonly start: Key
  readonly keyOf: (entry: Entry) => Key
  /** Converts an entry to its form in the API. */
  readonly toWire: (entry: Entry) => unknown
  /** Members of the response besides `success`, `message` and `data`. */
  readonly extra?: Readonly<Record<string, unknown>>
}

/** Resolves in a later turn of the event loop. */
type NextTurn = () => Promise<void>

/** Creates a function that gives each of its callers a turn of the event loop, in the order of their calls. */
export function createYield(): NextTurn {
  const waiting: (() => void)[] = []
  function serve(): void {
    waiting.shift()?.()
    if (waiting.length > 0) setImmediate(serve)
  }
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(serve)
    })
}

/** Responds with a list. A failure after the first page aborts the response. */
export async function respondWithList<Entry, Key>(
  { read, ...rest }: JsonList<Entry, Key>,
  nextTurn: NextTurn,
): Promise<JsonResponse> {
  const list: JsonList<Entry, Key> = {
    ...rest,
    read: async (page) => {
      await nextTurn()
      return read(page)
    },
  }
  const first = await list.read({ after: list.start, limit: PAGE_SIZE })
  const head = '{"success":true,"message":"","data":['
  const tail = `]${Object.entries(list.extra ?? {})
    .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join('')}}`
  if (first.length < PAGE_SIZE) return jsonResponse(head + toJson(list, first) + tail)
  return jsonResponse(jsonChunks(list, first, head, tail))
}

async function* jsonChunks<Entry, Key>(
  list: JsonList<Entry, Key>,
  first: readonly Entry[],
  head: string,
  tail: string,
): AsyncGenerator<string, void> {
  yield head + toJson(list, first)
  let page = first
  for (let last = page.at(-1); last !== undefined && page.length === PAGE_SIZE; last = page.at(-1)) {
    page = await list.read({ after: list.keyOf(last), limit: PAGE_SIZE })
    if (page.length > 0) yield `,${toJson(list, page)}`
  }
  yield tail
}

/** Responds with the entries after a cursor, which encodes the last entry before (the extension `paging`). */
export async function respondWithPage<Entry, Key>(
  { read, start, keyOf, toWire }: JsonList<Entry, Key>,
  query: PageQuery & { readonly schema: z.ZodType<Key> },
  nextTurn: NextTurn,
): Promise<object> {
  const after = query.cursor === undefined ? start : readCursor(query.schema, query.cursor)
  const limit = pageLimitOf(query)
  await nextTurn()
  const entries = await read({ after, limit: limit + 1 })
  const page = entries.slice(0, limit)
  const last = page.at(-1)
  const isLast = last === undefined || entries.length <= limit
  return {
    success: true,
    message: '',
    data: page.map(toWire),
    ...(!isLast && { cursor: writeCursor(keyOf(last)) }),
  }
}

interface PageQuery {
  readonly limit?: string | undefined
  readonly cursor?: string | undefined
}

export function pageLimitOf({ limit }: PageQuery): number {
  return limit === undefined ? PAGE_SIZE : Number(limit)
}

/** Encodes a position in a list, as text that is opaque to clients. */
export function writeCursor(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/** @throws HttpError 400 if the cursor is not from this service */
export function readCursor<Position>(schema: z.ZodType<Position>, cursor: string): Position {
  try {
    return schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch {
    throw new HttpError(400, 'cursor must be one that the service has returned for this list')
  }
}

function toJson<Entry, Key>(list: JsonList<Entry, Key>, page: readonly Entry[]): string {
  return page.map((entry) => JSON.stringify(list.toWire(entry))).join(',')
}
