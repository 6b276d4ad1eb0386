import { taxonomyMode } from '../../core/config/resolve-target.ts'
import type { Settings } from '../../core/config/settings.ts'
import type { PresetName } from '../../core/dialects/dialects.ts'
import type { CheckedPages } from '../rules/check-corpus.ts'
import type { DocumentDefaults } from '../frontmatter/build-document.ts'
import type { MarkdownOptions } from '../markdown/rendered-body.ts'
import type { LinkSettings } from '../links/link-context.ts'

/** The settings that determine how content is read. */
export interface ContentOptions extends LinkSettings {
  /** Absolute. Diagnostics name files relative to it. */
  readonly root: string
  readonly markdown: MarkdownOptions
  /** Digest of everything that determines the rendering, except the text and the parser. */
  readonly renderDigest: string
  readonly defaults: DocumentDefaults
  /** Patterns of files to ignore. */
  readonly exclude?: readonly string[]
  /** True if descriptions of categories are sent; otherwise the text of a folder becomes an article. Default: true. */
  readonly describesCategories?: boolean | undefined
  /** The tool of this folder. */
  readonly preset?: PresetName | undefined
  /** The settings of the pages that rules check, and the file that contains them. */
  readonly pages?: Omit<CheckedPages, 'urlOf' | 'source' | 'text'> & {
    readonly configFile: string | undefined
  }
}

/** The part of the configuration that the content pipeline uses. */
export function contentOptions(settings: Settings): ContentOptions {
  const { status, order, reviewAfterDays, categories } = settings.defaults
  return {
    root: settings.root,
    contentRoot: settings.contentRoot,
    markdown: settings.render,
    renderDigest: settings.renderDigest,
    defaults: { language: settings.defaultLanguage, status, order, reviewAfterDays, categories },
    articleUrl: settings.articleUrl,
    categoryUrl: settings.categoryUrl,
    tagUrl: settings.tagUrl,
    brokenLinks: settings.brokenLinks,
    assets: settings.assets,
    rules: settings.rules,
    overrides: settings.overrides,
    exclude: settings.exclude,
    describesCategories: taxonomyMode(settings, settings.target) === 'update',
    preset: settings.preset,
    toolSite: settings.toolSite,
    siteUrl: settings.siteUrl,
    pages: { ...settings.pages.brand, url: settings.pages.url, configFile: settings.configFile },
  }
}
