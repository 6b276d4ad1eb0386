import type { SyncResult } from '../../sync/sync-options.ts'
import type { TargetSession } from '../../sync/target-session.ts'
import type { RequestCounts } from '../../api/client/request-counter.ts'

/** A connection that stays counts the requests of all runs; a result has its own. */
export async function countRequests<T extends SyncResult | undefined>(
  session: TargetSession,
  work: (session: TargetSession) => Promise<T>,
): Promise<T> {
  const before = session.client.countRequests()
  const result = await work(session)
  return result && { ...result, requests: countSince(before, result.requests) }
}

/** What was asked between two counts. */
function countSince(before: RequestCounts, after: RequestCounts): RequestCounts {
  return Object.fromEntries(
    Object.entries(after)
      .map(([method, count]) => [method, count - (before[method] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  )
}
