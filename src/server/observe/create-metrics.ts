import { statIfThere } from '../../core/paths.ts'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { RequestObserver } from '../http/handle-request.ts'

export interface ServerMetrics extends RequestObserver {
  readonly contentType: string
  /** All metrics, in Prometheus' text format. */
  readonly render: () => Promise<string>
  readonly countLinkCheck: (result: string) => void
}

interface MetricsOptions {
  readonly version: string
  /** Database file, for its size; undefined for a database on a server. */
  readonly db: string | undefined
}

const LABELS = ['method', 'route', 'status'] as const

/** Methods with separate metrics; clients may invent any others. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'OPTIONS'])

const DURATION_BUCKETS_SECONDS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]

/** Measures the process and its requests, in a separate registry. */
export function createMetrics(options: MetricsOptions): ServerMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  describeProgram(registry, options)
  const requests = countRequests(registry)
  const linkChecks = new Counter({
    name: 'kb_link_checks_total',
    help: 'Checked links, by result.',
    labelNames: ['result'],
    registers: [registry],
  })
  return {
    ...requests,
    contentType: registry.contentType,
    render: () => registry.metrics(),
    countLinkCheck: (result) => linkChecks.inc({ result }),
  }
}

function describeProgram(registry: Registry, { version, db }: MetricsOptions): void {
  const registers = [registry]
  new Gauge({ name: 'kb_build_info', help: 'The running version.', labelNames: ['version'], registers }).set(
    { version },
    1,
  )
  if (db === undefined) return
  const size = new Gauge({
    name: 'kb_database_size_bytes',
    help: 'Size of the database file and its write-ahead log.',
    registers: [],
    collect() {
      this.set((statIfThere(db)?.size ?? 0) + (statIfThere(`${db}-wal`)?.size ?? 0))
    },
  })
  registry.registerMetric(size)
}

function countRequests(registry: Registry): Required<RequestObserver> {
  const registers = [registry]
  const duration = new Histogram({
    name: 'kb_http_request_duration_seconds',
    help: 'Time to the first byte of the response.',
    labelNames: LABELS,
    buckets: DURATION_BUCKETS_SECONDS,
    registers,
  })
  // The histogram already counts requests.
  const total = new Counter({
    name: 'kb_http_requests_total',
    help: 'Answered requests.',
    labelNames: LABELS,
    registers: [],
    async collect() {
      this.reset()
      const { values } = await duration.get()
      for (const { metricName, labels, value } of values) {
        if (metricName?.endsWith('_count') === true) this.inc(labels, value)
      }
    },
  })
  registry.registerMetric(total)
  const inFlight = new Gauge({
    name: 'kb_http_requests_in_flight',
    help: 'Requests that are being answered.',
    registers,
  })
  const ofSites = new Counter({
    name: 'kb_site_requests_total',
    help: 'Answered requests of each site.',
    labelNames: ['site'],
    registers,
  })
  return {
    started: () => inFlight.inc(),
    answered({ method, route = 'none', status, durationMs, siteId }) {
      inFlight.dec()
      if (siteId !== undefined) ofSites.inc({ site: siteId })
      duration.observe({ method: METHODS.has(method) ? method : 'other', route, status }, durationMs / 1000)
    },
  }
}
