import type { PluggableList } from 'unified'
import type { RuleSeverities } from '../model/diagnostic-codes.ts'
import type { ElementMappings } from '../model/element-mapping.ts'
import type { ReadFrontmatter, WriteFrontmatter } from '../model/frontmatter-mapping.ts'
import type { PresetName } from '../model/preset-name.ts'
import type { ThresholdName } from '../model/threshold.ts'

/** What a link to another article is made from. */
export interface ArticleLink {
  readonly slug: string
  /** Language code of the article linked to. */
  readonly language: string
}

/** What a link to a category or tag is made from. */
export interface TaxonomyLink {
  readonly slug: string
  /** Language code that the slug belongs to. */
  readonly language: string
}

export interface RemoteTarget {
  /** Address of the service, with or without `/api/v2`. */
  readonly url: string
  /** Better given as KB_API_KEY: a key in a file is a key in git. */
  readonly apiKey?: string | undefined
  /** Host name to which the key may travel over plain http://, by name. */
  readonly allowHttp?: string | undefined
}

export type OnConflict = 'fail' | 'skip' | 'overwrite'
export type TaxonomyMode = 'check' | 'update'
export type ParserName = 'native' | 'remark'

/** The shape of kb.config.ts. Everything is optional; the guide's page "Configuration" lists the defaults. */
export interface KbConfig {
  /**
   * Tells our articles from another repository's on the same knowledge base; a remote target needs it. Default: the name
   * in package.json.
   */
  readonly project?: string | undefined
  /** The folder with the articles, relative to the project. Default `content`. */
  readonly content?: string | undefined
  readonly include?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
  /** The tool whose folder of documents this is: its frontmatter, Markdown and folders are understood. */
  readonly preset?: PresetName | undefined
  /** How frontmatter with other keys is read, and written; with a preset, after what that makes of it. */
  readonly frontmatter?:
    | ReadFrontmatter
    | { readonly read?: ReadFrontmatter | undefined; readonly write?: WriteFrontmatter | undefined }
    | undefined
  /** Elements that the project's own components become; with the preset docusaurus or vitepress. */
  readonly components?: ElementMappings | undefined
  /** Elements that the project's own shortcodes become; with the preset hugo. */
  readonly shortcodes?: ElementMappings | undefined
  /** Address of the site that links and images from the root (`/pricing`) belong to: they are sent with it. */
  readonly siteUrl?: string | undefined
  /** Where articles are pushed. Default `builtin`, the server that comes with kb-sync. */
  readonly target?: 'builtin' | RemoteTarget | undefined
  /** Named targets for `--target NAME`; `builtin` is always one. */
  readonly targets?: Readonly<Record<string, RemoteTarget>> | undefined
  readonly defaultLanguage?: string | undefined
  readonly defaults?:
    | {
        readonly status?: 'draft' | 'published' | undefined
        readonly order?: number | undefined
        /** Days until the next review of an article that names no date, such as `180d`. */
        readonly reviewAfter?: string | undefined
        readonly categories?: readonly string[] | undefined
      }
    | undefined
  readonly links?:
    | {
        /** A pattern with `{slug}` and `{language}`, or a function. */
        readonly article?: string | ((link: ArticleLink) => string) | undefined
        /** The same for a category (`_categories.yml#slug`). Default `/categories/{slug}`. */
        readonly category?: string | ((link: TaxonomyLink) => string) | undefined
        /** The same for a tag (`_tags.yml#slug`). Default `/tags/{slug}`. */
        readonly tag?: string | ((link: TaxonomyLink) => string) | undefined
        /** Addresses that `kb check --external` and `kb report` leave alone; `*` stands for anything. */
        readonly ignore?: readonly string[] | undefined
      }
    | undefined
  readonly assets?:
    | {
        /**
         * Images up to this size are sent inside the article. Default `32kB`; with `baseUrl`, only those under it, and
         * none by default.
         */
        readonly inlineUnder?: string | undefined
        /** Where the files that `kb assets` copies are served, such as `https://files.example.com/help`. */
        readonly baseUrl?: string | undefined
        /** Largest file that gets an address there. Default `25MB`. */
        readonly maxSize?: string | undefined
      }
    | undefined
  readonly markdown?:
    | {
        readonly remarkPlugins?: PluggableList | undefined
        /** Raw HTML to keep beyond the built-in allow-list. */
        readonly allow?:
          | {
              readonly tags?: readonly string[] | undefined
              readonly attributes?: Readonly<Record<string, readonly string[]>> | undefined
            }
          | undefined
        readonly parser?: ParserName | undefined
        /** Marks up code with a language for colours. Default false. */
        readonly highlight?: boolean | undefined
      }
    | undefined
  /** Severity of each rule of `kb check`: `off`, `warning` or `error`. */
  readonly rules?: RuleSeverities | undefined
  readonly sync?:
    | {
        readonly concurrency?: number | undefined
        readonly prune?: boolean | undefined
        /** A number or a percentage of our articles on the target, such as `10%`. */
        readonly maxDeletes?: number | string | undefined
        readonly onConflict?: OnConflict | undefined
        readonly taxonomy?: TaxonomyMode | undefined
        readonly retries?: number | undefined
        readonly timeout?: string | undefined
        readonly settle?: string | undefined
      }
    | undefined
  readonly report?:
    | {
        /** Days after today in which a review counts as due. Default `30d`. */
        readonly dueWithin?: string | undefined
        /** What makes `kb report` end with exit code 1. Default: nothing. */
        readonly failOn?: readonly ThresholdName[] | undefined
        /** How many overdue articles are allowed, whatever `failOn` says. */
        readonly maxOverdue?: number | undefined
        /** File with findings that are accepted, relative to the project. */
        readonly baseline?: string | undefined
      }
    | undefined
  readonly pages?:
    | {
        /** The name of the knowledge base on its pages. Default: the project. */
        readonly name?: string | undefined
      }
    | undefined
  readonly server?:
    | {
        readonly host?: string | undefined
        readonly port?: number | undefined
        readonly db?: string | undefined
        readonly languages?: readonly string[] | undefined
        readonly articleLimit?: number | undefined
        /** Largest request body, such as `32MB`. */
        readonly bodyLimit?: string | undefined
      }
    | undefined
}

/** Returns its argument; gives kb.config.ts completion and type checks. */
export function defineConfig(config: KbConfig): KbConfig {
  return config
}
