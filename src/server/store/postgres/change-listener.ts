import { randomUUID } from 'node:crypto'
import { Client, type ClientConfig, type Pool } from 'pg'

const CHANNEL = 'kb_sync_changes'

/**
 * Interval at which the revisions are compared. This detects a dead connection, and commits of a process that was
 * killed before its notification.
 */
const COMPARE_MS = 2000

/** Maximum time of a comparison. If it takes longer, the connection is dead. */
const ANSWER_MS = 5000

const RECONNECT_MS = 1000

/** Writes only the notification, which need not wait for the disk. */
const NOT_DURABLE = 'begin; set local synchronous_commit = off'

/** Counts the changes that other processes announce, on its own connection, which is opened on first use. */
export class ChangeListener {
  readonly #options: ClientConfig
  /** Identifies its own notifications, which are ignored: it already knows of its commits. */
  readonly #name = randomUUID()
  readonly #writers: Pool
  #announcing: Promise<void> | undefined
  #hasNews = false
  #client: Client | undefined
  #timer: NodeJS.Timeout | undefined
  #opening: Promise<void> | undefined
  #isListening = false
  #isClosed = false
  #mark = 0
  #seen = ''

  constructor(options: ClientConfig, writers: Pool) {
    this.#options = options
    this.#writers = writers
  }

  /** Returns a number that changes with each change. While no notifications arrive, it differs with each call. */
  mark(): number {
    this.#opening ??= this.#open()
    if (!this.#isListening) this.raise()
    return this.#mark
  }

  raise(): void {
    this.#mark++
  }

  /**
   * Notifies the other processes of commits, after earlier notifications are sent. Not within the transactions: the
   * database commits those with a notification one at a time.
   */
  announce(): void {
    this.#hasNews = true
    this.#announcing ??= this.#announceAll()
  }

  async #announceAll(): Promise<void> {
    while (this.#hasNews) {
      this.#hasNews = false
      // Commits without a notification are found by comparison.
      await this.#writers
        .query(`${NOT_DURABLE}; notify ${CHANNEL}, '${this.#name}'; commit`)
        .catch(() => undefined)
    }
    this.#announcing = undefined
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#announcing
    clearTimeout(this.#timer)
    await this.#opening
    clearTimeout(this.#timer)
    await this.#client?.end().catch(() => undefined)
  }

  async #open(): Promise<void> {
    if (this.#isClosed) return
    const client = new Client({ ...this.#options, query_timeout: ANSWER_MS })
    this.#client = client
    client.on('notification', ({ payload }) => {
      if (payload !== this.#name) this.raise()
    })
    // Also emitted after a failed query, which the comparison notices, too.
    client.on('error', () => this.#lose(client))
    client.on('end', () => this.#lose(client))
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      await this.#compare(client)
      this.#isListening = this.#client === client
      this.raise()
    } catch {
      this.#lose(client)
    }
  }

  /** Compares the revisions with the last ones, and the newest site, in case one was replaced by another. */
  async #compare(client: Client): Promise<void> {
    const { rows } = await client.query<{ seen: string }>(
      `select concat_ws('/', count(*), sum(revision), max(id)) as seen from sites`,
    )
    const { seen = '' } = rows[0] ?? {}
    if (seen !== this.#seen) this.raise()
    this.#seen = seen
    this.#schedule(() => void this.#compare(client).catch(() => this.#lose(client)), COMPARE_MS)
  }

  /** Reconnects after a pause. */
  #lose(client: Client): void {
    if (this.#client !== client) return
    this.#client = undefined
    this.#isListening = false
    this.raise()
    client.end().catch(() => undefined)
    this.#schedule(() => void (this.#opening = this.#open()), RECONNECT_MS)
  }

  #schedule(task: () => void, ms: number): void {
    clearTimeout(this.#timer)
    if (!this.#isClosed) this.#timer = setTimeout(task, ms).unref()
  }
}
