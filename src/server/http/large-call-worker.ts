// The thread for calls that read or write a large text. It has its own connections to the database.
import type { RouteName } from '../../api/contract/routes.ts'
import type { FailureStatus } from '../../api/contract/wire-error.ts'
import { type Call, createOperations, type WrittenItem } from '../operations/create-operations.ts'
import { type HttpError, httpErrorOf, JsonResponse, jsonResponse } from '../operations/responses.ts'
import { openStore, type StoreOptions } from '../store/open-store.ts'
import { parseBody } from './read-body.ts'
import type { FileLimits } from '../files/receive-file.ts'

/** The part of a call that is sent to another thread. */
export type CallHead = Pick<Call, 'caller' | 'id' | 'query' | 'conditions' | 'now'>

export interface LargeCall {
  readonly name: RouteName
  readonly call: CallHead
  /** Undefined if the response is large, not the request. */
  readonly bytes: Uint8Array | undefined
  readonly store: StoreOptions
  readonly fileLimits: FileLimits
}

/** An HttpError is sent to the other thread as data, because errors lose their class. */
export type LargeResult =
  | {
      readonly kind: 'answered'
      /** The response as JSON in UTF-8; null if the client already has it. */
      readonly json: Uint8Array | null
      readonly headers: JsonResponse['headers']
      readonly written: readonly WrittenItem[]
      /** Number of times that this call has raised the revision. */
      readonly revisions: number
    }
  | ({ readonly kind: 'refused' } & Pick<HttpError, 'message' | 'headers'> & {
        readonly status: FailureStatus
      })

/** Called by the pool. */
export async function run(task: LargeCall): Promise<LargeResult> {
  try {
    return await answer(task)
  } catch (error) {
    const refusal = httpErrorOf(error)
    if (refusal === undefined) throw error
    const { status, message, headers } = refusal
    return { kind: 'refused', status, message, headers }
  }
}

async function answer({ name, call, bytes, store: options, fileLimits }: LargeCall): Promise<LargeResult> {
  const body = bytes === undefined ? undefined : await parseBody(bytes, name)
  const store = await openStore(options)
  try {
    const written: WrittenItem[] = []
    const answered = await createOperations(store, fileLimits)[name]({
      ...call,
      body,
      onWritten: (item) => written.push(item),
    })
    const { body: given, headers } =
      answered instanceof JsonResponse ? answered : jsonResponse(JSON.stringify(answered))
    const json = typeof given === 'string' ? encoder.encode(given) : given
    if (json !== null && !(json instanceof Uint8Array))
      throw new Error(`${name} answers in pieces, which needs no thread`)
    return { kind: 'answered', json, headers, written, revisions: store.ownRevisions() }
  } finally {
    await store.close()
  }
}

const encoder = new TextEncoder()
