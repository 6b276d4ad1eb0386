import { hashApiKey } from './api-key.ts'
import { Refusal } from './refusal.ts'
import type { ApiKeyRecord, Store } from './store/store.ts'

export type Authenticate = (authorization: string | undefined) => Promise<ApiKeyRecord> | ApiKeyRecord

/**
 * Finds out whose request it is (api-v2.md 5). Keys are compared by their hash, and every request asks the store, so
 * that a revocation holds at once.
 *
 * @param outsideKey a key that is valid for the default site without being stored
 */
export function createAuthenticate(store: Store, outsideKey: string | undefined): Authenticate {
  const outsideHash = outsideKey === undefined ? undefined : hashApiKey(outsideKey)
  const outsider: ApiKeyRecord = { siteId: store.defaultSiteId, userId: null, readOnly: false }

  return (authorization) => {
    const key = /^Bearer +(\S+)\s*$/i.exec(authorization ?? '')?.[1]
    if (key === undefined) {
      throw unauthorized('The API key is missing: send the header "Authorization: Bearer <API_KEY>"')
    }
    const hash = hashApiKey(key)
    return hash === outsideHash ? outsider : lookUp(store, hash)
  }
}

async function lookUp(store: Store, hash: string): Promise<ApiKeyRecord> {
  const record = await store.findApiKey(hash)
  if (record === undefined) throw unauthorized('The API key is unknown or was revoked')
  return record
}

function unauthorized(message: string): Refusal {
  return new Refusal(401, message, { 'WWW-Authenticate': 'Bearer' })
}
