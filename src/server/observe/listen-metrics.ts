import type { ServerResponse } from 'node:http'
import type { WireError } from '../../api/contract/wire-error.ts'
import { type BindAddress, bind } from '../../core/net/bind.ts'
import { createBoundedServer, drain } from '../http/listen.ts'
import { DATA_HEADERS, JSON_HEADERS } from '../http/handle-request.ts'
import type { ServerMetrics } from './create-metrics.ts'

const METRICS_PATH = '/metrics'

const MOST_COLLECTORS = 100

/**
 * Serves only the metrics, without a key, on an address that only the collector should be able to reach.
 *
 * @throws KbError PORT_UNAVAILABLE
 */
export async function listenForMetrics(
  metrics: Pick<ServerMetrics, 'contentType' | 'render'>,
  address: BindAddress,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createBoundedServer({}, MOST_COLLECTORS, (request, response) => {
    request.resume()
    if (request.url !== METRICS_PATH) return refuse(response, 404, `Only ${METRICS_PATH} is served here`)
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return refuse(response, 405, 'The metrics are read-only', { Allow: 'GET, HEAD' })
    metrics.render().then(
      (text) => response.writeHead(200, { ...DATA_HEADERS, 'Content-Type': metrics.contentType }).end(text),
      () => refuse(response, 500, 'The metrics could not be collected'),
    )
  })
  const url = await bind(server, address)
  return { url: `${url}${METRICS_PATH}`, close: () => drain(server, 0) }
}

function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body: WireError = { success: false, message }
  response.writeHead(status, { ...JSON_HEADERS, ...headers }).end(JSON.stringify(body))
}
