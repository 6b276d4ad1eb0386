import { nameShard, type Shard } from '../../core/config/shard.ts'
import { isSameLimit, type MaxDeletes } from '../../core/config/max-deletes.ts'
import type { Settings } from '../../core/config/settings.ts'
import { KbError } from '../../core/errors/kb-error.ts'
import { formatNumber } from '../../core/format-number.ts'
import { escapeControl } from '../../core/escape-control.ts'
import { contentPrefix } from '../../core/paths.ts'
import { comparePlans } from '../plan/saved/compare-plans.ts'
import type { RemoteEntry } from '../plan/remote-entry.ts'
import { groupOperations } from '../plan/saved/group-operations.ts'
import { saveOperations } from '../plan/saved/save-operations.ts'
import { SAVED_PLAN_FORMAT, SAVED_PLAN_VERSION, type SavedPlan } from '../plan/saved/saved-plan.ts'
import type { PlannedRun } from '../plan-run/planned-run.ts'
import type { PlanToHold, SyncContentOptions } from '../sync-options.ts'
import { taxonomyMode } from '../../core/config/resolve-target.ts'
import { identifyTarget } from './saved-plan-options.ts'
import { groundsOf, takeShard } from './take-shard.ts'

/** Maximum number of differences named in a message. */
const NAMED = 5

/** Returns the plan of this run as a value to store. @param guard the reason why its deletions would be held back */
export function toSavedPlan(
  planned: PlannedRun,
  guard: string | undefined,
  options: SyncContentOptions,
): SavedPlan {
  const { settings, target, now } = options
  const { project, operations, unchanged, orphans } = planned.plan
  return {
    format: SAVED_PLAN_FORMAT,
    version: SAVED_PLAN_VERSION,
    madeAt: now().toISOString(),
    project,
    target: identifyTarget(target, settings),
    options: savedOptions(options),
    operations: saveOperations(
      operations,
      groundsOf(planned),
      groupOperations(operations, groundsOf(planned)),
    ),
    unchanged,
    orphans: orphans.length,
    guard: guard ?? null,
  }
}

/**
 * Throws if the current plan differs from the saved one or, for a shard, from the remaining part of it.
 *
 * @throws KbError PLAN_OUTDATED, SHARD_UNSUPPORTED
 */
export function assertPlanHolds(toHold: PlanToHold, planned: PlannedRun, settings: Settings): void {
  const { file, plan, shard } = toHold
  if (shard !== undefined && !showsMarkers(planned)) throw unsupported()
  const changes = shard === undefined ? compareAll(plan, planned) : takeShard(plan, shard, planned).changes
  if (changes.length === 0) return
  const more = changes.length - NAMED
  const lines = [...changes.slice(0, NAMED), ...(more > 0 ? [`and ${formatNumber(more)} more`] : [])]
  throw new KbError(
    'PLAN_OUTDATED',
    `The plan in ${file} is out of date, so ${shard === undefined ? 'nothing was sent' : `shard ${nameShard(shard)} sent nothing`}:\n${lines.map((line) => `  ${escapeControl(line)}`).join('\n')}`,
    { hint: `Run ${spellPlanCommand(file, plan, settings)} again, and review the plan.` },
  )
}

function compareAll(plan: SavedPlan, planned: PlannedRun): readonly string[] {
  const fresh = saveOperations(planned.plan.operations, groundsOf(planned))
  const names = new Map(planned.entries.map(({ id, title }) => [id, `"${title}"`]))
  return comparePlans(plan.operations, fresh, planned.plan.diagnostics, names)
}

/** False if the target removes comments, as the run knows or a managed article shows. */
function showsMarkers({ keepsComments, entries }: PlannedRun): boolean {
  const isUnmarked = ({ ours, remote }: RemoteEntry) => ours !== undefined && remote?.marker === undefined
  return keepsComments ?? !entries.some((entry) => entry.remote !== undefined && isUnmarked(entry))
}

/** Without markers, only the state of one job could tell what it sent from an edit. */
function unsupported(): KbError {
  return new KbError(
    'SHARD_UNSUPPORTED',
    'This target removes comments, and with them the markers by which each job recognises what the others have sent. Nothing was sent.',
    { hint: 'Leave out --shard, and let one job execute the whole plan.' },
  )
}

/** The part of the current plan that belongs to a shard. The next run reads what other shards may change. */
export function narrowToShard(plan: SavedPlan, shard: Shard, planned: PlannedRun): PlannedRun {
  const { own, others } = takeShard(plan, shard, planned)
  const ids = new Set(others.flatMap(({ id, source = '' }) => [id, planned.matches.entryOf.get(source)?.id]))
  return {
    ...planned,
    plan: {
      ...planned.plan,
      operations: own,
      orphans: planned.plan.orphans.filter(({ id }) => !ids.has(id)),
    },
    entries: planned.entries.map((entry) => (ids.has(entry.id) ? { ...entry, isShared: true } : entry)),
  }
}

function savedOptions(options: SyncContentOptions): SavedPlan['options'] {
  const { prune, onConflict, adopt, maxDeletes, yes, sources, verify, settings, target } = options
  return {
    prune,
    onConflict,
    adopt: adopt.toSorted(),
    maxDeletes,
    yes,
    sources: sources?.toSorted() ?? null,
    verify,
    taxonomy: taxonomyMode(settings, target),
  }
}

/** Returns the command that makes a saved plan again, with every flag that differs from the configuration. */
function spellPlanCommand(file: string, { options, target }: SavedPlan, settings: Settings): string {
  const { prune, onConflict, adopt, maxDeletes, yes, sources, verify } = options
  const { sync, targets } = settings
  const isNamed = target.name === 'builtin' || Object.hasOwn(targets, target.name)
  const words = [
    ...(sources ?? []).map((source) => `${contentPrefix(settings)}${source}`),
    ...(isNamed && target.name !== settings.target.name ? ['--target', target.name] : []),
    ...(prune && !sync.prune ? ['--prune'] : []),
    ...(onConflict === sync.onConflict ? [] : ['--on-conflict', onConflict]),
    ...adopt.flatMap((slug) => ['--adopt', slug]),
    ...(isSameLimit(maxDeletes, sync.maxDeletes) ? [] : ['--max-deletes', spellDeletes(maxDeletes)]),
    ...(verify ? ['--verify'] : []),
    ...(yes ? ['--yes'] : []),
    '--out',
    file,
  ]
  return ['kb plan', ...words.map(quoted)].join(' ')
}

function spellDeletes(maxDeletes: MaxDeletes): string {
  return maxDeletes.kind === 'count'
    ? String(maxDeletes.count)
    : `${Number((maxDeletes.share * 100).toFixed(9))}%`
}

function quoted(word: string): string {
  return /^[\w./:%@+=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
