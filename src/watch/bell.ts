export interface Bell {
  /** Ends the wait that is going on, or the next one at once. */
  readonly ring: () => void
  /** Resolves when the bell rings or so many milliseconds are over, never where there is no such number. */
  readonly wait: (ms: number | undefined) => Promise<void>
}

/** What a loop waits for. Nothing runs while nobody rings. */
export function createBell(sleep: (ms: number, signal: AbortSignal) => Promise<void>): Bell {
  let hasRung = false
  let wake: (() => void) | undefined
  return {
    ring: () => {
      hasRung = true
      wake?.()
    },
    wait: async (ms) => {
      if (!hasRung) {
        const nap = new AbortController()
        const rung = new Promise<void>((resolve) => {
          wake = resolve
        })
        await (ms === undefined ? rung : Promise.race([rung, sleep(ms, nap.signal)]))
        wake = undefined
        nap.abort()
      }
      hasRung = false
    },
  }
}
