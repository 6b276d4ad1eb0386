import { type DestinationStream, pino } from 'pino'
import { describeError } from './describe-error.ts'
import type { LogLevel, ServerLog } from './server-log.ts'

/** A log of JSON lines: `time`, `level`, `pid`, `msg` and the fields of the entry. */
export function createLog(level: LogLevel | 'silent', stream: DestinationStream): ServerLog {
  const logger = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: describeError },
    },
    stream,
  )
  return {
    write: (at, message, fields = {}) => logger[at](fields, message),
    isOn: (at) => logger.isLevelEnabled(at),
  }
}

/**
 * Standard error, written in the background. `close` resolves when all is written out; where the reader is gone, what is
 * left is dropped.
 */
export function createStderrDestination(): {
  readonly stream: DestinationStream
  readonly close: () => Promise<void>
} {
  const stream = pino.destination({ fd: 2, sync: false })
  const ended = new Promise<void>((resolve) => {
    for (const event of ['close', 'error']) stream.once(event, () => resolve())
  })
  return {
    stream,
    close: () => {
      // Not flushed synchronously: that would pass by a line that is being written, and try a broken pipe for ever.
      stream.end()
      return ended
    },
  }
}
