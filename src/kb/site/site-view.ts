import type { Diagnostic } from '../../core/model/diagnostic.ts'
import type { SiteArticle, SiteCategory, SiteTag } from './site-data.ts'

/** All articles at one moment, without their texts. */
export interface SiteView {
  readonly defaultLanguage: string
  /** The default language first. */
  readonly languages: readonly string[]
  /** By language, order and title. */
  readonly articles: readonly SiteArticle[]
  /** A parent before its children, siblings in the order of their display. */
  readonly categories: readonly SiteCategory[]
  readonly tags: readonly SiteTag[]
  /**
   * All that is wrong with the files, sorted by file and place. An article that cannot be read as it stands is missing,
   * or here in its last good version; a link that leads nowhere stands in its text as it is written.
   */
  readonly diagnostics: readonly Diagnostic[]
}
