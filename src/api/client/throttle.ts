import pLimit from 'p-limit'
import { KbError } from '../../core/errors/kb-error.ts'

interface ThrottleOptions {
  readonly concurrency: number
  readonly signal: AbortSignal | undefined
  readonly now: () => number
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** Limits tasks to the target's pace: fewer at a time after a rejection, none while it asks to wait. */
export type Throttle = ReturnType<typeof createThrottle>

/** Call `noteServed` and `noteRefused` within the task, before the next one starts. */
export function createThrottle({ concurrency, signal, now, sleep }: ThrottleOptions) {
  const limit = pLimit({ concurrency, rejectOnClear: true })
  let pausedUntil = 0
  let waveCount = 0
  let servedWave = 0

  const dropQueue = () => limit.clearQueue()
  signal?.addEventListener('abort', dropQueue, { once: true })

  async function wait(ms: number): Promise<void> {
    assertRunning(signal)
    await sleep(ms, signal)
    assertRunning(signal)
  }

  async function pauseIsOver(): Promise<void> {
    let seen = 0
    while (seen !== pausedUntil && pausedUntil > now()) {
      seen = pausedUntil
      await wait(pausedUntil - now())
    }
  }

  async function begin<Value>(task: () => Promise<Value>): Promise<Value> {
    if (pausedUntil !== 0) await pauseIsOver()
    assertRunning(signal)
    return task()
  }

  return {
    /** Runs `task` as soon as concurrency and pauses allow. @throws as `wait` */
    run: async <Value>(task: () => Promise<Value>) => {
      assertRunning(signal)
      return limit(begin<Value>, task).catch(rethrowInterrupted(signal))
    },
    /** @throws KbError INTERRUPTED if the signal is aborted during the wait */
    wait: (ms: number) => wait(ms).catch(rethrowInterrupted(signal)),
    /** Number of the current wave: the tasks that run at the same time, because they are rejected together. */
    wave: () => waveCount,
    /** Number of waves since `wave` that were rejected, and none of whose tasks was served. */
    refusedSince: (wave: number) => waveCount - Math.max(wave, servedWave),
    noteServed() {
      servedWave = waveCount
      if (limit.concurrency < concurrency) limit.concurrency++
    },
    /** Pauses all tasks that have not begun. */
    pause(ms: number) {
      pausedUntil = Math.max(pausedUntil, now() + ms)
    },
    /** Halves the concurrency, once for each wave. */
    noteRefused(wave: number) {
      if (wave !== waveCount) return
      waveCount++
      limit.concurrency = Math.max(1, Math.floor(limit.concurrency / 2))
    },
    close: () => signal?.removeEventListener('abort', dropQueue),
  }
}

function assertRunning(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw interrupted(signal)
}

/** Converts the AbortError of the limiter and the timers. */
function rethrowInterrupted(signal: AbortSignal | undefined): (error: unknown) => never {
  return (error) => {
    const isAbort = error instanceof Error && error.name === 'AbortError'
    throw isAbort && signal?.aborted === true ? interrupted(signal) : error
  }
}

function interrupted(signal: AbortSignal): KbError {
  return new KbError('INTERRUPTED', 'The run was stopped before it was complete.', {
    hint: 'Run the command again: it continues where this run stopped.',
    cause: signal.reason,
  })
}
