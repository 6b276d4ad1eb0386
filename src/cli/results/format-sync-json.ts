import type { SyncResult } from '../../sync/sync-options.ts'
import type { RunProfile } from '../profile/start-profiler.ts'
import { formatJson } from '../text/format-json.ts'
import { toFailureReport } from '../failures/report-failure.ts'

/** Version of documents that list operations. */
export const SYNC_JSON_VERSION = 2

/** Formats `kb sync --json` and `kb plan --json`: one document, always with the same structure. */
export function formatSyncJson(result: SyncResult, profile?: RunProfile): string {
  const { target, shard, summary, taxonomy, files, operations, diagnostics, requests } = result
  const { guard, recovery, failure } = result
  const document = {
    version: SYNC_JSON_VERSION,
    target,
    ...(shard !== undefined && { shard }),
    summary,
    taxonomy,
    ...(files !== undefined && { files }),
    operations,
    diagnostics,
    requests,
    ...(guard !== undefined && { guard }),
    ...(recovery !== undefined && { recovery }),
    ...(profile !== undefined && { profile }),
    ...(failure !== undefined && { error: toFailureReport(failure) }),
  }
  return formatJson(document)
}
