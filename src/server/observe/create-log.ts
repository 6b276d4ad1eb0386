import { type DestinationStream, pino } from 'pino'
import { describeError } from './describe-error.ts'
import type { LogLevel, ServerLog } from './server-log.ts'

export interface PinoLog extends ServerLog {
  /** Writes out what is still held back. */
  readonly flush: () => void
}

interface Destination extends DestinationStream {
  readonly flushSync?: () => void
}

/**
 * A log of JSON lines: `time`, `level`, `pid`, `msg` and the fields of the entry.
 *
 * @param destination by default standard error, written in the background
 */
export function createLog(
  level: LogLevel | 'silent',
  destination: Destination = pino.destination({ fd: 2, sync: false }),
): PinoLog {
  const logger = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: describeError },
    },
    destination,
  )
  return {
    write: (at, message, fields = {}) => logger[at](fields, message),
    isOn: (at) => logger.isLevelEnabled(at),
    flush: () => destination.flushSync?.(),
  }
}
