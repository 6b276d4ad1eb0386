import { readEnvelope } from './read-envelope.ts'
import { headerOf } from './send-request.ts'
import type { Result } from './send-with-retries.ts'

/** The extensions listed in the `KB-Extensions` header of a clean success, in lower case; else none. */
export function readExtensions(result: Result): readonly string[] {
  if (result.kind === 'broken' || result.status >= 300 || readEnvelope(result).kind === 'failure') return []
  const names = (headerOf(result, 'kb-extensions') ?? '').split(',').map((name) => name.trim().toLowerCase())
  return names.filter((name) => name !== '')
}
