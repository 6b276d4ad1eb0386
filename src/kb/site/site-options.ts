import type { ArticleLink } from '../../core/config/schema.ts'
import type { SiteBody } from './site-data.ts'
import type { SiteView } from './site-view.ts'

/** Where pages of the site lie, as `links` of the configuration says it of the target's. */
export interface SiteLinks {
  /** A pattern with `{id}` (the slug, and `language/slug` in other languages), or `{slug}` and `{language}`; or a function. */
  readonly article?: string | ((link: ArticleLink) => string) | undefined
  readonly category?: string | ((link: ArticleLink) => string) | undefined
  readonly tag?: string | ((link: ArticleLink) => string) | undefined
}

/** One look at the files. */
export interface SiteReading {
  readonly view: SiteView
  /** Files that are new, other or gone since the last look, by their path under the content folder. */
  readonly touched: readonly string[]
}

/** The content of one project for a site, as long as it is open. */
export interface Site {
  /** Absolute path of the project. */
  readonly root: string
  /** Absolute path of the content folder. */
  readonly contentFolder: string
  /** Absolute paths of the files that the configuration consists of: after an edit of one, open the site anew. */
  readonly configFiles: readonly string[]
  /**
   * Looks at the files; only what changed since the last look is read. Called at the same time, looks happen in turn.
   *
   * @throws KbError CONTENT_UNREADABLE, WORKSPACE_UNWRITABLE, INTERRUPTED, CONFIG_INVALID
   */
  readonly read: (options?: {
    /** Asks the rules that need clock and git, too, as `kb check` does. Default false. */
    readonly asksHistory?: boolean | undefined
    readonly signal?: AbortSignal | undefined
  }) => Promise<SiteReading>
  /**
   * The text of an article of the last look; undefined where there is none with this id.
   */
  readonly readBody: (id: string) => SiteBody | undefined
  /** Digest that changes exactly when that text does, known without reading it. */
  readonly bodyDigest: (id: string) => string | undefined
  /** Once what is under way has ended; nothing may be asked after it. */
  readonly close: () => void
}
