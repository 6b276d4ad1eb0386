import type { Connect, TargetSession } from '../../sync/target-session.ts'

interface Opened {
  readonly session: TargetSession
  /** Aborted with the signal of each run, because the connection outlives a run. */
  readonly interruption: AbortController
}

/** A connection that is opened on demand and stays open between runs. */
export function createLiveSession(connect: Connect) {
  let opened: Opened | undefined

  const isOpen = () =>
    opened !== undefined && !opened.interruption.signal.aborted && opened.session.isCurrent?.() !== false

  async function drop(): Promise<void> {
    if (opened === undefined) return
    const { session } = opened
    const isLost = session.isCurrent?.() === false
    opened = undefined
    await session.close().catch((error: unknown) => {
      // A session that was already lost cannot be closed.
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
    /** True if the session is open and still belongs to the target it was opened for. */
    isOpen,
    /** The session, if a run can use it. */
    current: () => (isOpen() ? opened?.session : undefined),
    /** Closes the session; the next use opens a new one. */
    drop,
    /**
     * Runs some work with the session. If the signal fires during the work, the session ends after it.
     *
     * @throws what connecting throws, and what the work throws
     */
    use: async <T>(work: (session: TargetSession) => Promise<T>, signal: AbortSignal | undefined) => {
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
