import { Socket } from 'node:net'
import type { ClientConfig, Pool } from 'pg'
import { describeDatabase } from '../../../core/database-url.ts'
import { KbError, reasonOf } from '../../../core/errors/kb-error.ts'
import { DatabaseUnavailable } from '../database-errors.ts'
import { DEFAULT_SITE } from '../ensure-default-site.ts'
import { createIdSource } from '../id-source.ts'
import { type Database, defineQuery, type Session } from '../query.ts'
import { siteQueries } from '../site-queries.ts'
import type { DefaultSiteReport } from '../sqlite/inspect-database.ts'
import { ChangeListener } from './change-listener.ts'
import { connectionOptions, createPool } from './connection-options.ts'
import { assertSupported, migratePostgres, schemaVersionOf } from './postgres-migrations.ts'
import { createPostgresSession, createStatements } from './postgres-session.ts'
import { SiteWrites } from './site-writes.ts'

/** Number of connections of a process for reads, in addition to the one that listens for changes. */
const READERS = 8
/** Number of connections for writes. The writes of a site need one. */
const WRITERS = 4

/** Maximum time to close connections gracefully. */
const CLOSE_MS = 2000

/**
 * Opens the PostgreSQL database at a URL, and creates or migrates its tables. Connections are opened on demand, and
 * again after they were lost.
 *
 * @throws KbError DATABASE_UNUSABLE, DATABASE_NEWER, DATABASE_BUSY; USAGE for a URL with wrong parameters
 */
export async function openPostgres(db: string): Promise<Database> {
  const options = connectionOptions(db)
  try {
    const name = describeDatabase(db)
    return createDatabase(options, name, await migratePostgres(options, name))
  } catch (error) {
    throw explainConnection(db, error)
  }
}

/**
 * Counts the contents of the default site, without changing anything; undefined if there are no tables yet.
 *
 * @throws KbError DATABASE_UNUSABLE, DATABASE_NEWER; USAGE
 */
export async function inspectPostgres(db: string): Promise<DefaultSiteReport | undefined> {
  const options = connectionOptions(db)
  const name = describeDatabase(db)
  const version = await schemaVersionOf(options, name).catch((error: unknown) => {
    throw explainConnection(db, error)
  })
  if (version === 0) return undefined
  const database = createDatabase(options, name, version)
  try {
    const site = await database.reader.first(defaultSite, { name: DEFAULT_SITE })
    if (site === undefined) return { articles: 0, articleLimit: undefined, languages: [] }
    const languages = await database.reader.all(siteQueries.languages, { siteId: site.id })
    return {
      articles: site.article_count,
      articleLimit: site.article_limit ?? undefined,
      languages: languages.map(({ code }) => code),
    }
  } finally {
    await database.close()
  }
}

const defaultSite = defineQuery((db, is: { name: string }) =>
  db.selectFrom('sites').select(['id', 'article_count', 'article_limit']).where('name', '=', is.name),
)

function createDatabase(given: ClientConfig, name: string, schemaVersion: number): Database {
  const { options, destroyAll } = trackSockets(given)
  const readers = createPool(options, READERS)
  const writers = createPool({ ...options, pipeline: true }, WRITERS)
  const statements = createStatements()
  const newId = createIdSource()
  const listener = new ChangeListener(options, writers)
  const reader = retryReads(createPostgresSession(readers, statements, newId))
  const keepStatistics = createStatistics(writers, 'articles, article_categories, article_tags')
  const writes = new SiteWrites({
    pool: writers,
    statements,
    newId,
    onCommit: (changedRows) => {
      listener.raise()
      listener.announce()
      keepStatistics(changedRows)
    },
    onOwnCommit: createStatistics(writers, 'link_targets, links'),
  })
  let closing: Promise<void> | undefined
  async function closeAll(): Promise<void> {
    await writes.close()
    setTimeout(destroyAll, CLOSE_MS).unref()
    // It announces the last writes on their connections.
    await listener.close()
    await Promise.all([readers.end(), writers.end()])
  }
  return {
    reader,
    schemaVersion,
    changeMark: () => listener.mark(),
    exactMark: () => undefined,
    revision: async (siteId) => (await reader.first(revisionOf, { siteId }))?.revision ?? 0,
    changesSince: async (siteId) => (await reader.first(changesSinceOf, { siteId }))?.changes_since ?? 0,
    write: (scope, work) => writes.write(scope, work, { raisesRevision: true }),
    writeItem: (siteId, work, item) => writes.writeItem(siteId, work, item),
    writeWithoutRevision: (scope, work) => writes.write(scope, work, { raisesRevision: false }),
    ownRevisions: () => writes.raised,
    async assertWritable() {
      await assertSupported(writers, name)
      // A separate row, for which no other write waits.
      await writers.query('update writable set checked = now()')
    },
    close: () => (closing ??= closeAll()),
  }
}

/** Sends everything written in one turn together, such as all independent statements of a transaction. */
class BatchingSocket extends Socket {
  #isCorked = false

  /** Called by the driver for each statement. */
  override cork(): void {
    super.cork()
    if (this.#isCorked) return
    this.#isCorked = true
    super.cork()
    process.nextTick(() => {
      this.#isCorked = false
      super.uncork()
    })
  }
}

/** Tracks the driver's open sockets. It waits for the server to close them: a dead one would keep the process alive. */
function trackSockets(options: ClientConfig) {
  const sockets = new Set<Socket>()
  const stream = () => {
    const socket = new BatchingSocket()
    sockets.add(socket)
    return socket.once('close', () => sockets.delete(socket))
  }
  const destroyAll = () => sockets.forEach((socket) => socket.destroy())
  return { options: { ...options, stream }, destroyAll }
}

/** Numbers of rows changed by a process at which the statistics are updated. */
const ANALYZED_AT = [300, 3000, 30_000, 300_000]

/**
 * Updates the planner's statistics while tables fill up. The database does so itself, but only after a minute: until
 * then it may choose another index of the site instead of the one of slugs, and read all articles for each create. Empty
 * tables are not analyzed: it would read all of their later rows to check each reference.
 */
function createStatistics(pool: Pool, tables: string): (changedRows: number) => void {
  let changed = 0
  let done = 0
  return (changedRows) => {
    changed += changedRows
    if (changed < (ANALYZED_AT[done] ?? Number.POSITIVE_INFINITY)) return
    done++
    // The table may belong to another user. Then only the database itself can do it.
    pool.query(`analyze ${tables}`).catch(() => undefined)
  }
}

/** Repeats a failed read once on another connection, since those in the pool may predate a restart of the database. */
function retryReads(session: Session): Session {
  async function retried<Value>(read: () => Promise<Value>): Promise<Value> {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error
      return read()
    }
  }
  return {
    ...session,
    first: (query, args) => retried(() => session.first(query, args)),
    all: (query, args) => retried(() => session.all(query, args)),
  }
}

const revisionOf = defineQuery((db, is: { siteId: string }) =>
  db.selectFrom('sites').select('revision').where('id', '=', is.siteId),
)

const changesSinceOf = defineQuery((db, is: { siteId: string }) =>
  db.selectFrom('sites').select('changes_since').where('id', '=', is.siteId),
)

/** Explains why a database could not be opened, in plain words. */
export function explainConnection(db: string, cause: unknown): KbError {
  if (cause instanceof KbError) return cause
  return new KbError(
    'DATABASE_UNUSABLE',
    `The database ${describeDatabase(db)} could not be opened: ${reasonOf(cause)}.`,
    { hint: isAboutCertificate(cause) ? CERTIFICATE_HINT : ADDRESS_HINT, cause },
  )
}

const ADDRESS_HINT = 'Check that the server is running, and the user, password and database in the URL.'

const CERTIFICATE_HINT =
  'Name the certificate of its authority with sslrootcert=FILE in the URL, and its host as in the certificate.'

/** True for the codes that Node.js gives to verification errors, most of which are named by OpenSSL. */
function isAboutCertificate(cause: unknown): boolean {
  const { code = '' } = cause as { code?: string }
  return /CERT|SIGNATURE|^ERR_TLS/.test(code)
}
