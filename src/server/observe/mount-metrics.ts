import type { Authenticate } from '../http/authenticate.ts'
import { HttpError } from '../operations/responses.ts'
import { DATA_HEADERS } from '../http/send-json.ts'
import type { Mounting } from '../http/handle-request.ts'
import type { ServerMetrics } from './create-metrics.ts'

interface MetricsAccess {
  readonly authenticate: Authenticate
  /** The site whose keys give access to the metrics of the whole server. */
  readonly siteId: string
}

/** Serves /metrics on the main address. Errors have the form of every failure, metrics that of Prometheus. */
export function mountMetrics(
  { app, handle }: Mounting,
  metrics: ServerMetrics,
  { authenticate, siteId }: MetricsAccess,
): void {
  const answer = handle('/metrics', async (c) => {
    const trace = c.get('trace')
    const caller = await authenticate(c)
    trace.caller = caller
    if (caller.siteId !== siteId)
      throw new HttpError(403, 'Only a key of the default site may read the metrics')
    const headers = { ...DATA_HEADERS, ...trace.headers, 'Content-Type': metrics.contentType }
    return new Response(await metrics.render(), { headers })
  })
  app.get('/metrics', answer)
}
