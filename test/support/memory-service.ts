// The service of strict-service.ts without sockets, for thousands of runs: a client is given `send` in their place.
import { buffer } from 'node:stream/consumers'
import type { ConnectionFailure } from '../../src/api/client/connection-failure.ts'
import type { Answer, SendRequest } from '../../src/api/client/send-request.ts'
import { createServiceCore, type ServiceCore } from './strict-service-core.ts'
import type { ServiceHabits } from './strict-service-quirks.ts'
import { ok, type Reply, refuse } from './strict-service-reply.ts'

/**
 * What happens to one request on its way; `killed-…` ends the program that sent it there and then, `ignored…` is answered
 * with success, in words or without, and not carried out.
 */
export type Mishap =
  | 'ignored'
  | 'ignored-in-words'
  | 'cut-before'
  | 'cut-after'
  | 'failed-before'
  | 'failed-after'
  | 'killed-before'
  | 'killed-after'

/** Mishaps by how many requests come before. */
export type Mishaps = ReadonlyMap<number, Mishap>

/** Thrown from the moment of a kill on by every request: what happens after it would not have happened. */
export class Killed extends Error {}

export interface MemoryService extends ServiceCore {
  /** One program's connection. @param pause what comes before each request, for others to come in between */
  readonly connect: (mishaps?: Mishaps, pause?: (path: string) => Promise<void>) => SendRequest
}

export function createMemoryService(habits: ServiceHabits = {}): MemoryService {
  const core = createServiceCore(habits)
  return {
    ...core,
    connect: (mishaps = new Map(), pause = () => Promise.resolve()) => {
      let count = 0
      let isKilled = false
      return async ({ method, path, headers, body, upload }) => {
        await pause(path)
        if (isKilled) throw new Killed()
        const mishap = mishaps.get(count++)
        isKilled = mishap === 'killed-before' || mishap === 'killed-after'
        if (mishap === 'killed-before') throw new Killed()
        if (mishap === 'cut-before') return cut()
        if (mishap === 'ignored') return toAnswer(ok({ message: '' }))
        if (mishap === 'ignored-in-words') return toAnswer(ok({ message: `The article was ${DONE[method]}` }))
        if (mishap === 'failed-before') return toAnswer(refuse(500, 'Out of order'))
        // As over a socket: nothing of the sender's own values gets there.
        const reply = core.answer(
          method,
          path,
          upload === undefined ? body && copy(body) : await buffer(upload.open()),
          headers?.['if-match'],
        )
        if (mishap === 'killed-after') throw new Killed()
        if (mishap === 'cut-after' || reply.isLate === true) return cut()
        return toAnswer(mishap === 'failed-after' ? refuse(500, 'Out of order') : reply)
      }
    },
  }
}

const DONE: Readonly<Record<string, string>> = { PUT: 'created', POST: 'updated', DELETE: 'deleted' }

function copy(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body))
}

function toAnswer({ status, body, headers = {} }: Reply): Answer {
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { kind: 'answered', status, headers: Object.fromEntries(named), text }
}

function cut(): ConnectionFailure {
  const reason = 'the connection was lost'
  return { kind: 'broken', reason, hint: '', unsent: false, permanent: false, cause: undefined }
}
