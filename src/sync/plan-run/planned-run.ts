import type { Diagnostic } from '../../core/model/diagnostic.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import type { Plan } from '../../core/model/plan.ts'
import type { LocalTaxonomy } from '../../core/model/taxonomy.ts'
import type { RemovedArticle, TargetState } from '../../core/model/target-state.ts'
import type { Recovery } from '../plan/explain-recovery.ts'
import type { TargetCapabilities } from '../plan/target-capabilities.ts'
import type { ResolvedArticle } from '../plan/resolved-article.ts'
import type { TaxonomyPlan } from '../plan/taxonomy/plan-taxonomy.ts'
import type { Patience, RemoteLists } from '../remote/list-articles.ts'
import type { Announcement, Extensions } from '../remote/extensions.ts'
import type { RemoteIndex } from '../remote/read-remote.ts'
import type { MatchedArticles, MatchOptions } from '../remote/match-and-read.ts'
import type { SyncStage } from '../sync-options.ts'
import type { CreatedTaxonomy, TargetSession } from '../target-session.ts'

export interface PlanRunOptions extends MatchOptions {
  /** Path of the content folder in diagnostics. */
  readonly contentPrefix: string
  readonly taxonomyMode: 'check' | 'update'
  readonly overwriteDrift: boolean
  /** The target's announcement, if this run has already requested it. */
  readonly announced?: Announcement | undefined
  /** Unix time of the local clock, in milliseconds. */
  readonly nowMs: number
  readonly maxGone: (known: number) => number
  /** True if the article must be found on the target. If paths were given, this applies only to their articles. */
  readonly isSought: (source: string) => boolean
  /** Undefined if the run does not wait for outdated lists. */
  readonly patience: Patience | undefined
  readonly onStage?: ((stage: SyncStage) => void) | undefined
}

/** What a plan of everything has read from the target and a later plan of some articles can reuse. */
export interface ReusableReads {
  readonly lists: Omit<RemoteLists, 'dated'>
  /** Requested at most once per connection. */
  readonly extensions: Extensions
  readonly created: CreatedTaxonomy
}

export interface PlanInput {
  readonly session: TargetSession
  readonly state: TargetState
  readonly articles: readonly LocalArticle[]
  /** The HTML of one of `articles`, without marker. */
  readonly readHtml: (article: LocalArticle) => string
  readonly taxonomy: LocalTaxonomy
  /** Ids that were just created from the taxonomy files. */
  readonly created: Pick<CreatedTaxonomy, 'categoryIds' | 'tagIds'>
  /** What a plan of everything has read. If set, lists are not requested again; categories and tags stay unchanged. */
  readonly reads?: ReusableReads | undefined
  readonly options: PlanRunOptions
}

/** A plan, with the data that its execution needs. */
export interface PlannedRun extends Omit<MatchedArticles, 'wanted'> {
  readonly plan: Plan
  /** By source. */
  readonly wanted: ReadonlyMap<string, ResolvedArticle>
  readonly offers: TargetCapabilities
  readonly extensions: Extensions
  readonly taxonomy: TaxonomyPlan
  readonly categoryIds: Readonly<Record<string, string>>
  readonly tagIds: Readonly<Record<string, string>>
  readonly remote: RemoteIndex
  /** Articles that an interrupted run deleted and that are still to be restored, by document key. */
  readonly removed: ReadonlyMap<string, RemovedArticle>
  readonly recovery: Recovery | undefined
}

/** Everything known before the first write. */
export interface Run {
  /** With a plan of a few articles, the write reuses what the plan has read, see `planScope`. */
  readonly session: TargetSession
  /** The state before the run. */
  readonly state: TargetState
  readonly planned: PlannedRun
  /** If `planned` is a shard: the whole plan. */
  readonly whole?: PlannedRun | undefined
  readonly created: CreatedTaxonomy
  /** Problems that the target found in articles, which are therefore held back. */
  readonly problems: readonly Diagnostic[]
}
