import type { BrokenLinks } from '../../core/config/schema.ts'
import type { RuleSettings } from '../../core/model/diagnostic-codes.ts'
import type { PresetName } from '../../core/dialects/dialects.ts'
import type { ToolSite } from '../../core/dialects/dialect.ts'
import type { AssetSettings } from '../assets/create-asset-reader.ts'
import type { CheckedPages } from '../rules/check-corpus.ts'
import type { DocumentDefaults } from '../frontmatter/build-document.ts'
import type { MarkdownOptions } from '../markdown/rendered-body.ts'
import type { AddressOf } from '../links/resolved-link.ts'

/** The settings that determine how content is read. */
export interface ContentOptions extends RuleSettings {
  /** Absolute; diagnostics name files relative to it. */
  readonly root: string
  readonly contentRoot: string
  readonly markdown: MarkdownOptions
  /** Digest of everything that determines the rendering, except the text and the parser. */
  readonly renderDigest: string
  readonly defaults: DocumentDefaults
  readonly articleUrl: AddressOf
  readonly categoryUrl: AddressOf
  readonly tagUrl: AddressOf
  readonly brokenLinks: BrokenLinks
  readonly assets: AssetSettings
  /** Patterns of files to ignore. */
  readonly exclude?: readonly string[]
  /** True if descriptions of categories are sent; otherwise the text of a folder becomes an article. Default: true. */
  readonly describesCategories?: boolean | undefined
  /** The tool of this folder. */
  readonly preset?: PresetName | undefined
  /** The tool's site around it. */
  readonly toolSite?: ToolSite | undefined
  /** What the rules check of the pages' settings, and the file that contains these. */
  readonly pages?: Omit<CheckedPages, 'urlOf' | 'source' | 'text'> & {
    readonly configFile: string | undefined
  }
  /** URL of the site for addresses from the root, without a slash at its end. */
  readonly siteUrl?: string | undefined
}
