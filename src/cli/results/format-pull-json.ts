import type { PullResult } from '../../authoring/pull/pull-options.ts'
import { formatJson } from '../text/format-json.ts'
import { toFailureReport } from '../failures/report-failure.ts'

/** `kb pull --json`: one document, the same shape whatever happened. */
export function formatPullJson(result: PullResult): string {
  const { target, summary, files, diagnostics, requests, failure } = result
  return formatJson({
    version: 1,
    target,
    summary,
    // The texts themselves are in the files, or in --dry-run for people.
    files: files.map((file) => ({ ...file, change: undefined })),
    diagnostics,
    requests,
    ...(failure !== undefined && { error: toFailureReport(failure) }),
  })
}
