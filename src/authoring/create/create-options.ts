import type { Settings } from '../../core/config/settings.ts'

/** A category that an article may be put into. */
export interface CategoryChoice {
  /** As it is to be written in the frontmatter. */
  readonly reference: string
  /** Names from the root down, joined by `/`. */
  readonly path: string
  /** Articles that are in it. */
  readonly articles: number
}

export interface CreateOptions {
  readonly settings: Settings
  /** Folder that paths are relative to; where there is nothing, the content folder. */
  readonly cwd: string
  readonly title: string
  /** Slugs, names or paths of names. Default: those of the original or of the configuration, or the only one there is. */
  readonly categories?: readonly string[] | undefined
  /** Slugs or names. Default: those of the original. */
  readonly tags?: readonly string[] | undefined
  /** Default: the default language. */
  readonly language?: string | undefined
  /** Slug or path of the article that the new one is to be a translation of. */
  readonly translationOf?: string | undefined
  /** Default: made from the title. */
  readonly slug?: string | undefined
  /** Default: where the articles of the category, or the translations, are. */
  readonly folder?: string | undefined
  /** Decides everything and writes nothing. */
  readonly dryRun?: boolean | undefined
  /** Asked where several categories are possible and none is given; without it, that is an error. */
  readonly chooseCategory?: ((choices: readonly CategoryChoice[]) => Promise<string>) | undefined
  readonly signal?: AbortSignal | undefined
  /** For a review date, where the rules demand one; default: the clock of this machine. */
  readonly now?: (() => Date) | undefined
}

export interface CreatedArticle {
  /** Relative to the project, with `/`. */
  readonly file: string
  /** Line of the file on which the text of the article is to begin. */
  readonly line: number
  readonly title: string
  readonly slug: string
  readonly language: string
  /** What they are in, also where the file does not say so itself. */
  readonly categories: readonly string[]
  readonly tags: readonly string[]
  /** File of another article with this title, relative to the project, with `/`. */
  readonly sameTitle?: string
  /** File of the original, relative to the project, with `/`. */
  readonly original?: string
  readonly status: 'draft' | 'published'
  /** Fields that a rule of the configuration demands, and that only the author can fill in. */
  readonly missing: readonly 'excerpt'[]
  /** The whole file. */
  readonly text: string
  readonly dryRun: boolean
}
