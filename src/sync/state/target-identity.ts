import { createHmac } from 'node:crypto'

/**
 * Names the state of one target: its normalised address and, since one service may hold many knowledge bases, a keyed
 * digest of the API key. The key itself cannot be learned from it.
 */
export function targetIdentity(url: string, apiKey: string): string {
  return createHmac('sha256', apiKey).update(`kb-sync state\n${url}`).digest('hex').slice(0, 32)
}
