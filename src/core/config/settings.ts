import type { PluggableList } from 'unified'
import type { RuleSeverities } from '../model/diagnostic-codes.ts'
import type { OwnElements } from '../model/element-mapping.ts'
import type { FrontmatterMapping } from '../model/frontmatter-mapping.ts'
import type { PresetName } from '../model/preset-name.ts'
import type { SiteFile } from '../model/site-file.ts'
import type { ThresholdName } from '../model/threshold.ts'
import type { ToolSite } from '../model/tool-site.ts'
import type { ArticleLink, OnConflict, ParserName, TaxonomyLink, TaxonomyMode } from './define-config.ts'

/** What the markers of a project without a name say; no remote target gets to see it. */
export const UNNAMED_PROJECT = 'default'

export interface BuiltinTarget {
  readonly kind: 'builtin'
  readonly name: 'builtin'
}

export interface RemoteTargetSettings {
  readonly kind: 'remote'
  readonly name: string
  /** Origin and path without `/api/v2` and without a trailing slash. */
  readonly url: string
  readonly apiKey: string | undefined
  /** Host to which the key may travel over plain http://. */
  readonly allowHttp: string | undefined
}

export type TargetSettings = BuiltinTarget | RemoteTargetSettings

/** `count` articles, or that share of our articles on the target (at least one). */
export type MaxDeletes =
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'share'; readonly share: number }

export interface RenderSettings {
  readonly parser: ParserName
  readonly remarkPlugins: PluggableList
  readonly allow: {
    readonly tags: readonly string[]
    readonly attributes: Readonly<Record<string, readonly string[]>>
  }
  readonly highlight: boolean
  /** Whose Markdown the texts are in; undefined: plain. */
  readonly dialect?: PresetName | undefined
  /** What becomes of the project's own components and shortcodes. */
  readonly elements?: OwnElements | undefined
  /** Undefined: frontmatter is read as it stands. */
  readonly frontmatter?: FrontmatterMapping | undefined
  /** The configuration of the tool's site, as far as texts may show what it says. */
  readonly siteFiles?: readonly SiteFile[] | undefined
}

export interface SyncSettings {
  /** Undefined: 8, and 32 on builtin. */
  readonly concurrency: number | undefined
  readonly prune: boolean
  readonly maxDeletes: MaxDeletes
  readonly onConflict: OnConflict
  /** Undefined: `update` on builtin, `check` elsewhere. */
  readonly taxonomy: TaxonomyMode | undefined
  readonly retries: number
  readonly timeoutMs: number
  readonly settleMs: number
}

/** The configuration with every default filled in and every path absolute. */
export interface Settings {
  readonly root: string
  readonly configFile: string | undefined
  /** Digest of the whole configuration and the program's version. */
  readonly settingsDigest: string
  /** Whether functions of the user decide what is sent: they may change without the configuration changing. */
  readonly hasFunctions: boolean
  /** Digest of what decides the rendering beside the text and the parser. */
  readonly renderDigest: string
  readonly preset: PresetName | undefined
  /** With a preset: what lies around the content. */
  readonly toolSite: ToolSite | undefined
  /** Address of the site that addresses from the root belong to, without a slash at its end. */
  readonly siteUrl: string | undefined
  /** `UNNAMED_PROJECT` where nothing names it. */
  readonly project: string
  readonly contentRoot: string
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly target: TargetSettings
  readonly targets: Readonly<Record<string, RemoteTargetSettings>>
  readonly defaultLanguage: string
  readonly defaults: {
    readonly status: 'draft' | 'published'
    readonly order: number
    readonly reviewAfterDays: number
    readonly categories: readonly string[]
  }
  readonly articleUrl: (link: ArticleLink) => string
  readonly categoryUrl: (link: TaxonomyLink) => string
  readonly tagUrl: (link: TaxonomyLink) => string
  /** Patterns (`*` stands for anything) of addresses that are never asked. */
  readonly ignoredLinks: readonly string[]
  readonly assets: {
    readonly inlineUnderBytes: number
    /** Without a slash at its end. */
    readonly baseUrl: string | undefined
    readonly maxSizeBytes: number
  }
  readonly render: RenderSettings
  readonly rules: RuleSeverities
  readonly sync: SyncSettings
  readonly report: {
    readonly dueWithinDays: number
    readonly failOn: readonly ThresholdName[]
    /** Undefined: not limited. */
    readonly maxOverdue: number | undefined
    /** Absolute. */
    readonly baseline: string | undefined
  }
  readonly pages: {
    /** Name of the knowledge base, for readers. */
    readonly name: string
  }
  readonly server: {
    readonly host: string
    readonly port: number
    readonly db: string
    readonly languages: readonly string[]
    readonly articleLimit: number
    readonly bodyLimitBytes: number
  }
}
