import type { Observation } from '../../../api/link-probe/observation.ts'

export interface AskParts {
  readonly check: (address: string) => Promise<Observation>
  readonly sleep: (ms: number) => Promise<void>
  /** Told of every answer; of an address that is asked again, the last one counts. */
  readonly onSeen: (address: string, observation: Observation) => void
}

/** Pause before an address that failed is asked a second time: one failure may be a passing trouble. */
const SECOND_LOOK_MS = 3000

/** Hosts that ask for a longer rest than this are not waited for. */
const PATIENCE_MS = 60_000

const MOST_ROUNDS = 3

/**
 * Asks every address, and again after a pause where the answer may have been a passing one: once where the server or
 * the way to it failed, a few times where a host asked us to come back within a minute.
 *
 * @throws only what `check` throws
 */
export async function askAddresses(addresses: readonly string[], parts: AskParts): Promise<void> {
  let open: readonly string[] = addresses
  for (let round = 1; open.length > 0; round++) {
    const seen = new Map<string, Observation>()
    await Promise.all(
      open.map(async (address) => {
        const observation = await parts.check(address)
        seen.set(address, observation)
        parts.onSeen(address, observation)
      }),
    )
    if (round === MOST_ROUNDS) return
    const again = [...seen].filter(([, observation]) => mayPass(observation, round))
    if (again.length === 0) return
    await parts.sleep(Math.max(...again.map(([, observation]) => pauseMs(observation))))
    open = again.map(([address]) => address)
  }
}

function mayPass(observation: Observation, round: number): boolean {
  if (observation.kind === 'busy') return observation.retryAfterMs <= PATIENCE_MS
  if (observation.kind !== 'broken' || round > 1) return false
  return observation.status === null || observation.status >= 500
}

function pauseMs(observation: Observation): number {
  return observation.kind === 'busy' ? observation.retryAfterMs : SECOND_LOOK_MS
}
