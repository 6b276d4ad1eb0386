import { Parser } from 'htmlparser2'
import type { Settings } from '../../core/config/settings.ts'
import { applyLateRules } from '../../inspect/check/late-rules.ts'
import type { LiveContent } from '../../watch/live-content/live-content.ts'
import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import { compareDiagnostics } from '../../core/model/diagnostic.ts'
import { contentOptions } from '../../content/pipeline/content-options.ts'
import { withStorage } from '../../core/config/resolve-target.ts'
import {
  type DescribedSite,
  describeSite,
  siteAddresses,
  type SiteLinks,
  type SiteView,
} from './describe-site.ts'
import type { SiteBody, SiteHeading } from './site-data.ts'
import { toDiagnostics } from '../../content/pipeline/make-diagnostics.ts'

/** The result of one check of the files. */
export interface SiteReading {
  readonly view: SiteView
  /** Files that were added, changed or deleted since the last read, by path under the content folder. */
  readonly touched: readonly string[]
}

/** The content of a project for a site, while it is open. */
export interface Site {
  /** Absolute path of the project. */
  readonly root: string
  /** Absolute path of the content folder. */
  readonly contentFolder: string
  /** Absolute paths of the configuration's files. If one changes, open the site again. */
  readonly configFiles: readonly string[]
  /**
   * Checks the files and reads only those that changed since the last read. Concurrent calls run in sequence.
   *
   * @throws KbError CONTENT_UNREADABLE, WORKSPACE_UNWRITABLE, INTERRUPTED, CONFIG_INVALID
   */
  readonly read: (options?: {
    /** Includes the rules that need the clock and git, like `kb check`. Default: false. */
    readonly asksHistory?: boolean | undefined
    readonly signal?: AbortSignal | undefined
  }) => Promise<SiteReading>
  /** Returns the body of an article as of the last read; undefined if there is no article with this id. */
  readonly readBody: (id: string) => SiteBody | undefined
  /** Returns a digest that changes exactly when the body changes, without reading the body. */
  readonly bodyDigest: (id: string) => string | undefined
  /** Closes the site after all calls in progress have ended. No calls are allowed after it. */
  readonly close: () => void
}

interface SiteMaterial {
  readonly settings: Settings
  readonly configFiles: readonly string[]
  /** Opens the content with settings that contain the site's URLs. */
  readonly openContent: (settings: Settings) => Promise<LiveContent>
  readonly links: SiteLinks
  readonly drafts: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: () => Date
}

/** Opens the content for a site. Reads nothing before the first `read`. */
export async function openSiteOn(material: SiteMaterial): Promise<Site> {
  const addressed = { ...material.settings, ...siteAddresses(material.settings, material.links) }
  // The target has the files that a sync uploads, the site does not.
  const settings = withStorage(addressed, 'absent')
  const { defaultLanguage } = settings
  const content = await material.openContent(settings)
  let described: DescribedSite | undefined
  let loaded: LoadedContent | undefined
  // Renderings are kept for the bodies of this read until the next one is complete.
  let release: () => void = () => undefined
  let isClosed = false
  const assertOpen = () => {
    if (isClosed) throw new Error('This site is closed: open it again.')
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
      const found = late.flatMap(toDiagnostics(contentOptions(settings)))
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

const HEADING = /^h([1-6])$/

/** Returns the headings of an article's HTML in order, except those only for screen readers. */
export function listHeadings(html: string): SiteHeading[] {
  const headings: SiteHeading[] = []
  let open: { readonly level: number; readonly id: string; text: string } | undefined
  const parser = new Parser(
    {
      onopentag: (name, { id, class: classes = '' }) => {
        const [, level] = HEADING.exec(name) ?? []
        if (level === undefined || id === undefined || classes.split(' ').includes('sr-only')) return
        open = { level: Number(level), id, text: '' }
      },
      ontext: (text) => {
        if (open !== undefined) open.text += text
      },
      onclosetag: (name) => {
        if (open === undefined || !HEADING.test(name)) return
        headings.push({ ...open, text: open.text.replaceAll(/\s+/g, ' ').trim() })
        open = undefined
      },
    },
    { decodeEntities: true },
  )
  parser.end(html)
  return headings
}
