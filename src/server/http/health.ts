import { setTimeout } from 'node:timers/promises'
import { HttpError } from '../operations/http-error.ts'
import { sendJson } from './send-json.ts'
import type { Store } from '../store/store.ts'
import type { Mounting } from './request-trace.ts'

const LONGEST_PROBE_MS = 250

/** Whether this process accepts requests. */
export interface Readiness {
  /** It is about to stop: clients should use other servers. */
  draining: boolean
}

/**
 * /healthz: the process is alive. /readyz: it can serve requests, writes included. Neither needs a key or reveals
 * anything else.
 */
export function mountHealth(
  { app, handle }: Mounting,
  {
    store,
    readiness,
    onError,
  }: {
    readonly store: Pick<Store, 'defaultSiteId' | 'siteSettings' | 'assertWritable'>
    readonly readiness: Readiness
    readonly onError: (error: unknown, requestId: string) => void
  },
): void {
  const findWriteFailure = createWriteProbe(() => store.assertWritable())
  app.get(
    '/healthz',
    handle('/healthz', (c) => sendJson(c, { success: true, message: 'The server is alive' })),
  )
  app.get(
    '/readyz',
    handle('/readyz', async (c) => {
      if (readiness.draining) throw notReady('The server is about to stop')
      const unless = (message: string) => (error: unknown) => {
        onError(error, c.get('trace').requestId)
        throw notReady(message)
      }
      await store.siteSettings(store.defaultSiteId).catch(unless('The database does not respond'))
      const writeFailure = await findWriteFailure()
      if (writeFailure !== undefined) unless('The database cannot be written')(writeFailure)
      return sendJson(c, { success: true, message: 'The server is ready' })
    }),
  )
}

function notReady(message: string): HttpError {
  return new HttpError(503, message, { 'Retry-After': '1' })
}

/**
 * The reason why the last test write failed; undefined if it succeeded. Since no key is needed, concurrent calls share
 * one write, and none waits long for it: while another process writes, this one can still serve.
 */
function createWriteProbe(write: () => Promise<void>): () => Promise<unknown> {
  let running: Promise<void> | undefined
  let failure: unknown
  return async () => {
    running ??= write()
      .then(
        () => (failure = undefined),
        (error: unknown) => (failure = error),
      )
      .then(() => (running = undefined))
    await Promise.race([running, setTimeout(LONGEST_PROBE_MS, undefined, { ref: false })])
    return failure
  }
}
