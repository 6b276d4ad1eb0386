import pLimit, { type LimitFunction } from 'p-limit'
import type { ApiClient } from '../../api/client/create-client.ts'
import type { KbError } from '../../core/errors/kb-error.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import { type Effect, effectOf, type Operation, type OperationResult } from '../../core/model/plan.ts'
import { relativePath } from '../../core/paths.ts'
import { originalIdsIn } from '../plan/decide-change.ts'
import { settleMsOf } from '../plan-run/make-plan.ts'
import type { PlannedRun, Run } from '../plan-run/planned-run.ts'
import { workspaceOf, writeBackup } from '../state/workspace.ts'
import type { SyncContentOptions } from '../sync-options.ts'
import type { ArticleRecord, AwaitedArticle, RemovedArticle } from '../../core/model/target-state.ts'
import type { TargetCapabilities } from '../plan/target-capabilities.ts'
import type { ResolvedArticle } from '../plan/resolved-article.ts'
import type { RemoteEntry } from '../plan/remote-entry.ts'
import type { Journal } from '../state/journal.ts'
import { ArticleQueue } from './article-queue.ts'
import type { FileUploads } from './file-uploads.ts'

/** What the execution of a plan depends on. It contains all of its effects. */
export interface ApplyContext {
  readonly client: ApiClient
  /** Undefined if the target takes one article per request. */
  readonly queue: ArticleQueue | undefined
  readonly project: string
  readonly defaultLanguage: string
  /** Calendar date in UTC. */
  readonly today: string
  /** Number of days over which the default review dates of new articles are spread. */
  readonly reviewSpreadDays: number
  readonly concurrency: number
  /** How long the target's lists may lag behind its writes, in milliseconds. */
  readonly settleMs: number
  /** Unix time of the local clock, in milliseconds. */
  readonly nowMs: () => number
  readonly journal: Journal
  readonly uploads: FileUploads
  /** True if this run writes only one article. */
  readonly isSingle: boolean
  /** True if an article may only be changed in the version that the plan was compared with. */
  readonly isBound: boolean
  /** True if the article limit has room for a new version while the old one still exists. */
  readonly hasRoomBeside: boolean
  readonly readHtml: (article: LocalArticle) => string
  /** Stores a backup of the article; returns the path of the file in the project. */
  readonly backUp: (id: string, article: unknown) => Promise<string>
  readonly sleep: (ms: number) => Promise<void>
  /** True if edits made on the target may be overwritten. */
  readonly overwriteDrift: boolean
  readonly adopt: ReadonlySet<string>
  /** True if the target is known to store exactly what is sent. */
  readonly storesAsSent: boolean
  /** The extensions of the target that may be used. */
  readonly offers: TargetCapabilities
  /** By source. */
  readonly wanted: ReadonlyMap<string, ResolvedArticle>
  /** By id. */
  readonly entries: ReadonlyMap<string, RemoteEntry>
  /** Ids that articles on the target name as their originals. */
  readonly originalIds: ReadonlySet<string>
  /** Ids of articles that are in the state and in no list. */
  readonly unlistedIds: ReadonlySet<string>
  readonly ledger: Ledger
  readonly onResult: (result: OperationResult) => void
  /** Called after each operation that was sent, before its result is verified. */
  readonly onStep: () => void
}

export interface SentArticle {
  readonly wanted: ResolvedArticle
  readonly fieldsHash: string
  /** Digest of its HTML; undefined until it is sent. */
  readonly htmlHash?: string | undefined
  /** Unix time of the local clock, in milliseconds. */
  readonly sentMs: number
  /** The id in the response to a create, by the extension `ids`; not verified yet. */
  readonly statedId?: string | undefined
  /** Time of the update in place by the target's clock; set only if it is needed to recognise later edits. */
  readonly editedMs?: number | undefined
}

/** A sent article, with what is known about it. */
interface NamedSent extends SentArticle {
  /** Undefined while the lists do not show it. */
  readonly id: string | undefined
  /** True if only the title identified it. */
  readonly isUnproven: boolean
  /** True if the target reported that it was created. */
  readonly isAccepted: boolean
}

/** What the run learns from its writes. The next state is derived from it. */
export interface Ledger {
  duplicateSlugs: 'allowed' | 'refused' | undefined
  /** True if an article had the slug of a deleted one, false if the target refused that; undefined until it was tried. */
  freesSlugs: boolean | undefined
  /** Deletes one article at a time for its new version, until one of them has shown whether slugs become free. */
  readonly oneByOne: LimitFunction
  /** True if the target keeps comments, and with them our markers; undefined until an article has shown it. */
  keepsComments: boolean | undefined
  /** True if an article that the target reported as deleted was gone; undefined until that was checked. */
  deletesAsStated: boolean | undefined
  /** Ids that existed before the run or were found since. */
  readonly knownIds: Set<string>
  /** Articles sent in this run, by source. */
  readonly sent: Map<string, NamedSent>
  readonly deletedIds: Set<string>
  /** Articles that were deleted for a new version that does not exist yet, by document key. */
  readonly removed: Map<string, RemovedArticle>
  /** Paths of backups of overwritten or deleted articles, by id. */
  readonly backups: Map<string, string>
  /** Id and last edit of each version that has a backup. */
  readonly keptEditions: Set<string>
  readonly restored: ArticleRecord[]
  /** Restored articles whose new ids are not known yet. */
  readonly awaitedRestores: AwaitedArticle[]
  /** Articles at a temporary slug, as they were after the move, by id. */
  readonly moved: Map<string, RemoteEntry>
  /** Articles that another run had already sent, as they were read, by id. */
  readonly sentByOthers: Map<string, RemoteEntry>
  /** True if an article that is not on the target yet could not be sent. */
  lacksNew: boolean
  /** True if the target rejected a new version for its article limit. From then on, old versions are deleted first. */
  isFull: boolean
  /** The reason why the run ended early. */
  failure: KbError | undefined
}

/** Returns the ledger of a run that has sent nothing yet. */
export function createLedger({ planned, state, session }: Run): Ledger {
  return {
    duplicateSlugs: state.duplicateSlugs ?? session.duplicateSlugs,
    freesSlugs: state.freesSlugs,
    oneByOne: pLimit(1),
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
    sentByOthers: new Map(),
    lacksNew: false,
    isFull: false,
    failure: undefined,
  }
}

export function createApplyContext(
  { session, planned }: Run,
  given: Pick<ApplyContext, 'readHtml' | 'ledger' | 'journal' | 'uploads' | 'onResult' | 'onStep'>,
  options: SyncContentOptions,
): ApplyContext {
  const { settings, now } = options
  const { backupFolder } = workspaceOf(settings.root)
  // The rest of a saved plan may be executed by other jobs.
  const all = options.savedPlan?.plan.operations ?? planned.plan.operations
  return {
    ...given,
    client: session.client,
    queue: planned.offers.batch ? new ArticleQueue(session.client, options.concurrency) : undefined,
    project: settings.project,
    defaultLanguage: settings.defaultLanguage,
    today: now().toISOString().slice(0, 10),
    reviewSpreadDays: countOf(all, CREATED) > FEW_REVIEWS ? settings.defaults.reviewSpreadDays : 0,
    concurrency: options.concurrency,
    settleMs: settleMsOf(options),
    nowMs: () => now().getTime(),
    isSingle: countOf(planned.plan.operations, WRITTEN) === 1,
    hasRoomBeside: hasRoomBeside(all, planned),
    isBound: options.savedPlan !== undefined,
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

/** Review dates are spread only if a run creates more articles than this: so few reviews on one day are no burden. */
const FEW_REVIEWS = 10

const CREATED: ReadonlySet<Effect> = new Set(['create'])
const NEWLY_SENT: ReadonlySet<Effect> = new Set(['create', 'replace'])
const WRITTEN: ReadonlySet<Effect> = new Set(['create', 'update', 'replace', 'delete'])

function countOf(operations: readonly Operation[], effects: ReadonlySet<Effect>): number {
  return operations.filter((each) => effects.has(effectOf(each))).length
}

/** True if there is room for new versions beside the old ones, which exist at the same time for a moment. */
function hasRoomBeside(
  operations: readonly Operation[],
  { remote: { articleLimit, presentCount } }: PlannedRun,
): boolean {
  return articleLimit === undefined || presentCount + countOf(operations, NEWLY_SENT) <= articleLimit
}
