/** Hosts that requested a pause. */
export interface HostRests {
  rest(host: string, untilMs: number): void
  /** Returns the remaining milliseconds of the pause; 0 if the host may be requested. */
  leftMs(host: string): number
}

export function createHostRests(nowMs: () => number): HostRests {
  const rests = new Map<string, number>()
  return {
    rest(host, untilMs) {
      rests.set(host, Math.max(untilMs, rests.get(host) ?? 0))
    },
    leftMs(host) {
      const left = (rests.get(host) ?? 0) - nowMs()
      if (left <= 0) rests.delete(host)
      return Math.max(left, 0)
    },
  }
}
