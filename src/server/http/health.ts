import { Refusal } from '../operations/refusal.ts'
import { sendJson } from './send-json.ts'
import type { Store } from '../store/store.ts'
import type { Mounting } from './trace-requests.ts'

/** Whether this process wants to be sent requests. */
export interface Readiness {
  /** It is about to stop: others shall be asked from now on. */
  draining: boolean
}

/**
 * /healthz: the process is alive. /readyz: it can serve, which includes that it can write. Neither needs a key or tells
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
  const assertWritable = shareWhileRunning(() => store.assertWritable())
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
      await store.siteSettings(store.defaultSiteId).catch(unless('The database does not answer'))
      await assertWritable().catch(unless('The database cannot be written'))
      return sendJson(c, { success: true, message: 'The server is ready' })
    }),
  )
}

function notReady(message: string): Refusal {
  return new Refusal(503, message, { 'Retry-After': '1' })
}

/** Needs no key, so that many who ask at once must not cause as many writes. */
function shareWhileRunning(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () =>
    (running ??= run().finally(() => {
      running = undefined
    }))
}
