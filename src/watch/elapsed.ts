/**
 * Milliseconds until `periodMs` have passed since `sinceMs`; 0 where they have, and where the clock was set back
 * meanwhile.
 */
export function msLeft(sinceMs: number, periodMs: number, nowMs: number): number {
  const elapsedMs = nowMs - sinceMs
  return elapsedMs < 0 || elapsedMs >= periodMs ? 0 : periodMs - elapsedMs
}
