// On a target with the extension `changed-since`, many articles are read with a few requests: its list has everything
// except the content, and a digest of it. The content of an article that kb-sync sent, and that no one has edited, is
// the HTML of its file with the marker that the list shows; the digest proves it. All other articles are read.
import { createHash } from 'node:crypto'
import type { ApiClient } from '../../api/client/create-client.ts'
import type { LenientListedArticle } from '../../api/contract/lenient.ts'
import { PAGE_LIMIT } from '../../api/contract/fields.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import { appendMarker, readMarker } from '../../core/model/marker.ts'
import type { Extensions } from './extensions.ts'

/** Minimum number of reads for which asking for extensions is worthwhile. */
const FEWEST_READS = 8

/** Number of reads that justify a further page: a target with many more articles is not listed whole for a few. */
const READS_PER_PAGE = 20

const FREE_PAGES = 2

interface LocalContents {
  readonly articles: readonly LocalArticle[]
  /** The HTML of one of them, without marker. */
  readonly readHtml: (article: LocalArticle) => string
}

interface WaitingRead {
  readonly id: string
  readonly answer: (listed: LenientListedArticle | undefined) => void
  readonly fail: (error: unknown) => void
}

/** Returns a client that answers reads that are started together from the target's list, as far as possible. */
export function withListedReads(
  client: ApiClient,
  extensions: Pick<Extensions, 'ask'>,
  contents: LocalContents,
): ApiClient {
  let waiting: WaitingRead[] = []
  const contentOf = createContentFinder(contents)

  async function answerWaiting(): Promise<void> {
    // Collects the reads that are started in the same turn of the event loop.
    await Promise.resolve()
    const reads = waiting
    waiting = []
    try {
      const offered = reads.length >= FEWEST_READS && (await extensions.ask()).changedSince
      const listed = offered ? await findListed(client, new Set(reads.map(({ id }) => id))) : undefined
      for (const { id, answer } of reads) {
        answer(listed?.get(id))
        // Prevents all contents from being in memory at once.
        if (listed !== undefined) await new Promise((resolve) => setImmediate(resolve))
      }
    } catch (error) {
      for (const { fail } of reads) fail(error)
    }
  }

  function findEntry(id: string): Promise<LenientListedArticle | undefined> {
    return new Promise((answer, fail) => {
      if (waiting.push({ id, answer, fail }) === 1) void answerWaiting()
    })
  }

  return {
    ...client,
    readArticle: async (id) => {
      const listed = await findEntry(id)
      const content = listed && contentOf(listed)
      if (listed === undefined || content === undefined) return client.readArticle(id)
      const { isDraft, categories, tags, etag } = listed
      return { data: { ...listed, content }, isDraft, categories, tags, etag, newVersion: false }
    },
  }
}

/** Returns the entries of `ids` in the list; only some of them, if the list is much longer. */
async function findListed(client: ApiClient, ids: ReadonlySet<string>) {
  const found = new Map<string, LenientListedArticle>()
  let cursor: string | undefined
  for (let pages = 0; pages < FREE_PAGES + ids.size / READS_PER_PAGE; pages++) {
    const page = await client.listArticles({ limit: String(PAGE_LIMIT), cursor })
    // An article that changes between two pages is listed again, in its current version.
    for (const entry of page.data) if (ids.has(entry.id)) found.set(entry.id, entry)
    for (const id of page.deleted) found.delete(id)
    cursor = page.cursor
    if (cursor === undefined || found.size === ids.size) break
  }
  return found
}

/** Finds the content of a listed article without a request; undefined if it is not what its file would be sent as. */
function createContentFinder({ articles, readHtml }: LocalContents) {
  let byKey: ReadonlyMap<string, LocalArticle> | undefined
  return ({ content_comment: comment = '', content_digest: digest }: LenientListedArticle) => {
    const marker = readMarker(comment)
    if (marker === undefined) return undefined
    byKey ??= new Map(articles.map((article) => [article.key, article]))
    const article = byKey.get(marker.documentKey)
    if (article === undefined) return undefined
    const content = appendMarker(readHtml(article), marker)
    return createHash('sha256').update(content).digest('hex') === digest ? content : undefined
  }
}
