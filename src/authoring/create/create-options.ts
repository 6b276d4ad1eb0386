import type { Settings } from '../../core/config/settings.ts'

/** A category that can be chosen for an article. */
export interface CategoryChoice {
  /** The reference for the frontmatter. */
  readonly reference: string
  /** Names from the root down, joined by `/`. */
  readonly path: string
  readonly articles: number
}

export interface CreateOptions {
  readonly settings: Settings
  /** Folder for relative paths. A path that does not exist there is relative to the content folder. */
  readonly cwd: string
  readonly title: string
  /** Slugs, names or paths of names. Default: those of the original or of the configuration, or the only one. */
  readonly categories?: readonly string[] | undefined
  /** Slugs or names. Default: those of the original. */
  readonly tags?: readonly string[] | undefined
  /** Default: the default language. */
  readonly language?: string | undefined
  /** Slug or path of the original of the new article. */
  readonly translationOf?: string | undefined
  /** Default: derived from the title. */
  readonly slug?: string | undefined
  /** Default: the folder of the category's articles, or of the translations. */
  readonly folder?: string | undefined
  /** Decides everything but writes nothing. */
  readonly dryRun?: boolean | undefined
  /** Called if several categories are possible and none is given. Without it, that is an error. */
  readonly chooseCategory?: ((choices: readonly CategoryChoice[]) => Promise<string>) | undefined
  readonly signal?: AbortSignal | undefined
  /** Clock for a review date, if the rules require one. Default: the system clock. */
  readonly now?: (() => Date) | undefined
}

export interface CreatedArticle {
  /** Relative to the project, with `/`. */
  readonly file: string
  /** Line of the file at which the text of the article starts. */
  readonly line: number
  readonly title: string
  readonly slug: string
  readonly language: string
  /** Its categories, even if the file does not set them. */
  readonly categories: readonly string[]
  readonly tags: readonly string[]
  /** File of another article with this title, relative to the project, with `/`. */
  readonly sameTitle?: string
  /** File of the original, relative to the project, with `/`. */
  readonly original?: string
  readonly status: 'draft' | 'published'
  /** Fields that a rule of the configuration requires and only the author can write. */
  readonly missing: readonly 'excerpt'[]
  /** The whole file. */
  readonly text: string
  readonly dryRun: boolean
}
