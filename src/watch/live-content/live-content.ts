import type { LocalArticle } from '../../core/model/document.ts'
import type { Diagnostic } from '../../core/model/diagnostic.ts'
import type { LoadedContent } from '../../content/pipeline/load-content.ts'

/** An article whose own text was edited in a way that concerns no other article. */
export interface EditedArticle {
  readonly article: LocalArticle
  /** All problems of this file now, those of its links included; rules over all articles aside. */
  readonly diagnostics: readonly Diagnostic[]
}

/** What a look at the files has found. */
export interface RefreshedContent {
  readonly content: LoadedContent
  /** Sources of articles, snippets, images and taxonomy files that are new, other or gone since the last look. */
  readonly touched: readonly string[]
}

/**
 * The content of a project that is being written. A file that has an error keeps its place with its last good version:
 * `content.articles` has that one, so that links to it lead where they led.
 */
export interface LiveContent {
  /** The content as of the last look; edits taken since are in it. Undefined before the first. */
  readonly current: () => LoadedContent | undefined
  /**
   * Looks at all files and loads what is not as it was: the same result as loading everything anew, last good versions
   * aside.
   *
   * @throws KbError CONTENT_UNREADABLE, WORKSPACE_UNWRITABLE, INTERRUPTED, CONFIG_INVALID
   */
  readonly refresh: (options?: {
    readonly onProgress?: ((done: number, total: number) => void) | undefined
    readonly signal?: AbortSignal | undefined
  }) => Promise<RefreshedContent>
  /**
   * Takes in the new text of one article. Undefined where that may concern others (its address, its headings, what it
   * includes, an error, a file that is new or gone …): then only a refresh tells.
   */
  readonly edit: (source: string) => Promise<EditedArticle | undefined>
  /** Keeps all that was rendered, for a run that goes on with an older `current`, until the returned function is called. */
  readonly pin: () => () => void
  /** Sources that show their last good version, or nothing, because of an error in that very file. */
  readonly faulty: () => ReadonlySet<string>
  /**
   * Sources of articles that have no error of their own, and link to or translate a faulty file that has no last good
   * version: nobody can say where these links lead.
   */
  readonly waiting: () => ReadonlySet<string>
  readonly close: () => void
}
