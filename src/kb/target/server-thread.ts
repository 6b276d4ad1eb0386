import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { packageFile } from '../../core/package-files.ts'
import { type BuiltinOptions, type FromServer, fromPlainFailure, type ToServer } from './builtin-messages.ts'

export interface ServerThread {
  readonly url: string
  readonly isAlive: () => boolean
  /**
   * Sends a message and waits for a response of the given kind.
   *
   * @throws KbError the failure that the server reports, or that ended the thread
   */
  readonly request: <Kind extends FromServer['kind']>(
    message: ToServer,
    kind: Kind,
  ) => Promise<Extract<FromServer, { kind: Kind }>>
}

/** A thread that loads the server's code and waits. Nothing is opened or created before `open`. */
export type PreparedThread = ReturnType<typeof prepareServerThread>

/** Starts the thread. Until it is open, it does not keep the process alive. */
export function prepareServerThread() {
  // Requests create long temporary strings, but few long-lived objects.
  const resourceLimits = { maxYoungGenerationSizeMb: 24 }
  const worker = new Worker(packageFile('dist/kb/target/builtin-server.js'), { resourceLimits })
  worker.unref()
  const life = watchOver(worker)
  const request: ServerThread['request'] = async (message, kind) => {
    const answer = answerOf(worker, life.signal, kind)
    worker.postMessage(message)
    return answer
  }
  return {
    /** @throws KbError DATABASE_UNUSABLE, DATABASE_NEWER */
    open: async (options: BuiltinOptions) => {
      worker.ref()
      const { url } = await request({ kind: 'open', options }, 'listening')
      return { url, isAlive: () => !life.signal.aborted, request }
    },
    /** Ends a thread that is not open. */
    discard: () => void worker.terminate(),
  }
}

/** Returns a controller that is aborted, with the reason, when the thread ends, so that no request waits in vain. */
function watchOver(worker: Worker): AbortController {
  const life = new AbortController()
  worker.on('error', (error) => life.abort(error))
  worker.on('exit', () => life.abort(new Error("the built-in server's thread has ended")))
  return life
}

async function answerOf<Kind extends FromServer['kind']>(worker: Worker, life: AbortSignal, kind: Kind) {
  const [message] = (await once(worker, 'message', { signal: life }).catch((error: unknown) => {
    throw life.aborted ? life.reason : error
  })) as [FromServer]
  if (message.kind === 'failed') {
    await worker.terminate()
    throw fromPlainFailure(message.failure)
  }
  // It sends no more messages, so the process need not wait until its memory is freed.
  if (message.kind === 'closed') worker.unref()
  if (message.kind !== kind)
    throw new Error(`the server's thread answered ${message.kind} instead of ${kind}`)
  return message as Extract<FromServer, { kind: Kind }>
}
