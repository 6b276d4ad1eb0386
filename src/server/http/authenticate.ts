import { scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { Context } from 'hono'
import { hashApiKey, isGuessable, keyIdOf } from '../api-key.ts'
import { HttpError } from '../operations/responses.ts'
import type { StoredKey } from '../store/records.ts'
import type { Store } from '../store/open-store.ts'
import type { ClientAddress } from './client-address.ts'
import type { Caller, ServerEnv } from './handle-request.ts'
import type { CreateLimit, QuotaState, SharedLimit } from './shared-limit.ts'

export type Authenticate = (c: Context<ServerEnv>) => Promise<Caller>

/** Maximum number of different wrong keys from one client address per minute; then the status is 429. */
const WRONG_KEYS_PER_MINUTE = 100

/** Number of wrong keys that a process remembers, so that it counts each once. */
const MOST_TRIED = 10_000

/** Returns the current key that is valid without being stored; undefined if there is none. */
export type OutsideKey = () => string | undefined

/** Finds the holder of a key. A revocation takes effect as soon as this process notices the commit (see `Store.changeMark`). */
export type KeyRing = ReturnType<typeof createKeyRing>

/**
 * The key from outside is identified by a deliberately slow hash, since a person may have chosen it. Processes with the
 * same key use the same name.
 */
const OUTSIDE = 'outside-'
const OUTSIDE_BYTES = 32

/**
 * Compares keys by their hash.
 *
 * @param outsideKey a key that is not stored; it gives access to the default site
 * @param clock decides which keys have expired
 */
export function createKeyRing(store: Store, outsideKey: OutsideKey, clock: () => Date) {
  let hashed: { readonly key: string; readonly outsider: Caller; readonly hash: string } | undefined
  const nameOutside = createOutsideNames(`kb-sync pages ${store.defaultSiteId}`)

  function outside() {
    const key = outsideKey()
    if (key === undefined) return undefined
    if (hashed?.key !== key) {
      const hash = hashApiKey(key)
      const outsider = { siteId: store.defaultSiteId, userId: null, readOnly: false, keyId: keyIdOf(hash) }
      hashed = { key, hash, outsider }
    }
    return hashed
  }

  const { recall, lookUp } = createKnownKeys(store, clock)

  return {
    find(key: string): Promise<Caller | undefined> | Caller {
      const hash = hashApiKey(key)
      const own = outside()
      return hash === own?.hash ? own.outsider : lookUp(hash)
    },
    async findNamed(name: string) {
      if (!name.startsWith(OUTSIDE)) return lookUp(name)
      const own = outside()
      return own && (await nameOutside(own.key)) === name ? own.outsider : undefined
    },
    /** Returns a name for a key in a session. It is useless for requests, and does not reveal the key. */
    nameOf: async (key: string) => (key === outside()?.key ? nameOutside(key) : hashApiKey(key)),
    /** Finds the holder among the valid keys that were looked up while the store's mark was `mark`, without a query. */
    knownAt(mark: number) {
      const own = outside()
      return (key: string): Caller | undefined => {
        const hash = hashApiKey(key)
        return hash === own?.hash ? own.outsider : recall(mark, hash)
      }
    },
  }
}

/** The valid keys that were looked up since the store's mark changed, and those that are being looked up. */
interface KnownKeys {
  readonly mark: number
  readonly callers: Map<string, Caller & StoredKey>
  readonly queries: Map<string, Promise<Caller | undefined>>
}

/** Caches stored keys by their hash. Any commit may have revoked one, so each empties the cache as soon as it is noticed. */
function createKnownKeys(store: Store, clock: () => Date) {
  const startAt = (mark: number): KnownKeys => ({ mark, callers: new Map(), queries: new Map() })
  let known = startAt(-1)

  function recall(mark: number, hash: string): Caller | undefined {
    const caller = mark === known.mark ? known.callers.get(hash) : undefined
    if (caller === undefined || caller.expiresAt === null) return caller
    return caller.expiresAt > clock().toISOString() ? caller : undefined
  }

  async function query({ callers, queries }: KnownKeys, hash: string): Promise<Caller | undefined> {
    try {
      const record = await store.findApiKey(hash, clock().toISOString())
      const caller = record && { ...record, keyId: keyIdOf(hash) }
      if (caller !== undefined) callers.set(hash, caller)
      return caller
    } finally {
      queries.delete(hash)
    }
  }

  function lookUp(hash: string): Promise<Caller | undefined> | Caller {
    const mark = store.changeMark()
    if (mark !== known.mark) known = startAt(mark)
    const caller = recall(mark, hash)
    if (caller !== undefined) return caller
    const running = known.queries.get(hash) ?? query(known, hash)
    known.queries.set(hash, running)
    return running
  }

  return { recall, lookUp }
}

function createOutsideNames(salt: string): (key: string) => Promise<string> {
  let named: { readonly key: string; readonly name: Promise<string> } | undefined
  return (key) => {
    if (named?.key !== key) {
      const derived = promisify(scrypt)(key, salt, OUTSIDE_BYTES)
      named = { key, name: derived.then((bytes) => OUTSIDE + (bytes as Buffer).toString('hex')) }
    }
    return named.name
  }
}

/** Authenticates a request ("Authentication" in the specification). @throws (when called) HttpError 401, 429 */
export function createAuthenticate(
  keys: KeyRing,
  addressOf: ClientAddress,
  createLimit: CreateLimit,
): Authenticate {
  const wrongKeys = createWrongKeys(createLimit('wrong keys', WRONG_KEYS_PER_MINUTE))
  // Keys that were answered with 401. Nothing is learned by repeating one.
  const tried = new Set<string>()
  return async (c) => {
    const key = keyIn(c.req.header('authorization') ?? '')
    if (key === undefined)
      throw unauthorized('The API key is missing: send the header "Authorization: Bearer <API_KEY>"')
    const caller = await keys.find(key)
    if (caller !== undefined && !isGuessable(key)) return caller
    const address = addressOf(c)
    const attempt = hashApiKey(`${address} ${key}`)
    const isGuess = caller === undefined && !tried.has(attempt)
    const seconds = await (isGuess ? wrongKeys.count(address) : wrongKeys.waitSeconds(address))
    if (seconds !== undefined) throw tooManyWrongKeys(seconds)
    if (caller !== undefined) return caller
    if (tried.size === MOST_TRIED) tried.clear()
    tried.add(attempt)
    throw unknownKey()
  }
}

/** Returns the key in an Authorization header; undefined if there is none. */
export function keyIn(header: string): string | undefined {
  return /^Bearer +(\S+)\s*$/i.exec(header)?.[1]
}

function tooManyWrongKeys(seconds: number): HttpError {
  return new HttpError(
    429,
    `Your address has sent more than ${WRONG_KEYS_PER_MINUTE} different unknown API keys in a minute: wait ${seconds} seconds`,
    { 'Retry-After': String(seconds) },
  )
}

/** Returns the error for a key that is unknown, expired, revoked, or not valid here. */
export function unknownKey(): HttpError {
  return unauthorized('The API key is unknown, has expired or was revoked')
}

function unauthorized(message: string): HttpError {
  return new HttpError(401, message, { 'WWW-Authenticate': 'Bearer' })
}

/** Requires a valid key that has not exhausted its rate limit. */
export type Authorize = (c: Context<ServerEnv>) => Promise<Caller>

/** @throws (when called) HttpError 401, 429 */
export function createAuthorize(authenticate: Authenticate, rateLimit: RateLimit | undefined): Authorize {
  return async (c) => {
    const trace = c.get('trace')
    const caller = await authenticate(c)
    trace.caller = caller
    if (rateLimit !== undefined) trace.headers = { ...trace.headers, ...(await rateLimit(caller.keyId)) }
    return caller
  }
}

/** Counts a request of a key; returns the headers about the limit. @throws (when called) HttpError 429 */
export type RateLimit = (keyId: string) => Promise<Readonly<Record<string, string>>>

/** @param perMinute requests of a key in a minute; undefined: no limit */
export function createRateLimit(
  perMinute: number | undefined,
  createLimit: CreateLimit,
): RateLimit | undefined {
  if (perMinute === undefined) return undefined
  const limit = createLimit('requests', perMinute)
  return async (keyId) => {
    const { isWithin, remaining, resetSeconds } = await limit.count(keyId)
    const headers = {
      'RateLimit-Limit': String(perMinute),
      'RateLimit-Remaining': String(remaining),
      'RateLimit-Reset': String(resetSeconds),
    }
    if (isWithin) return headers
    throw new HttpError(
      429,
      `The API key has sent more than ${perMinute} requests in a minute: wait ${resetSeconds} seconds`,
      { ...headers, 'Retry-After': String(resetSeconds) },
    )
  }
}

/**
 * Limits wrong keys by client address, so that a client cannot try many. Correct keys that cannot be guessed (see
 * `isGuessable`) are still accepted: clients behind one proxy or router share an address, and none of them can lock out
 * the others.
 *
 * @returns two methods that return the seconds to wait; undefined if the limit is not reached
 */
export function createWrongKeys(limit: SharedLimit) {
  const toWait = ({ isWithin, resetSeconds }: QuotaState) => (isWithin ? undefined : resetSeconds)
  return {
    /** Counts one wrong key. */
    count: async (address: string) => toWait(await limit.count(address)),
    waitSeconds: async (address: string) => toWait(await limit.look(address)),
  }
}
