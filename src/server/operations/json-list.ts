// Lists may hold a million entries: they are read from the store page by page and written as they come, so that
// memory stays flat and the first bytes leave at once.
import { type JsonResponse, jsonResponse } from './json-response.ts'

const PAGE_SIZE = 500

export interface JsonList<Entry, Key> {
  /** The entries that come after the one with the key `after`. */
  readonly read: (page: { readonly after: Key; readonly limit: number }) => Promise<readonly Entry[]>
  /** Key before all others. */
  readonly start: Key
  readonly keyOf: (entry: Entry) => Key
  /** What an entry looks like on the wire. */
  readonly toWire: (entry: Entry) => unknown
  /** Members of the answer beside `success`, `message` and `data`. */
  readonly extra?: Readonly<Record<string, unknown>>
}

/** The answer of a list operation; what fails after the first page fails while the answer is sent. */
export async function respondWithList<Entry, Key>(list: JsonList<Entry, Key>): Promise<JsonResponse> {
  const first = await list.read({ after: list.start, limit: PAGE_SIZE })
  const head = '{"success":true,"message":"","data":['
  const tail = `]${Object.entries(list.extra ?? {})
    .map(member)
    .join('')}}`
  if (first.length < PAGE_SIZE) {
    return jsonResponse(head + toJson(list, first) + tail)
  }
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

function toJson<Entry, Key>(list: JsonList<Entry, Key>, page: readonly Entry[]): string {
  return page.map((entry) => JSON.stringify(list.toWire(entry))).join(',')
}

function member([name, value]: readonly [string, unknown]): string {
  return `,${JSON.stringify(name)}:${JSON.stringify(value)}`
}
