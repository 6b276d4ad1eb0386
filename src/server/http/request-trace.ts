import type { ServerResponse } from 'node:http'
import type { WrittenItem } from '../operations/create-operations.ts'
import type { ApiKeyRecord } from '../store/store.ts'

/** Whose request it is. */
export interface Caller extends ApiKeyRecord {
  /** Tells keys apart where they must not be named. */
  readonly keyId: string
}

/** What is known of the request that is being answered; filled in as it becomes known. */
export interface RequestTrace {
  readonly requestId: string
  caller: Caller | undefined
  /** What it has written; undefined where nothing was. */
  written: WrittenItem | undefined
  /** Headers that any answer to this request carries. */
  headers: Readonly<Record<string, string>>
}

/** A request that was answered. Holds nothing of what was asked for or sent back. */
interface AnsweredRequest {
  readonly requestId: string
  readonly method: string
  /** Pattern of the path, such as `/api/v2/articles/{id}`; undefined where no operation was met. */
  readonly route: string | undefined
  /** Path without query, as the client sent it. */
  readonly path: string
  readonly status: number
  /** Until the answer began to leave. */
  readonly durationMs: number
  readonly caller: Caller | undefined
  readonly written: WrittenItem | undefined
}

/** Watches requests from outside; must not throw. */
export interface RequestObserver {
  readonly started?: () => void
  readonly answered: (request: AnsweredRequest) => void
}

/** What hono keeps for each request. */
export interface ServerEnv {
  /** Node's own answer, where there is a socket. */
  Bindings: { readonly outgoing?: ServerResponse }
  Variables: { trace: RequestTrace }
}
