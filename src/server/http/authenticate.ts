import { hashApiKey, keyIdOf } from '../api-key.ts'
import { Refusal } from '../operations/refusal.ts'
import type { ApiKeyRecord, Store } from '../store/store.ts'

/** Whose request it is. */
export interface Caller extends ApiKeyRecord {
  /** Tells keys apart where they must not be named. */
  readonly keyId: string
}

export type Authenticate = (authorization: string | undefined) => Promise<Caller> | Caller

/**
 * Finds out whose request it is (api-v2.md 5). Keys are compared by their hash, and every request asks the store, so
 * that a revocation holds at once.
 *
 * @param outsideKey a key that is valid for the default site without being stored
 */
export function createAuthenticate(store: Store, outsideKey: string | undefined): Authenticate {
  const outsideHash = outsideKey === undefined ? undefined : hashApiKey(outsideKey)
  const outsider: Caller = {
    siteId: store.defaultSiteId,
    userId: null,
    readOnly: false,
    keyId: keyIdOf(outsideHash ?? ''),
  }

  return (authorization) => {
    const key = /^Bearer +(\S+)\s*$/i.exec(authorization ?? '')?.[1]
    if (key === undefined) {
      throw unauthorized('The API key is missing: send the header "Authorization: Bearer <API_KEY>"')
    }
    const hash = hashApiKey(key)
    return hash === outsideHash ? outsider : lookUp(store, hash)
  }
}

async function lookUp(store: Store, hash: string): Promise<Caller> {
  const record = await store.findApiKey(hash)
  if (record === undefined) throw unauthorized('The API key is unknown or was revoked')
  return { ...record, keyId: keyIdOf(hash) }
}

function unauthorized(message: string): Refusal {
  return new Refusal(401, message, { 'WWW-Authenticate': 'Bearer' })
}
