import type { ServerResponse } from 'node:http'
import type { WrittenItem } from '../operations/create-operations.ts'
import type { ApiKeyRecord } from '../store/store.ts'

/** The caller of a request. */
export interface Caller extends ApiKeyRecord {
  /** Identifies a key without revealing it. */
  readonly keyId: string
}

/** Data of the request in progress, filled in as it becomes known. */
export interface RequestTrace {
  readonly requestId: string
  caller: Caller | undefined
  readonly written: WrittenItem[]
  /** Headers of any response to this request. */
  headers: Readonly<Record<string, string>>
}

/** A completed request, without the contents of request and response. */
interface AnsweredRequest {
  readonly requestId: string
  readonly method: string
  /** Pattern of the path, such as `/api/v2/articles/{id}`; undefined if no operation matches. */
  readonly route: string | undefined
  /** Path without query, as sent by the client. */
  readonly path: string
  readonly status: number
  /** Time until the response was started. */
  readonly durationMs: number
  readonly caller: Caller | undefined
  readonly written: readonly WrittenItem[]
}

/** Observes requests; must not throw. */
export interface RequestObserver {
  readonly started?: () => void
  readonly answered: (request: AnsweredRequest) => void
}

/** hono's data of each request. */
export interface ServerEnv {
  /** Node's response, if there is a socket. */
  Bindings: { readonly outgoing?: ServerResponse }
  Variables: { trace: RequestTrace }
}
