/** Pauses that end when the checker stops. */
export type InterruptibleSleep = ReturnType<typeof createInterruptibleSleep>

/** @param keepsAlive true if a pause keeps the process alive; a server must be able to exit during one */
export function createInterruptibleSleep(stop: AbortSignal, keepsAlive = false) {
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
    sleep: (ms: number) => pause(ms, () => undefined),
    /** Ends early after a call of `wake`, even if it came before the start. */
    sleepUntilWoken: async (ms: number) => {
      if (!woken) await pause(ms, (end) => (endSleep = end))
      woken = false
    },
    wake: () => {
      woken = true
      endSleep()
    },
  }
}
