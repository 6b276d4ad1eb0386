import { vi } from 'vitest'

/**
 * Waits until `check` no longer throws. The limit is far above what a loaded machine needs, because a test that passes never
 * reaches it: the default of one second does not hold where other tests take the processors.
 */
export function waitFor<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(check, { timeout: 60_000, interval: 20 })
}
