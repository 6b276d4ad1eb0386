// The thread in which large bodies are parsed.
import type { RouteName } from '../../contract/routes.ts'
import type { FailureStatus } from '../../contract/wire-error.ts'
import { Refusal } from '../operations/refusal.ts'
import { parseBody, type ParsedBody } from './parse-body.ts'

export interface BodyTask {
  readonly bytes: Uint8Array
  readonly name: RouteName
}

/** A refusal crosses to the other thread as data: errors lose their class on the way. */
export type BodyResult =
  | ({ readonly kind: 'parsed' } & ParsedBody)
  | { readonly kind: 'refused'; readonly status: FailureStatus; readonly message: string }

/** What the pool calls. */
export function parse({ bytes, name }: BodyTask): BodyResult {
  try {
    return { kind: 'parsed', ...parseBody(bytes, name) }
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', status: error.status, message: error.message }
    throw error
  }
}
