import { Refusal } from '../operations/refusal.ts'
import { sendJson } from './send-json.ts'
import type { Store } from '../store/store.ts'
import type { Mounting } from './trace-requests.ts'

/** /healthz: the process is alive. /readyz: it can serve. Neither needs a key or tells anything else. */
export function mountHealth(
  { app, handle }: Mounting,
  store: Store,
  onError: (error: unknown, requestId: string) => void,
): void {
  app.get(
    '/healthz',
    handle('/healthz', (c) => sendJson(c, { success: true, message: 'The server is alive' })),
  )
  app.get(
    '/readyz',
    handle('/readyz', async (c) => {
      try {
        await store.siteSettings(store.defaultSiteId)
      } catch (error) {
        onError(error, c.get('trace').requestId)
        throw new Refusal(503, 'The database does not answer', { 'Retry-After': '1' })
      }
      return sendJson(c, { success: true, message: 'The server is ready' })
    }),
  )
}
