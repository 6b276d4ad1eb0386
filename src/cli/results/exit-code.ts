import { EXIT, type ExitCode } from '../../core/errors/exit-codes.ts'
import type { OnConflict } from '../../core/config/schema.ts'
import { type Diagnostic, isError } from '../../core/model/diagnostic.ts'
import type { PullResult } from '../../authoring/pull/pulled-files.ts'
import { hasErrors, type SyncResult } from '../../sync/sync-options.ts'

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
