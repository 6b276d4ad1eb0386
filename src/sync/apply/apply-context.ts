import type { ApiClient } from '../../api/client/create-client.ts'
import type { KbError } from '../../core/errors/kb-error.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import type { OperationResult } from '../../core/model/plan.ts'
import type { ArticleRecord, AwaitedArticle, RemovedArticle } from '../../core/model/target-state.ts'
import type { TargetCapabilities } from '../plan/target-capabilities.ts'
import type { ResolvedArticle } from '../plan/payload.ts'
import type { RemoteEntry } from '../plan/remote-entry.ts'
import type { Journal } from '../state/journal.ts'

/** What the execution of a plan works with; everything that touches the world comes in here. */
export interface ApplyContext {
  readonly client: ApiClient
  readonly project: string
  readonly defaultLanguage: string
  /** Calendar date in UTC. */
  readonly today: string
  readonly concurrency: number
  /** How long the target's lists may lag behind its writes. */
  readonly settleMs: number
  /** Milliseconds since 1970, by our own clock. */
  readonly nowMs: () => number
  readonly journal: Journal
  /** Whether only one article is written in this run. */
  readonly isSingle: boolean
  /** Whether the article limit leaves room for a new version beside the old one. */
  readonly hasRoomBeside: boolean
  readonly readHtml: (article: LocalArticle) => string
  /** Keeps an article as it is; returns the path of the file in the project. */
  readonly backUp: (id: string, article: unknown) => Promise<string>
  readonly sleep: (ms: number) => Promise<void>
  /** Whether edits made on the target may be overwritten. */
  readonly overwriteDrift: boolean
  readonly adopt: ReadonlySet<string>
  /** Whether the target is known to store what is sent letter for letter. */
  readonly storesAsSent: boolean
  /** The extensions of the target that may be used. */
  readonly offers: TargetCapabilities
  /** By source. */
  readonly wanted: ReadonlyMap<string, ResolvedArticle>
  /** By id. */
  readonly entries: ReadonlyMap<string, RemoteEntry>
  /** Ids that articles of the target name as their originals. */
  readonly originalIds: ReadonlySet<string>
  /** Ids of articles that state knows and no list shows. */
  readonly unlistedIds: ReadonlySet<string>
  readonly ledger: Ledger
  readonly onResult: (result: OperationResult) => void
  /** Called after each operation that was sent, before it is known whether all is well. */
  readonly onStep: () => void
}

/** An article that was sent. The answer to a create does not name its id. */
export interface SentArticle {
  readonly wanted: ResolvedArticle
  readonly fieldsHash: string
  /** In milliseconds since 1970, by our own clock. */
  readonly sentMs: number
  /** When it was changed in place, in the target's time; only where that is needed to tell later edits from this one. */
  readonly editedMs?: number | undefined
}

/** An article that was sent, with what is known of it. */
interface NamedSent extends SentArticle {
  /** Undefined where the lists do not show it yet. */
  readonly id: string | undefined
  /** Its title alone told the id. */
  readonly isUnproven: boolean
  /** The target said that it created it. */
  readonly isAccepted: boolean
}

/** What the run has learned while it wrote; the next state is made from it. */
export interface Ledger {
  duplicateSlugs: 'allowed' | 'refused' | undefined
  /** Whether the target keeps comments, and our markers with them; undefined until that was seen. */
  keepsComments: boolean | undefined
  /** Whether what the target said that it deleted was gone; undefined until that was checked. */
  deletesAsStated: boolean | undefined
  /** Ids of articles that existed before or have been named since. */
  readonly knownIds: Set<string>
  /** By source: sent in this run. */
  readonly sent: Map<string, NamedSent>
  readonly deletedIds: Set<string>
  /** By document key: articles that had to make room for their new version, which has not come yet. */
  readonly removed: Map<string, RemovedArticle>
  /** By id: where articles were kept before they were overwritten or deleted. */
  readonly backups: Map<string, string>
  /** Id and time of the last edit of what was kept. */
  readonly keptEditions: Set<string>
  /** Old versions that were restored. */
  readonly restored: ArticleRecord[]
  /** Those of them whose new ids are not known yet. */
  readonly awaitedRestores: AwaitedArticle[]
  /** By id: articles that stepped aside from their slug, as they then were. */
  readonly moved: Map<string, RemoteEntry>
  /** Whether an article that the target does not have yet could not be sent. */
  lacksNew: boolean
  /** Whether the target has refused a new version for its article limit: from then on, old versions go first. */
  isFull: boolean
  /** What ended the run early. */
  failure: KbError | undefined
}
