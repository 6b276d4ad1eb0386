import type { LocalArticle } from '../../core/model/document.ts'
import type { Plan } from '../../core/model/plan.ts'
import type { LocalTaxonomy } from '../../core/model/taxonomy.ts'
import type { RemovedArticle, TargetState } from '../../core/model/target-state.ts'
import type { Recovery } from '../plan/explain-recovery.ts'
import type { Matches } from '../plan/match-articles.ts'
import type { TargetCapabilities } from '../plan/target-capabilities.ts'
import type { ResolvedArticle } from '../plan/payload.ts'
import type { TaxonomyPlan } from '../plan/taxonomy/plan-taxonomy.ts'
import type { RemoteEntry } from '../plan/remote-entry.ts'
import type { Patience, RemoteLists } from '../remote/list-articles.ts'
import type { Announcement, Extensions } from '../remote/extensions.ts'
import type { RemoteIndex } from '../remote/read-remote.ts'
import type { CreatedTaxonomy, TargetSession } from '../target-session.ts'

export interface PlanRunOptions {
  readonly project: string
  readonly defaultLanguage: string
  /** Path of the content folder as diagnostics name it. */
  readonly contentPrefix: string
  readonly taxonomyMode: 'check' | 'update'
  readonly prune: boolean
  readonly overwriteDrift: boolean
  readonly adopt: ReadonlySet<string>
  /** Reads every article of this project, to find edits also where nothing is to be sent. */
  readonly verify: boolean
  /** Milliseconds since 1970, by our own clock. */
  readonly nowMs: number
  readonly maxGone: (known: number) => number
  /** Whether this run is about an article. */
  readonly isSelected: (source: string) => boolean
  /** Whether an article has to be found on the target: where paths were given, only those are looked for. */
  readonly isSought: (source: string) => boolean
  /** Whether what is to be changed is read right before, so that the plan need not read it, too. */
  readonly readsBeforeWrite: boolean
  /** Undefined where the run does not wait for lists that lag. */
  readonly patience: Patience | undefined
}

/** What a plan of everything has seen of the target that holds for a plan of some articles after it. */
export interface SeenTarget {
  readonly lists: Omit<RemoteLists, 'dated'>
  /** Asked at most once as long as the connection stands. */
  readonly extensions: Extensions
  readonly created: CreatedTaxonomy
}

export interface PlanInput {
  readonly session: TargetSession
  readonly state: TargetState
  readonly articles: readonly LocalArticle[]
  readonly taxonomy: LocalTaxonomy
  /** Ids of what the target has just made of the taxonomy files. */
  readonly created: Pick<CreatedTaxonomy, 'categoryIds' | 'tagIds'>
  /**
   * What a plan of everything has seen; where given, the lists are not asked for again, and categories and tags are left
   * as they are.
   */
  readonly seen?: SeenTarget | undefined
  readonly options: PlanRunOptions
}

/** A plan together with what its execution needs to look up. */
export interface PlannedRun {
  readonly plan: Plan
  /** By source. */
  readonly wanted: ReadonlyMap<string, ResolvedArticle>
  readonly matches: Matches
  readonly entries: readonly RemoteEntry[]
  /** Whether the target keeps comments, and our markers with them; undefined until that was seen. */
  readonly keepsComments: boolean | undefined
  readonly offers: TargetCapabilities
  /** What the target announced; undefined where it was not asked. */
  readonly extensions: Announcement | undefined
  readonly taxonomy: TaxonomyPlan
  readonly categoryIds: Readonly<Record<string, string>>
  readonly tagIds: Readonly<Record<string, string>>
  readonly remote: RemoteIndex
  /** By document key: articles that a run which was cut off took away and that are still to come back. */
  readonly removed: ReadonlyMap<string, RemovedArticle>
  readonly recovery: Recovery | undefined
}
