import type { BrokenLinks } from '../../core/config/schema.ts'
import type { RuleSettings } from '../../core/model/diagnostic-codes.ts'
import type { PresetName } from '../../core/dialects/dialects.ts'
import type { ToolSite } from '../../core/dialects/dialect.ts'
import type { AssetSettings } from '../assets/create-asset-reader.ts'
import type { DocumentDefaults } from '../frontmatter/build-document.ts'
import type { MarkdownOptions } from '../markdown/rendered-body.ts'
import type { AddressOf } from '../links/resolved-link.ts'

/** What of the settings decides how content is read. */
export interface ContentOptions extends RuleSettings {
  /** Absolute; diagnostics name files relative to it. */
  readonly root: string
  readonly contentRoot: string
  readonly markdown: MarkdownOptions
  /** Digest of what decides the rendering beside the text and the parser. */
  readonly renderDigest: string
  readonly defaults: DocumentDefaults
  readonly articleUrl: AddressOf
  readonly categoryUrl: AddressOf
  readonly tagUrl: AddressOf
  readonly brokenLinks: BrokenLinks
  readonly assets: AssetSettings
  /** Patterns of files that are left alone. */
  readonly exclude?: readonly string[]
  /** Whether what categories are described with is sent: else the text of a folder becomes an article. Default: true. */
  readonly describesCategories?: boolean | undefined
  /** The tool whose folder this is. */
  readonly preset?: PresetName | undefined
  /** What lies around it in the tool's site. */
  readonly toolSite?: ToolSite | undefined
  /** Address of the site that addresses from the root belong to, without a slash at its end. */
  readonly siteUrl?: string | undefined
}
