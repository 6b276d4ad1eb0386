import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import { type Effect, effectOf } from '../../core/model/plan.ts'
import type { TargetState } from '../../core/model/target-state.ts'
import { relativePath } from '../../core/paths.ts'
import type { Journal } from '../state/journal.ts'
import { originalIdsIn } from '../plan/decide-change.ts'
import { workspaceOf, writeBackup } from '../state/workspace.ts'
import type { ApplyContext, Ledger } from './apply-context.ts'
import { ArticleQueue } from './article-queue.ts'
import type { PlannedRun } from '../planning/planned-run.ts'
import { settleMsOf } from '../planning/make-plan.ts'
import type { SyncContentOptions } from '../sync-options.ts'
import type { TargetSession } from '../target-session.ts'

interface Run {
  readonly session: TargetSession
  readonly state: TargetState
  readonly planned: PlannedRun
}

export function createLedger({ planned, state, session }: Run): Ledger {
  return {
    duplicateSlugs: state.duplicateSlugs ?? session.duplicateSlugs,
    keepsComments: planned.keepsComments,
    deletesAsStated: state.deletesAsStated,
    knownIds: new Set(planned.remote.listedIds),
    sent: new Map(),
    deletedIds: new Set(),
    removed: new Map(planned.removed),
    backups: new Map(),
    keptEditions: new Set(),
    restored: [],
    awaitedRestores: [],
    moved: new Map(),
    lacksNew: false,
    isFull: false,
    failure: undefined,
  }
}

export function createApplyContext(
  content: Pick<LoadedContent, 'readHtml'>,
  { session, planned }: Run,
  hooks: Pick<ApplyContext, 'ledger' | 'onResult' | 'onStep'> & { readonly journal: Journal },
  options: SyncContentOptions,
): ApplyContext {
  const { settings, now } = options
  const { backupFolder } = workspaceOf(settings.root)
  return {
    ...hooks,
    client: session.client,
    queue: planned.offers.batch ? new ArticleQueue(session.client, options.concurrency) : undefined,
    project: settings.project,
    defaultLanguage: settings.defaultLanguage,
    today: now().toISOString().slice(0, 10),
    reviewSpreadDays: Math.min(
      settings.defaults.reviewSpreadDays,
      Math.floor(countOf(planned, CREATED) / REVIEWS_A_DAY),
    ),
    concurrency: options.concurrency,
    settleMs: settleMsOf(options),
    nowMs: () => now().getTime(),
    isSingle: countOf(planned, WRITTEN) === 1,
    hasRoomBeside: hasRoomBeside(planned),
    readHtml: content.readHtml,
    backUp: async (id, article) => {
      const file = await writeBackup(backupFolder, id, article, now())
      return relativePath(settings.root, file)
    },
    sleep: options.sleep,
    overwriteDrift: options.onConflict === 'overwrite',
    adopt: new Set(options.adopt),
    offers: planned.offers,
    storesAsSent: session.storesAsSent === true,
    wanted: planned.wanted,
    originalIds: originalIdsIn(planned.entries, planned.remote.goneIds),
    unlistedIds: planned.remote.unlistedIds,
    entries: new Map(planned.entries.map((entry) => [entry.id, entry])),
  }
}

/** So many reviews on one day are no burden: a run that creates fewer articles spreads nothing. */
const REVIEWS_A_DAY = 4

const CREATED: ReadonlySet<Effect> = new Set(['create'])
const WRITTEN: ReadonlySet<Effect> = new Set(['create', 'update', 'replace', 'delete'])

function countOf({ plan }: PlannedRun, effects: ReadonlySet<Effect>): number {
  return plan.operations.filter((each) => effects.has(effectOf(each))).length
}

/** New versions exist beside the old ones for a moment, so they count. */
function hasRoomBeside({ plan, remote: { articleLimit, presentCount } }: PlannedRun): boolean {
  if (articleLimit === undefined) return true
  const more = plan.operations.filter((each) => ['create', 'replace'].includes(effectOf(each))).length
  return presentCount + more <= articleLimit
}
