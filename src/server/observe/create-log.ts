import { type DestinationStream, pino } from 'pino'
import { escapeControl, escapeControlInLine } from '../../core/escape-control.ts'
import type { LogLevel, ServerLog } from './server-log.ts'
import { errorCodeOf } from '../../core/error-code.ts'

/** Creates a log of JSON lines: `time`, `level`, `pid`, `msg` and the fields of the entry. */
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

/** Formats the lines of a log as text, for a terminal that shows other messages, too. */
export function asText(stream: DestinationStream): DestinationStream {
  return { write: (line) => stream.write(toText(line)) }
}

function toText(line: string): string {
  const { level, msg, error, ...fields } = JSON.parse(line) as Entry
  const named = Object.entries(fields)
    .filter(([name]) => name !== 'time' && name !== 'pid')
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const failure = error === undefined ? '' : `\n${error.name}: ${error.message}\n${error.stack}`.trimEnd()
  return `${escapeControlInLine([`${level}:`, msg, ...named].join(' '))}${escapeControl(failure)}\n`
}

interface Entry extends Readonly<Record<string, unknown>> {
  readonly level: string
  readonly msg: string
  readonly error?: Described
}

/**
 * Writes to standard error in the background. `close` resolves when everything is written. If the reader is gone, the
 * rest is dropped.
 */
export function createStderrDestination() {
  const stream = pino.destination({ fd: 2, sync: false })
  const ended = new Promise<void>((resolve) => {
    for (const event of ['close', 'error']) stream.once(event, () => resolve())
  })
  return {
    stream,
    close: () => {
      // Not flushed synchronously: that would overtake a line in progress, and retry a broken pipe forever.
      stream.end()
      return ended
    },
  }
}

interface Described {
  readonly name: string
  readonly code?: string
  readonly message: string
  readonly stack: string
  readonly cause?: Described
}

/**
 * Describes an exception for the log: name, code, message, stack and cause. Omits other members, since drivers store
 * parameters and rows in them, and the message of a database error, since it may quote an article.
 */
export function describeError(error: unknown): Described {
  if (!(error instanceof Error)) return { name: typeof error, message: 'no Error was thrown', stack: '' }
  const { name, cause } = error
  const code = errorCodeOf(error)
  const message = isOfDatabase(error) ? withoutQuotes(error.message) : error.message
  return {
    name,
    ...(code !== undefined && { code }),
    message,
    stack: framesOf(error),
    ...(cause instanceof Error && { cause: describeError(cause) }),
  }
}

// Errors of the operating system quote only paths, and name the failed call.
function isOfDatabase(error: Error): boolean {
  return errorCodeOf(error) !== undefined && !('syscall' in error)
}

function withoutQuotes(message: string): string {
  return message.replaceAll(/"[^"]*"|'[^']*'|\([^()]*\)/g, '…')
}

// The stack begins with the message, which may have several lines.
function framesOf({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
}
