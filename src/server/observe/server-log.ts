import type { RequestObserver } from '../http/handle-request.ts'

export type LogLevel = 'error' | 'warn' | 'info' | 'debug'

/**
 * The log of the server. Entries must not contain keys, bodies or personal data. `fields.error` is an Error, which is
 * written with its stack.
 */
export interface ServerLog {
  readonly write: (level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>) => void
  readonly isOn: (level: LogLevel) => boolean
}

/** Logs one line for each request, and one for each item that it wrote. Server errors have the level `error`. */
export function logRequests(log: ServerLog): RequestObserver {
  return {
    answered({ requestId, method, route, path, status, durationMs, caller, siteId, written }) {
      const level = status >= 500 ? 'error' : 'info'
      const who = { ...(siteId && { siteId }), ...(caller && { keyId: caller.keyId }) }
      if (!log.isOn(level)) return
      log.write(level, 'request', {
        requestId,
        method,
        route,
        // If no operation matches, the path is arbitrary text of the client, so it is logged only in detail.
        ...(route === undefined && log.isOn('debug') && { path: path.slice(0, 200) }),
        status,
        durationMs: Math.round(durationMs * 1000) / 1000,
        ...who,
      })
      for (const item of written) log.write('info', 'audit', { requestId, ...item, ...who })
    },
  }
}
