import { createLog } from '../../src/server/observe/create-log.ts'
import type { LogLevel, ServerLog } from '../../src/server/observe/server-log.ts'

export interface MemoryLog extends ServerLog {
  /** Everything written so far. */
  readonly text: () => string
  /** The lines without what differs from run to run. */
  readonly entries: () => readonly Readonly<Record<string, unknown>>[]
}

/** The server's own log, written into memory. */
export function createMemoryLog(level: LogLevel): MemoryLog {
  const lines: string[] = []
  const log = createLog(level, { write: (line) => void lines.push(line) })
  return {
    ...log,
    text: () => lines.join(''),
    entries: () =>
      lines.map((line) => {
        const entry = JSON.parse(line) as Record<string, unknown>
        for (const name of ['time', 'pid', 'durationMs']) delete entry[name]
        return entry
      }),
  }
}
