import type { Settings } from '../../core/config/settings.ts'
import { applyLateRules } from '../../inspect/check/late-rules.ts'
import { diagnosticMaker } from '../../content/pipeline/diagnostic-maker.ts'
import type { LiveContent } from '../../watch/live-content/live-content.ts'
import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import { compareDiagnostics } from '../../core/model/diagnostic.ts'
import { contentOptions } from '../../sync/content-project.ts'
import { type DescribedSite, describeSite } from './describe-site.ts'
import { listHeadings } from './list-headings.ts'
import { siteAddresses } from './site-addresses.ts'
import type { Site, SiteLinks } from './site-options.ts'

export interface SiteMaterial {
  readonly settings: Settings
  readonly configFiles: readonly string[]
  /** Opens the content of settings whose addresses are those of the site. */
  readonly openContent: (settings: Settings) => Promise<LiveContent>
  readonly links: SiteLinks
  readonly drafts: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: () => Date
}

/** Opens the content for a site. Nothing is read before the first look. */
export async function openSite(material: SiteMaterial): Promise<Site> {
  const settings = { ...material.settings, ...siteAddresses(material.settings, material.links) }
  const { defaultLanguage } = settings
  const content = await material.openContent(settings)
  let described: DescribedSite | undefined
  let loaded: LoadedContent | undefined
  // What was rendered stays for the texts of this look until the next one is there.
  let release: () => void = () => undefined
  let isClosed = false
  const assertOpen = () => {
    if (isClosed) throw new Error('This site is closed: open the content again.')
  }
  return {
    root: settings.root,
    contentFolder: settings.contentRoot,
    configFiles: material.configFiles,
    read: async ({ asksHistory = false, signal } = {}) => {
      assertOpen()
      const refreshed = await content.refresh({ signal })
      release()
      release = content.pin()
      loaded = refreshed.content
      described = describeSite(loaded, { ...settings, defaultLanguage, drafts: material.drafts })
      const { view } = described
      if (!asksHistory) return { view, touched: refreshed.touched }
      const { env, now } = material
      const late = await applyLateRules({ settings, articles: loaded.articles, now, env, signal })
      const found = late.flatMap(diagnosticMaker(contentOptions(settings)))
      const diagnostics = [...view.diagnostics, ...found].toSorted(compareDiagnostics)
      return { view: { ...view, diagnostics }, touched: refreshed.touched }
    },
    readBody: (id) => {
      assertOpen()
      const document = described?.documents.get(id)
      if (document === undefined || loaded === undefined) return undefined
      const html = loaded.readHtml(document)
      return { html, headings: listHeadings(html) }
    },
    bodyDigest: (id) => described?.documents.get(id)?.contentHash,
    close: () => {
      if (!isClosed) content.close()
      isClosed = true
    },
  }
}
