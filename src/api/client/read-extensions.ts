import { EXTENSIONS_HEADER } from '../contract/routes.ts'
import { readEnvelope } from './read-envelope.ts'
import { headerOf } from './send-request.ts'
import { isUnclear, type Result } from './send-with-retries.ts'

/** What a service answers that has no such operation. */
const UNKNOWN_OPERATION = new Set([404, 405, 501])

/**
 * The extensions listed in the `KB-Extensions` header of a clean success, in lower case; none where there is no such
 * operation. Undefined where no answer came, or one that tells nothing of the service: what it offers is then unknown.
 */
export function readExtensions(result: Result): readonly string[] | undefined {
  if (result.kind === 'broken' || isUnclear(result)) return undefined
  if (UNKNOWN_OPERATION.has(result.status)) return []
  if (result.status >= 300) return undefined
  if (readEnvelope(result).kind === 'failure') return []
  const header = headerOf(result, EXTENSIONS_HEADER.toLowerCase()) ?? ''
  const names = header.split(',').map((name) => name.trim().toLowerCase())
  return names.filter((name) => name !== '')
}
