import { wireEnvelope } from '../contract/lenient.ts'
import type { Answer } from './send-request.ts'

/** What the body of an answer says of itself ("Errors" in the specification), whatever its status. */
export type Envelope =
  | { readonly kind: 'success'; readonly message: string; readonly body: unknown }
  | { readonly kind: 'failure'; readonly message: string }
  | { readonly kind: 'not-json' }
  /** JSON without a boolean `success`. */
  | { readonly kind: 'undocumented'; readonly isObject: boolean }

export function readEnvelope({ text }: Answer): Envelope {
  const body = parseJson(text)
  if (body === undefined) return { kind: 'not-json' }
  const envelope = wireEnvelope.safeParse(body)
  if (!envelope.success) {
    return {
      kind: 'undocumented',
      isObject: typeof body === 'object' && body !== null && !Array.isArray(body),
    }
  }
  const { success, message = '' } = envelope.data
  return success ? { kind: 'success', message, body } : { kind: 'failure', message }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
