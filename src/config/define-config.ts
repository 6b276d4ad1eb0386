import type { PluggableList } from 'unified'

/** What a link to another article is made from. */
export interface ArticleLink {
  readonly slug: string
  /** Language code of the article linked to. */
  readonly language: string
}

export interface RemoteTarget {
  /** Address of the service, with or without `/api/v2`. */
  readonly url: string
  /** Better given as KB_API_KEY: a key in a file is a key in git. */
  readonly apiKey?: string
  /** Host name to which the key may travel over plain http://, by name. */
  readonly allowHttp?: string
}

export type OnConflict = 'fail' | 'skip' | 'overwrite'
export type TaxonomyMode = 'check' | 'update'
export type ParserName = 'native' | 'remark'

/** The shape of kb.config.ts. Everything is optional; the guide's page "Configuration" lists the defaults. */
export interface KbConfig {
  /** Tells our articles from another repository's on the same knowledge base. Default: the name in package.json. */
  readonly project?: string
  /** The folder with the articles, relative to the project. Default `content`. */
  readonly content?: string
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  /** Where articles are pushed. Default `builtin`, the server that comes with kb-sync. */
  readonly target?: 'builtin' | RemoteTarget
  /** Named targets for `--target NAME`; `builtin` is always one. */
  readonly targets?: Readonly<Record<string, RemoteTarget>>
  readonly defaultLanguage?: string
  readonly defaults?: {
    readonly status?: 'draft' | 'published'
    readonly order?: number
    /** Days until the next review of an article that names no date, such as `180d`. */
    readonly reviewAfter?: string
    readonly categories?: readonly string[]
  }
  readonly links?: {
    /** A pattern with `{slug}` and `{language}`, or a function. */
    readonly article?: string | ((link: ArticleLink) => string)
  }
  readonly assets?: {
    /** Images up to this size are sent inside the article, such as `32kB`. */
    readonly inlineUnder?: string
  }
  readonly markdown?: {
    readonly remarkPlugins?: PluggableList
    /** Raw HTML to keep beyond the built-in allow-list. */
    readonly allow?: {
      readonly tags?: readonly string[]
      readonly attributes?: Readonly<Record<string, readonly string[]>>
    }
    readonly parser?: ParserName
  }
  readonly sync?: {
    readonly concurrency?: number
    readonly prune?: boolean
    /** A number or a percentage of our articles on the target, such as `10%`. */
    readonly maxDeletes?: number | string
    readonly onConflict?: OnConflict
    readonly taxonomy?: TaxonomyMode
    readonly retries?: number
    readonly timeout?: string
    readonly settle?: string
  }
  readonly server?: {
    readonly host?: string
    readonly port?: number
    readonly db?: string
    readonly languages?: readonly string[]
    readonly articleLimit?: number
    /** Largest request body, such as `32MB`. */
    readonly bodyLimit?: string
  }
}

/** Returns its argument; gives kb.config.ts completion and type checks. */
export function defineConfig(config: KbConfig): KbConfig {
  return config
}
