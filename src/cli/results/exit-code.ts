import { ERRORS } from '../../core/errors/catalogue.ts'
import { EXIT, type ExitCode } from '../../core/errors/exit-codes.ts'
import type { OnConflict } from '../../core/config/schema.ts'
import { type Diagnostic, isError } from '../../core/model/diagnostic.ts'
import type { MoveResult } from '../../authoring/move/move-options.ts'
import type { PullResult } from '../../authoring/pull/pulled-files.ts'
import type { Finding } from '../../inspect/doctor/finding.ts'
import type { WatchSummary } from '../../kb/watch-events.ts'
import { hasErrors, type SyncResult } from '../../sync/sync-options.ts'
import type { Report } from '../../web/report/report.ts'

export function exitCodeOfDiagnostics(diagnostics: readonly Diagnostic[]): ExitCode {
  return diagnostics.some(isError) ? EXIT.failed : EXIT.done
}

/** Returns the first that applies: the target, problems and failures, conflicts. */
export function exitCodeOfSync(result: SyncResult, onConflict: OnConflict): ExitCode {
  if (result.failure !== undefined) return result.failure.exitCode
  const hasFailed = result.summary.failed > 0 || result.taxonomy.failed > 0 || result.guard !== undefined
  if (hasFailed || hasErrors(result)) return EXIT.failed
  return result.summary.conflicts > 0 && onConflict !== 'skip' ? EXIT.conflict : EXIT.done
}

export function exitCodeOfPull(result: PullResult, onConflict: OnConflict): ExitCode {
  if (result.failure !== undefined) return result.failure.exitCode
  const hasFailed = result.summary.failed > 0 || exitCodeOfDiagnostics(result.diagnostics) !== EXIT.done
  if (hasFailed) return EXIT.failed
  return result.summary.conflicts > 0 && onConflict !== 'skip' ? EXIT.conflict : EXIT.done
}

/** Links that could not be updated are errors in the content. */
export function exitCodeOfMove({ left }: MoveResult): ExitCode {
  return left.length > 0 ? EXIT.failed : EXIT.done
}

export function exitCodeOfReport({ exceeded }: Report): ExitCode {
  return exceeded.length > 0 ? EXIT.failed : EXIT.done
}

/** Returns success if the target matches the files, like a sync at this moment. */
export function exitCodeOfWatch(summary: WatchSummary): ExitCode {
  const { pending, heldBack, failures, isComplete, failure } = summary
  if (failure !== undefined) return failure.exitCode
  const isDone = isComplete && pending === 0 && heldBack.length === 0 && failures.length === 0
  return isDone ? EXIT.done : EXIT.failed
}

/** Returns the exit code of `kb doctor`. Warnings do not count as a failure. */
export function exitCodeOfFindings(findings: readonly Finding[]): ExitCode {
  const worst = worstFinding(findings)
  return worst === undefined ? EXIT.done : exitOf(worst)
}

const WORST_FIRST: readonly ExitCode[] = [EXIT.usage, EXIT.target, EXIT.failed]

/**
 * Returns the error that determines the exit code: an invalid configuration, then an unusable target, then any other
 * one; undefined if there is none.
 */
export function worstFinding(findings: readonly Finding[]): Finding | undefined {
  const errors = findings.filter(({ status }) => status === 'error')
  return errors.toSorted((a, b) => WORST_FIRST.indexOf(exitOf(a)) - WORST_FIRST.indexOf(exitOf(b)))[0]
}

function exitOf({ code }: Finding): ExitCode {
  return code === undefined ? EXIT.failed : ERRORS[code].exit
}
