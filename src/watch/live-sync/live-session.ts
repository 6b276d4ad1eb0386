import type { Connect, TargetSession } from '../../sync/target-session.ts'

/** A connection that is opened when it is needed and stays open from run to run. */
interface LiveSession {
  /** Whether a run can go on where the last one ended: open, and with what it was opened for. */
  readonly isOpen: () => boolean
  /** The session, where a run can go on with it. */
  readonly current: () => TargetSession | undefined
  /**
   * Does some work with the session. Where the signal fires in the meantime, the session ends with this work.
   *
   * @throws what connecting throws, and what the work does
   */
  readonly use: <T>(
    work: (session: TargetSession) => Promise<T>,
    signal: AbortSignal | undefined,
  ) => Promise<T>
  /** Closes what is open; the next use opens it again. */
  readonly drop: () => Promise<void>
}

interface Opened {
  readonly session: TargetSession
  /** The signal of each run, as the connection outlives it. */
  readonly interruption: AbortController
}

export function createLiveSession(connect: Connect): LiveSession {
  let opened: Opened | undefined

  const isOpen = () =>
    opened !== undefined && !opened.interruption.signal.aborted && opened.session.isCurrent?.() !== false

  async function drop(): Promise<void> {
    if (opened === undefined) return
    const { session } = opened
    const isLost = session.isCurrent?.() === false
    opened = undefined
    await session.close().catch((error: unknown) => {
      // What has ended by itself need not, and cannot, be closed.
      if (!isLost) throw error
    })
  }

  async function open(): Promise<Opened> {
    if (opened !== undefined && isOpen()) return opened
    await drop()
    const interruption = new AbortController()
    const session = await connect({ readOnly: false, signal: interruption.signal })
    opened = { session, interruption }
    return opened
  }

  return {
    isOpen,
    current: () => (isOpen() ? opened?.session : undefined),
    drop,
    use: async (work, signal) => {
      const { session, interruption } = await open()
      const interrupt = () => interruption.abort()
      signal?.addEventListener('abort', interrupt, { once: true })
      if (signal?.aborted === true) interrupt()
      try {
        return await work(session)
      } finally {
        signal?.removeEventListener('abort', interrupt)
      }
    },
  }
}
