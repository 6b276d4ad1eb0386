import type { LoadedContent } from '../content/pipeline/load-content.ts'
import type { OperationResult } from '../core/model/plan.ts'
import { readDifferences } from './difference/read-differences.ts'
import { createRunRecords, executeRun } from './execute-run.ts'
import { loadPast } from './state/load-past.ts'
import { type Run, planContent } from './plan-content.ts'
import { toSavedPlan } from './saved/save-plan.ts'
import type { StateFiles } from './state/state-files.ts'
import type { SyncContentOptions, SyncResult } from './sync-options.ts'
import { toResult } from './to-result.ts'

/** Pass two: compares clean content with the target, and in mode `sync` makes the target equal to it. */
export async function syncContent(
  content: LoadedContent,
  files: StateFiles,
  options: SyncContentOptions,
): Promise<{ readonly result: SyncResult; readonly ownRevisions: number }> {
  const { settings, mode, connect, signal } = options
  const state = loadPast(files, settings.project)
  const session = await connect({ readOnly: mode === 'plan', signal })
  try {
    const run = await planContent(content, { session, state }, options)
    const result = await execute(content, run, files, options)
    return { result, ...(await session.close()) }
  } catch (error) {
    await session.close()
    throw error
  }
}

async function execute(
  content: LoadedContent,
  run: Run,
  files: StateFiles,
  options: SyncContentOptions,
): Promise<SyncResult> {
  const records = createRunRecords(files, options.settings.project)
  const executed = await executeRun(content, run, records, options)
  const { results, guard, isRejected } = executed
  const isSound = !isRejected && options.mode === 'plan'
  const shown =
    isSound && options.diff === true ? await showDifferences(content, run, results, options) : results
  const result = toResult(content, run, { ...executed, results: shown }, options)
  const savedPlan =
    isSound && options.savesPlan === true ? toSavedPlan(run.planned, guard, options) : options.savedPlan?.plan
  return { ...result, ...(savedPlan !== undefined && { savedPlan }) }
}

function showDifferences(
  content: LoadedContent,
  { session: { client }, planned }: Run,
  results: readonly OperationResult[],
  { settings, now, concurrency }: SyncContentOptions,
): Promise<OperationResult[]> {
  const today = now().toISOString().slice(0, 10)
  return readDifferences(results, { client, content, planned, settings, today, concurrency })
}
