/** Pauses that end at once when the checker stops. */
export interface Waiting {
  readonly sleep: (ms: number) => Promise<void>
  /** Ends early when `wake` is called, also when that was before it began. */
  readonly sleepUntilWoken: (ms: number) => Promise<void>
  readonly wake: () => void
}

/** @param keepsAlive whether the process waits for a pause; a server must be able to end during one */
export function createWaiting(stop: AbortSignal, keepsAlive = false): Waiting {
  const sleepers = new Set<() => void>()
  let woken = false
  let endSleep = () => {}
  stop.addEventListener('abort', () => {
    for (const end of sleepers) end()
  })

  function pause(ms: number, onBegin: (end: () => void) => void): Promise<void> {
    if (stop.aborted || ms <= 0) return Promise.resolve()
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        sleepers.delete(end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      if (!keepsAlive) timer.unref()
      sleepers.add(end)
      onBegin(end)
    })
  }

  return {
    sleep: (ms) => pause(ms, () => undefined),
    async sleepUntilWoken(ms) {
      if (!woken) await pause(ms, (end) => (endSleep = end))
      woken = false
    },
    wake() {
      woken = true
      endSleep()
    },
  }
}
