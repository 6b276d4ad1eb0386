import { allowedDeletes } from '../config/max-deletes.ts'
import type { Operation, OperationResult } from '../model/plan.ts'
import type { TargetState } from '../model/target-state.ts'
import { grouped } from '../util/grouped.ts'
import type { PlannedRun } from './planning/planned-run.ts'
import type { SyncOptions } from './sync-options.ts'

/** Why deletes or creates are held back in this run; undefined where they are not. */
export interface Guards {
  readonly delete: string | undefined
  readonly create: string | undefined
}

export function guardRun(planned: PlannedRun, state: TargetState, options: SyncOptions): Guards {
  return { delete: guardDeletes(planned, state, options), create: guardCreates(planned) }
}

function guardDeletes(
  { plan, matches, wanted }: PlannedRun,
  state: TargetState,
  options: SyncOptions,
): string | undefined {
  const deletes = plan.operations.filter(({ action }) => action === 'delete')
  if (deletes.length === 0) return undefined
  if (wanted.size === 0) {
    return 'The content folder has no articles: this looks like a wrong folder, so nothing was deleted, with or without --yes.'
  }
  if (options.yes) return undefined
  const ours = matches.entryOf.size + matches.orphans.length
  const allowed = allowedDeletes(options.maxDeletes, ours)
  // A surplus copy has a source; where it goes, its document's article stays.
  const orphans = deletes.filter(({ source }) => source === '').length
  if (orphans > allowed) {
    return `${orphans} of ${ours} articles would be deleted, more than sync.maxDeletes allows (${allowed}); nothing was deleted. Run again with --yes if that is meant.`
  }
  if (options.settings.project === 'default' && !state.isKnown) {
    return 'Without a project name, articles of another repository could be taken for ours; nothing was deleted. Set "project" in kb.config.ts, or run again with --yes.'
  }
  return undefined
}

/** The lists show how many articles there are at least, and the category list how many there may be (api-v2.md 8). */
function guardCreates({ plan, remote: { articleLimit, presentCount } }: PlannedRun): string | undefined {
  const creates = plan.operations.filter(({ kind, action }) => kind === 'article' && action === 'create')
  if (articleLimit === undefined || creates.length === 0) return undefined
  const room = Math.max(0, articleLimit - presentCount)
  if (creates.length <= room) return undefined
  return `The target takes ${grouped(articleLimit)} articles and has ${grouped(presentCount)}; ${grouped(creates.length)} more would be created, so none was. Delete articles there, or ask for a higher limit.`
}

/** How an operation ends that is not sent at all; undefined where it is. */
export function outcomeWithoutSending(
  { kind, action }: Operation,
  guards: Guards,
  { mode }: SyncOptions,
): Pick<OperationResult, 'outcome' | 'reason'> | Pick<OperationResult, 'outcome'> | undefined {
  if (action === 'skip') return { outcome: 'skipped' }
  if (action === 'conflict') return { outcome: mode === 'plan' ? 'planned' : 'skipped' }
  const isHeldBack =
    (action === 'delete' && guards.delete !== undefined) ||
    (action === 'create' && kind === 'article' && guards.create !== undefined)
  return isHeldBack ? { outcome: 'skipped', reason: 'held back by a guard' } : undefined
}

/** What is shown of the guards. */
export function explainGuards(guards: Guards): string | undefined {
  const reasons = [guards.create, guards.delete].filter((reason) => reason !== undefined)
  return reasons.length === 0 ? undefined : reasons.join('\n')
}
