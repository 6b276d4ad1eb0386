import type { Context } from 'hono'
import { hashApiKey, isGuessable, keyIdOf } from '../api-key.ts'
import { Refusal } from '../operations/refusal.ts'
import type { ApiKeyRecord, Store } from '../store/store.ts'
import type { ClientAddress } from './client-address.ts'
import type { ServerEnv } from './request-trace.ts'
import { createWrongKeys } from './wrong-keys.ts'

/** Whose request it is. */
export interface Caller extends ApiKeyRecord {
  /** Tells keys apart where they must not be named. */
  readonly keyId: string
}

export type Authenticate = (c: Context<ServerEnv>) => Promise<Caller>

/** Wrong keys of one address in a minute; whoever sends more is answered with 429. */
const WRONG_KEYS_PER_MINUTE = 100

/** Who holds which key. Every question is put to the store, so that a revocation holds at once. */
export interface KeyRing {
  /** Undefined where the key is unknown or was revoked. */
  readonly find: (key: string) => Promise<Caller | undefined> | Caller
  /** The same by the name that `nameOf` gave it. */
  readonly findNamed: (name: string) => Promise<Caller | undefined> | Caller | undefined
  /** What stands for a key in a session: nothing that a request could be made with, nor guessed from. */
  readonly nameOf: (key: string) => string
}

/** The key from outside is not told by its hash: it may have been chosen by a person. */
const OUTSIDE_NAME = 'outside'

/**
 * Keys are compared by their hash.
 *
 * @param outsideKey a key that is valid for the default site without being stored
 */
export function createKeyRing(store: Store, outsideKey: string | undefined): KeyRing {
  const outsideHash = outsideKey === undefined ? undefined : hashApiKey(outsideKey)
  const outsider: Caller = {
    siteId: store.defaultSiteId,
    userId: null,
    readOnly: false,
    keyId: keyIdOf(outsideHash ?? ''),
  }
  const findHash = (hash: string) => (hash === outsideHash ? outsider : lookUp(store, hash))
  return {
    find: (key) => findHash(hashApiKey(key)),
    findNamed(name) {
      if (name !== OUTSIDE_NAME) return lookUp(store, name)
      return outsideHash === undefined ? undefined : outsider
    },
    nameOf(key) {
      const hash = hashApiKey(key)
      return hash === outsideHash ? OUTSIDE_NAME : hash
    },
  }
}

/** Finds out whose request it is (api-v2.md 5). @throws (when called) Refusal 401, 429 */
export function createAuthenticate(keys: KeyRing, addressOf: ClientAddress): Authenticate {
  const wrongKeys = createWrongKeys(WRONG_KEYS_PER_MINUTE)
  return async (c) => {
    const key = /^Bearer +(\S+)\s*$/i.exec(c.req.header('authorization') ?? '')?.[1]
    if (key === undefined) {
      throw unauthorized('The API key is missing: send the header "Authorization: Bearer <API_KEY>"')
    }
    const caller = await keys.find(key)
    if (caller !== undefined && !isGuessable(key)) return caller
    const seconds = await wrongKeys[caller === undefined ? 'count' : 'waitSeconds'](addressOf(c))
    if (seconds !== undefined) throw tooManyWrongKeys(seconds)
    if (caller === undefined) throw unknownKey()
    return caller
  }
}

function tooManyWrongKeys(seconds: number): Refusal {
  return new Refusal(
    429,
    `Your address has sent more than ${WRONG_KEYS_PER_MINUTE} unknown API keys in a minute: wait ${seconds} seconds`,
    { 'Retry-After': String(seconds) },
  )
}

/** The answer to a key that is unknown, revoked, or of no use here. */
export function unknownKey(): Refusal {
  return unauthorized('The API key is unknown or was revoked')
}

async function lookUp(store: Store, hash: string): Promise<Caller | undefined> {
  const record = await store.findApiKey(hash)
  return record && { ...record, keyId: keyIdOf(hash) }
}

function unauthorized(message: string): Refusal {
  return new Refusal(401, message, { 'WWW-Authenticate': 'Bearer' })
}
