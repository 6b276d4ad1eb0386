import { readFileSync } from 'node:fs'
import type { ConnectionOptions as TlsOptions } from 'node:tls'
import { type ClientConfig, Pool, types } from 'pg'
import { KbError, reasonOf } from '../../../core/errors/kb-error.ts'
import { describeDatabase } from '../../../core/database-url.ts'
import { parseUrl } from '../../../core/parse-url.ts'

/** Maximum time to connect, and maximum time that a request waits for a free connection. */
const CONNECT_MS = 5000

/** Maximum time that a write waits for those of other processes. */
export const LOCK_MS = 10_000

/** Maximum time of a statement, enforced by the database. */
const STATEMENT_MS = 30_000

/** Maximum time until a result arrives. After that, the connection counts as dead. */
const RESULT_MS = STATEMENT_MS + 5000

/** Maximum pause within a transaction, after which the database ends it, so that a stopped process does not block others. */
const IDLE_TRANSACTION_MS = 30_000

/** OID of `bigint`, which the driver returns as text by default. In the store, all are counts and row numbers. */
const BIGINT = 20

const PARAMETERS = new Set([
  'host',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'application_name',
  'options',
])

/**
 * Returns the driver's options for a URL, interpreted like libpq does. Values that the URL omits come from PGHOST,
 * PGUSER, PGPASSWORD, PGSSLMODE and the other variables of libpq, and from ~/.pgpass.
 *
 * @throws KbError USAGE
 */
export function connectionOptions(db: string): ClientConfig {
  // Such a character ends the user or password too early, and the rest of it would appear in messages.
  if (/^[a-z]+:\/\/[^/?#]*(?:#|[/?].*[@#])/is.test(db))
    throw badUrl(db, 'it has a special character that is not written as %XX')
  const url = parseUrl(db)
  if (url === undefined) throw badUrl(db, 'it is not a valid URL')
  for (const name of url.searchParams.keys()) {
    if (!PARAMETERS.has(name)) throw badUrl(db, `it has an unknown parameter "${name}"`)
  }
  const parameter = (name: string) =>
    url.searchParams.get(name) || process.env[`PG${name.toUpperCase()}`] || undefined
  const decode = (part: string) => decodeIn(db, part) || undefined
  const host = url.searchParams.get('host') || decode(url.hostname.replace(/^\[|\]$/g, ''))
  const user = decode(url.username)
  const password = decode(url.password)
  const database = decode(url.pathname.slice(1))
  const options = url.searchParams.get('options')
  return {
    ...(host && { host }),
    ...(url.port && { port: Number(url.port) }),
    ...(user && { user }),
    ...(password && { password }),
    ...(database && { database }),
    ...(options && { options }),
    ssl: tlsOptions(db, host ?? process.env.PGHOST ?? 'localhost', parameter),
    application_name: url.searchParams.get('application_name') || 'kb-sync',
    connectionTimeoutMillis: CONNECT_MS,
    lock_timeout: LOCK_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: RESULT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    keepAlive: true,
    types: {
      getTypeParser: ((oid: number, format?: 'text') =>
        oid === BIGINT ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
    },
  }
}

/** Creates a pool in which lost connections do not end the process: their users get the errors, too. */
export function createPool(options: ClientConfig, max: number): Pool {
  const pool = new Pool({ ...options, max })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => void client.on('error', () => undefined))
  return pool
}

function decodeIn(db: string, part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw badUrl(db, 'it has a "%" that is not written as %25')
  }
}

/**
 * Without `sslmode`, the certificate and its host name are verified, except on the same machine, where TLS is not
 * needed. `require` encrypts without verification, unless `sslrootcert` names a certificate, as in libpq.
 */
function tlsOptions(
  db: string,
  host: string,
  parameter: (name: string) => string | undefined,
): TlsOptions | false {
  const isLocal = host.startsWith('/') || host === 'localhost' || host === '::1' || host.startsWith('127.')
  const mode = parameter('sslmode') ?? (isLocal ? 'disable' : 'verify-full')
  if (mode === 'disable') return false
  if (!['require', 'verify-ca', 'verify-full'].includes(mode))
    throw badUrl(db, `sslmode must be disable, require, verify-ca or verify-full, not "${mode}"`)
  const read = (name: string) => readCertificate(db, name, parameter(name))
  const ca = read('sslrootcert')
  const cert = read('sslcert')
  const key = read('sslkey')
  return {
    // Otherwise, the driver has no name to verify if the host is an address.
    host,
    rejectUnauthorized: mode !== 'require' || ca !== undefined,
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...(key && { key }),
  }
}

function readCertificate(db: string, name: string, file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw badUrl(db, `the file of ${name} could not be read: ${reasonOf(error)}`)
  }
}

function badUrl(db: string, reason: string): KbError {
  return new KbError('USAGE', `The database URL ${describeDatabase(db)} cannot be used: ${reason}.`, {
    hint: 'Write it like postgres://user@host:5432/database?sslmode=verify-full, with special characters as %XX.',
  })
}
