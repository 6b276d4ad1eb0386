/** Hosts that requested a pause. */
export type HostRests = ReturnType<typeof createHostRests>

export function createHostRests(nowMs: () => number) {
  const rests = new Map<string, number>()
  return {
    rest(host: string, untilMs: number) {
      rests.set(host, Math.max(untilMs, rests.get(host) ?? 0))
    },
    /** Returns the remaining milliseconds of the pause; 0 if the host may be requested. */
    leftMs(host: string) {
      const left = (rests.get(host) ?? 0) - nowMs()
      if (left <= 0) rests.delete(host)
      return Math.max(left, 0)
    },
  }
}
