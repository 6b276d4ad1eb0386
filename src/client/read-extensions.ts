import { EXTENSIONS_HEADER } from '../contract/routes.ts'
import { readEnvelope } from './read-envelope.ts'
import { headerOf } from './send-request.ts'
import { isUnclear, type Result } from './send-with-retries.ts'

/**
 * The extensions listed in the `KB-Extensions` header of a clean success, in lower case; else none. Undefined where no
 * answer came, or only that of a service in trouble: what it offers is then unknown.
 */
export function readExtensions(result: Result): readonly string[] | undefined {
  if (result.kind === 'broken' || isUnclear(result)) return undefined
  if (result.status >= 300 || readEnvelope(result).kind === 'failure') return []
  const header = headerOf(result, EXTENSIONS_HEADER.toLowerCase()) ?? ''
  const names = header.split(',').map((name) => name.trim().toLowerCase())
  return names.filter((name) => name !== '')
}
