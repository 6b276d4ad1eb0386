import type { Store } from './store/open-store.ts'

/** Interval of the checks for commits, which cost almost nothing. */
const CHECK_MS = 500

/** Maximum time for which constant commits postpone the work. */
const POSTPONED_MS = 15_000

/**
 * Runs `work` after commits of any process, when no other one has followed within the interval, so that it does not
 * compete with a sync. Does not keep the process alive.
 *
 * @returns a function that stops it
 */
export function runWhenIdle(
  store: Pick<Store, 'changeMark'>,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): () => void {
  let lastMark: number | undefined
  let doneMark: number | undefined
  /** When the first commit was noticed that the work has not seen. */
  let pendingSinceMs: number | undefined
  let isRunning = false
  const timer = setInterval(() => {
    const mark = store.changeMark()
    if (isRunning || mark === doneMark) return
    pendingSinceMs ??= performance.now()
    const isIdle = mark === lastMark
    lastMark = mark
    if (!isIdle && performance.now() - pendingSinceMs < POSTPONED_MS) return
    doneMark = mark
    pendingSinceMs = undefined
    isRunning = true
    void work()
      .catch(onError)
      .finally(() => (isRunning = false))
  }, CHECK_MS).unref()
  return () => clearInterval(timer)
}
