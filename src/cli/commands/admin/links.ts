// `kb admin links`
import type { AdminStore, CheckedLinkRecord } from '../../../server/store/admin/open-admin-store.ts'
import { escapeControlInLine } from '../../../core/escape-control.ts'
import type { AdminAnswer, StoreCall } from './run-admin.ts'
import { compareTexts } from '../../../core/compare-texts.ts'

const PAGE_SIZE = 1000

interface LinkOptions {
  readonly all?: boolean
}

/** `kb admin links list`: lists broken links and their reasons, by article. */
export async function listLinks({ admin, options, site }: StoreCall<LinkOptions>): Promise<AdminAnswer> {
  const which = options.all === true ? 'all' : 'broken'
  const links: CheckedLinkRecord[] = []
  for await (const link of readLinks(admin, site.id, which)) links.push(link)
  links.sort(byArticle)
  return {
    document: { site: site.name, links: links.map((link) => toDocument(link)) },
    text: links.length === 0 ? NOTHING[which] : formatLinks(links),
  }
}

const NOTHING = { all: 'No article has a link.\n', broken: 'No link is known to be broken.\n' } as const

async function* readLinks(admin: AdminStore, siteId: string, which: 'all' | 'broken') {
  for (let after = 0; ;) {
    const page = await admin.links.list(siteId, { after, limit: PAGE_SIZE }, which)
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE_SIZE) return
    after = last.number
  }
}

function byArticle(a: CheckedLinkRecord, b: CheckedLinkRecord): number {
  const keys = ['articleName', 'articleId', 'id'] as const
  return keys.map((key) => compareTexts(a[key], b[key])).find((order) => order !== 0) ?? 0
}

/** Not a table, because URLs must be complete to be copied. */
function formatLinks(links: readonly CheckedLinkRecord[]): string {
  return links
    .map((link, index) => {
      const isSame = links[index - 1]?.articleId === link.articleId
      const head = isSame ? '' : `${index === 0 ? '' : '\n'}${escapeControlInLine(link.articleName)}\n`
      return `${head}  ${escapeControlInLine(link.url)}\n    ${describe(link)}\n`
    })
    .join('')
}

/** Formats `404 Not Found, checked 2026-03-01 10:00 UTC`. */
function describe({ working, isCheckable, status, reason, checkedDate }: CheckedLinkRecord): string {
  if (!isCheckable) return 'works: it cannot be checked'
  if (checkedDate === null) return 'works: not checked yet'
  // The reason of a response starts with its status.
  const met = escapeControlInLine(reason) || `${status ?? ''}`
  const found = working ? `works${met === '' ? '' : `: ${met}`}` : met
  return `${found}, checked ${checkedDate.slice(0, 16).replace('T', ' ')} UTC`
}

function toDocument(link: CheckedLinkRecord): object {
  return {
    id: link.id,
    article: { id: link.articleId, name: link.articleName, slug: link.articleSlug },
    url: link.url,
    working: link.working,
    status: link.status,
    reason: link.reason,
    failures: link.failures,
    checked: link.checkedDate,
  }
}
