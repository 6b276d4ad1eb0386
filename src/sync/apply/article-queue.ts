// Sends articles that are ready at the same time with one request, if the target offers the extension `batch`.
import type { ApiClient } from '../../api/client/create-client.ts'
import type { WriteOutcome } from '../../api/client/write-outcome.ts'
import { type ArticleRequest, BATCH_LIMIT, type BatchArticle } from '../../api/contract/request.ts'
import { settleAll } from '../../core/settle-all.ts'

/** Maximum number of articles in a request. */
const MOST_ARTICLES = BATCH_LIMIT

/**
 * Maximum size of the HTML in a request, unless one article alone is larger. A whole request stays below a megabyte,
 * which proxies accept by default and which the built-in server handles without another thread.
 */
const MOST_BYTES = 800_000

/** Number of requests at a time: the next one is made while the target writes. */
const AT_ONCE = 2

/** An article to send: `id` is that of an article to update; undefined for a new one. */
export interface QueuedArticle {
  readonly id: string | undefined
  /** The version of the article that is to be updated, if the target compares it. */
  readonly ifMatch?: string | undefined
  /** Set for a create if the target recognises a repeated create by its key. */
  readonly idempotencyKey?: string | undefined
  /** Makes the body right before it is sent, since hundreds may wait. */
  readonly toBody: () => ArticleRequest
}

/** Maximum number of articles that wait at a time. A change also holds the version that it replaces in memory. */
export const MOST_WAITING = { creates: 2 * MOST_ARTICLES, changes: MOST_ARTICLES / 4 } as const

interface Waiting extends QueuedArticle {
  readonly resolve: (outcome: WriteOutcome) => void
  readonly reject: (error: unknown) => void
}

interface Ready extends Waiting {
  readonly body: ArticleRequest
  /** Length of the HTML. */
  readonly bytes: number
}

export class ArticleQueue {
  readonly #client: ApiClient
  readonly #concurrency: number
  readonly #waiting: Waiting[] = []
  /** Halved with each request that is rejected as a whole, unless for its size: it may not be supported after all. */
  #mostArticles: number = MOST_ARTICLES
  /** Half the size of the smallest request that was rejected as too large. */
  #mostBytes = MOST_BYTES
  #underWay = 0
  #isScheduled = false
  /** The next article of the queue, if it did not fit into the last request. */
  #next: Ready | undefined
  /** Ends the run, so that nothing else is sent. */
  #failure: { readonly error: unknown } | undefined

  constructor(client: ApiClient, concurrency: number) {
    this.#client = client
    this.#concurrency = concurrency
  }

  /** Sends an article together with others. Throws only if it was not written. */
  send(article: QueuedArticle): Promise<WriteOutcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...article, resolve, reject })
      if (this.#isScheduled) return
      this.#isScheduled = true
      setImmediate(() => {
        this.#isScheduled = false
        this.#sendWaiting()
      })
    })
  }

  #sendWaiting(): void {
    while (this.#underWay < this.#atOnce()) {
      const batch = this.#takeBatch()
      if (batch.length === 0) return
      this.#underWay++
      void this.#sendBatch(batch).finally(() => {
        this.#underWay--
        this.#sendWaiting()
      })
    }
  }

  #atOnce(): number {
    return this.#mostArticles === 1 ? this.#concurrency : Math.min(AT_ONCE, this.#concurrency)
  }

  #takeBatch(): Ready[] {
    const batch: Ready[] = []
    let bytes = 0
    while (batch.length < this.#mostArticles) {
      this.#next ??= this.#makeNext()
      if (this.#next === undefined) break
      bytes += this.#next.bytes
      if (bytes > this.#mostBytes && batch.length > 0) break
      batch.push(this.#next)
      this.#next = undefined
    }
    return batch
  }

  #makeNext(): Ready | undefined {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      try {
        if (this.#failure !== undefined) throw this.#failure.error
        const body = next.toBody()
        return { ...next, body, bytes: Buffer.byteLength(body.content) }
      } catch (error) {
        next.reject(error)
      }
    }
    return undefined
  }

  async #sendBatch(batch: readonly Ready[]): Promise<void> {
    try {
      const outcomes =
        batch.length > 1 ? await this.#client.writeArticles(batch.map(toBatchArticle)) : undefined
      const size = batch.reduce((sum, { bytes }) => sum + bytes, 0)
      if (outcomes === 'too-large') this.#mostBytes = Math.min(this.#mostBytes, size >> 1)
      if (outcomes === 'unsupported') this.#mostArticles = Math.min(this.#mostArticles, batch.length >> 1)
      if (typeof outcomes === 'object')
        batch.forEach(({ resolve }, index) => resolve(outcomes[index] as WriteOutcome))
      // A request that was rejected as a whole says nothing about a single article.
      else await settleAll(batch.map((article) => this.#sendAlone(article)))
    } catch (error) {
      this.#fail(batch, error)
    }
  }

  #sendAlone(article: Ready): Promise<void> {
    const { id, ifMatch, idempotencyKey, body, resolve } = article
    const outcome =
      id === undefined
        ? this.#client.createArticle(body, { idempotencyKey })
        : this.#client.updateArticle(id, body, { ifMatch })
    return outcome.then(resolve, (error: unknown) => this.#fail([article], error))
  }

  #fail(batch: readonly Ready[], error: unknown): void {
    this.#failure = { error }
    const next = this.#next === undefined ? [] : [this.#next]
    this.#next = undefined
    for (const { reject } of [...batch, ...next]) reject(error)
  }
}

function toBatchArticle({ id, ifMatch, idempotencyKey, body }: Ready): BatchArticle {
  if (id === undefined) return { ...body, ...(idempotencyKey !== undefined && { idempotencyKey }) }
  return { ...body, id, ...(ifMatch !== undefined && { ifMatch }) }
}
