import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import type { BrokenLink } from './list-broken-links.ts'
import type { SyncResult } from '../../sync/sync-options.ts'

/**
 * A target that stays open while somebody writes. What was learned of it is kept in memory, so that one edited article
 * costs a look at that article and one write; state and journal on disk always suffice for the next run, whenever this
 * one is cut off. The lock is held only while something is sent: other commands may run in between, and what they
 * changed is noticed.
 */
export interface LiveTarget {
  /**
   * Whether the target changes articles in place; undefined where it gives no answer now. Asks a remote target, once for
   * each call.
   *
   * @throws KbError INTERRUPTED, and what connecting throws
   */
  readonly updatesInPlace: (options?: Pick<LiveRunOptions, 'signal'>) => Promise<boolean | undefined>
  /**
   * Makes the target equal to the content as `kb sync` would, those articles aside that are held back: these stay there
   * as they are. Articles that name a category or tag which the target lacks are skipped, with a diagnostic.
   *
   * @throws KbError where the run could not begin (LOCKED, TARGET_UNREACHABLE …); what fails later is in the result
   */
  readonly syncAll: (content: LoadedContent, options: LiveRunOptions) => Promise<SyncResult>
  /**
   * Sends articles of which nothing but their own text, title, excerpt, dates, tags or status changed since the last
   * clean `syncAll`. Undefined where that is not enough to go by (no such run, the state changed on disk, an article
   * that has no id yet, another slug, a target that cannot change articles in place …): then `syncAll` is due.
   *
   * @throws KbError as `syncAll`
   */
  readonly syncEdited: (
    content: LoadedContent,
    articles: readonly LocalArticle[],
    options: Pick<LiveRunOptions, 'signal'>,
  ) => Promise<SyncResult | undefined>
  /**
   * The links that the target calls broken; none before the first run, or while the target cannot be reached.
   *
   * @throws KbError TARGET_UNREACHABLE and what else a list request throws
   */
  readonly listBrokenLinks: () => Promise<readonly BrokenLink[]>
  /**
   * Writes down what is only in memory and ends the journal; cheap when there is nothing. Leaves it to the journal where
   * another process is at work.
   *
   * @throws KbError WORKSPACE_UNWRITABLE
   */
  readonly flush: () => Promise<void>
  /** Flushes and closes the connection. */
  readonly close: () => Promise<void>
}

export interface LiveRunOptions {
  /** Sources of articles that are not to be sent, because of an error. */
  readonly held: ReadonlySet<string>
  /** Never while anything is held back. */
  readonly prune: boolean
  readonly onProgress?: ((done: number, total: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}
