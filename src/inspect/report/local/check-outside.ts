import { STATUS_CODES } from 'node:http'
import { toWebAddress } from '../../check/external/web-address.ts'
import type { Observation } from '../../../api/link-probe/observation.ts'
import { plainAddress } from '../addresses/address-key.ts'
import type { LocalCheck } from './local-check.ts'

/** Judges links to other sites by what a check of this machine has seen. @param recall by `toWebAddress` */
export function createCheckOutside(recall: (address: string) => Observation | undefined): LocalCheck {
  return (url) => {
    const address = toWebAddress(plainAddress(url))
    const seen = address === undefined ? undefined : recall(address)
    if (seen?.kind === 'works') return { localSays: 'works', reason: describeStatus(seen.status) }
    if (seen?.kind === 'broken') return { localSays: 'broken', reason: seen.reason }
    // A busy host, or one that lets nobody in: nothing can be said.
    return undefined
  }
}

function describeStatus(status: number | null): string {
  return status === null ? 'it answered' : `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd()
}
