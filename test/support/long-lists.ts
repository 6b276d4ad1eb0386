// A service that lists more than anybody would keep: each entry is made when it is sent, from its number alone, so that
// a test can count them without having them.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { onTestFinished } from 'vitest'

export interface LongLists {
  readonly url: string
  /** `GET /api/v2/…`, in the order in which they came. */
  readonly requests: readonly string[]
}

/** What a service says, by number of the entry. An entry is whatever a target may send. */
export interface LongListsOptions {
  readonly entries: number
  readonly reviewDate: (index: number) => unknown
  readonly link: (index: number) => unknown
  /** Of an article by its id; undefined where there is none. */
  readonly article: (id: string) => object | undefined
}

const ENTRIES_AT_ONCE = 250

/** Starts the service on a free loopback port; it ends with the test. */
export async function startLongLists(options: LongListsOptions): Promise<LongLists> {
  const requests: string[] = []
  const server = createServer((incoming, response) => {
    const { method = '', url = '' } = incoming
    requests.push(`${method} ${url}`)
    response.setHeader('content-type', 'application/json')
    const name = url.split('/').at(-1) ?? ''
    if (name === 'review_dates') sendList(response, options.entries, options.reviewDate)
    else if (name === 'link_manager') sendList(response, options.entries, options.link)
    else sendArticle(response, options.article(name))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

function sendList(response: ServerResponse, entries: number, entryOf: (index: number) => unknown): void {
  Readable.from(listParts(entries, entryOf)).pipe(response)
}

function* listParts(entries: number, entryOf: (index: number) => unknown): Generator<string> {
  yield '{"success":true,"message":"","data":['
  for (let from = 0; from < entries; from += ENTRIES_AT_ONCE) {
    const part: string[] = []
    for (let index = from; index < Math.min(from + ENTRIES_AT_ONCE, entries); index++)
      part.push(JSON.stringify(entryOf(index)))
    yield (from === 0 ? '' : ',') + part.join(',')
  }
  yield ']}'
}

function sendArticle(response: ServerResponse, article: object | undefined): void {
  response.statusCode = article === undefined ? 404 : 200
  const failure = { success: false, message: 'No such article' }
  const answer = { success: true, message: '', data: article, categories: [], tags: [] }
  response.end(JSON.stringify(article === undefined ? failure : answer))
}
