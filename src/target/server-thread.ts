import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type BuiltinOptions, type FromServer, fromPlainFailure, type ToServer } from './builtin-messages.ts'

/** The built-in server at work in a thread of its own. */
export interface ServerThread {
  readonly url: string
  readonly isAlive: () => boolean
  /**
   * Sends a message and waits for the answer of the given kind.
   *
   * @throws KbError what the server says has failed; what has ended the thread
   */
  readonly request: <Kind extends FromServer['kind']>(
    message: ToServer,
    kind: Kind,
  ) => Promise<Extract<FromServer, { kind: Kind }>>
}

/**
 * Starts the thread and waits until its server listens.
 *
 * @throws KbError DATABASE_UNUSABLE, DATABASE_NEWER
 */
export async function startServerThread(options: BuiltinOptions): Promise<ServerThread> {
  const worker = new Worker(new URL('./builtin-server.js', import.meta.url), { workerData: options })
  const life = watchOver(worker)
  const { url } = await answerOf(worker, life.signal, 'listening')
  return {
    url,
    isAlive: () => !life.signal.aborted,
    request: async (message, kind) => {
      const answer = answerOf(worker, life.signal, kind)
      worker.postMessage(message)
      return answer
    },
  }
}

/** Aborted, with the reason, as soon as the thread has ended: whoever waits for it then waits in vain. */
function watchOver(worker: Worker): AbortController {
  const life = new AbortController()
  worker.on('error', (error) => life.abort(error))
  worker.on('exit', () => life.abort(new Error("the built-in server's thread has ended")))
  return life
}

async function answerOf<Kind extends FromServer['kind']>(
  worker: Worker,
  life: AbortSignal,
  kind: Kind,
): Promise<Extract<FromServer, { kind: Kind }>> {
  const [message] = (await once(worker, 'message', { signal: life }).catch((error: unknown) => {
    throw life.aborted ? life.reason : error
  })) as [FromServer]
  if (message.kind === 'failed') {
    await worker.terminate()
    throw fromPlainFailure(message.failure)
  }
  if (message.kind !== kind)
    throw new Error(`the server's thread answered ${message.kind} instead of ${kind}`)
  return message as Extract<FromServer, { kind: Kind }>
}
