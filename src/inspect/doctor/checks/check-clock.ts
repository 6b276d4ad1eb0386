import type { ApiClient } from '../../../api/client/create-client.ts'
import { type Finding, ok, unknown, warning } from '../finding.ts'
import { spelledDuration } from '../wording.ts'

const TOLERATED_MS = 60_000

/** Review dates are counted from the clock here, and edits are told by the clock there. */
export function checkClock(client: Pick<ApiClient, 'clockOffsetMs'>): Finding {
  const offsetMs = client.clockOffsetMs()
  if (offsetMs === undefined) return unknown('connection.clock', 'the target does not say what time it has')
  if (Math.abs(offsetMs) <= TOLERATED_MS) return ok('connection.clock', 'the clocks agree')
  const direction = offsetMs > 0 ? 'ahead of' : 'behind'
  return warning(
    'connection.clock',
    `The target's clock is ${spelledDuration(Math.abs(offsetMs))} ${direction} the one here. Review dates and the detection of edits rest on both.`,
    'Correct the clock that is wrong: a time service such as NTP keeps it right.',
  )
}
