// Files for search engines and feed readers. They contain what readers see, even for editors. Without a public URL,
// there are neither sitemap nor feed: the Host header of a request could be forged, and a cache would spread it.
import { listHomes } from './article-list.ts'
import type { PageInLanguage } from './page-body.ts'
import { FEED_PATH, LANGUAGE_PARAMETER, SITEMAP_PATH, withQuery } from './page-urls.ts'
import { OWN_PATH } from './page-headers.ts'
import type { Visit } from './visit.ts'

interface CrawlerFile {
  readonly contentType: string
  /** An iterable of parts if it may be long. */
  readonly text: string | AsyncIterable<string>
  /** For a text in parts: changes whenever the text does; undefined if that is unknown. */
  readonly version?: string | undefined
}

/** Makes a file for a request; undefined if there is none. */
export type MakeCrawlerFile = (visit: Visit, query: URLSearchParams) => Promise<CrawlerFile | undefined>

export const ROBOTS_PATH = '/robots.txt'

/** By path. */
export const CRAWLER_FILES: Readonly<Record<string, MakeCrawlerFile>> = {
  [ROBOTS_PATH]: robots,
  [SITEMAP_PATH]: sitemap,
  [FEED_PATH]: feed,
}

type Absolute = (path: string) => string

/** Paths that search engines should not request; `$` is the end of a URL. */
const DISALLOWED = ['/search$', '/search?', '/status$', `${OWN_PATH}/sign-in`]

async function robots({ urls, site: { isClosed = false } }: Visit): Promise<CrawlerFile> {
  const base = urls.status.slice(0, -'/status'.length)
  const disallowed = isClosed ? ['/'] : DISALLOWED
  const lines = ['User-agent: *', ...disallowed.map((path) => `Disallow: ${base}${path}`)]
  const { absolute } = urls
  if (absolute !== undefined && !isClosed) lines.push('', `Sitemap: ${absolute(base + SITEMAP_PATH)}`)
  return { contentType: 'text/plain; charset=utf-8', text: `${lines.join('\n')}\n` }
}

/** Limits of the protocol: a file has at most 50,000 URLs and 50 MB. */
const MOST_URLS = 50_000

/** The parameter with the number of a sitemap in the index. */
const PART_PARAMETER = 'part'

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
const XML_TYPE = 'application/xml; charset=utf-8'

/** Creates a sitemap, or an index of sitemaps if there are many URLs. */
async function sitemap(visit: Visit, query: URLSearchParams): Promise<CrawlerFile | undefined> {
  const { absolute } = visit.urls
  if (absolute === undefined) return undefined
  const { source, site, urls } = visit
  // Read first, so that no text is older than its version.
  const revision = await source.revision?.()
  // Each entry lists all languages.
  const urlsPerFile = Math.max(1000, Math.floor(MOST_URLS / site.languages.length))
  const lists = await listPages(visit)
  const files = Math.ceil((lists.length + (await source.countIndexed())) / urlsPerFile)
  const part = query.get(PART_PARAMETER)
  if (part === null && files > 1) return { contentType: XML_TYPE, text: sitemapIndex(visit, absolute, files) }
  const number = part === null ? 1 : Number(part)
  if (!(Number.isSafeInteger(number) && number >= 1 && (number <= files || number === 1))) return undefined
  const start = (number - 1) * urlsPerFile
  const listed = lists.slice(start, start + urlsPerFile)
  const articles = source.indexed(Math.max(0, start - lists.length), urlsPerFile - listed.length)
  const patterns = [urls.article, urls.category].map((urlOf) => absolute(urlOf({ slug: 's', language: 'l' })))
  const version = revision && JSON.stringify([revision, patterns, site.languages, part])
  return { contentType: XML_TYPE, text: urlSet(visit, absolute, listed, articles), version }
}

function sitemapIndex({ urls }: Visit, absolute: Absolute, files: number): string {
  const first = urls.status.replace(/\/status$/, SITEMAP_PATH)
  const entries = Array.from({ length: files }, (_, index) => {
    const url = absolute(withQuery(first, { [PART_PARAMETER]: String(index + 1) }))
    return `<sitemap><loc>${escapeXml(url)}</loc></sitemap>\n`
  })
  return `${XML}<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('')}</sitemapindex>\n`
}

async function* urlSet(
  { urls }: Visit,
  absolute: Absolute,
  lists: readonly SitemapEntry[],
  articles: ReturnType<Visit['source']['indexed']>,
): AsyncGenerator<string> {
  yield `${XML}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n`
  for (const entry of lists) yield sitemapEntry(entry, absolute)
  for await (const { slug, language, translations, editedDate } of articles) {
    const languages = [{ slug, language }, ...translations].map((each) => ({
      language: each.language,
      url: urls.article(each),
    }))
    yield sitemapEntry({ url: urls.article({ slug, language }), languages, editedDate }, absolute)
  }
  yield '</urlset>\n'
}

interface SitemapEntry {
  /** A path, as in links of the pages. */
  readonly url: string
  /** Including its own. */
  readonly languages: readonly PageInLanguage[]
  readonly editedDate?: string | undefined
}

function sitemapEntry({ url, languages, editedDate }: SitemapEntry, absolute: Absolute): string {
  const changed = editedDate === undefined ? '' : `<lastmod>${escapeXml(editedDate)}</lastmod>`
  const alternates = languages.map(
    (each) =>
      `<xhtml:link rel="alternate" hreflang="${escapeXml(each.language)}" href="${escapeXml(absolute(each.url))}"/>`,
  )
  const others = alternates.length > 1 ? alternates.join('') : ''
  return `<url><loc>${escapeXml(absolute(url))}</loc>${changed}${others}</url>\n`
}

/** Lists the home pages and the categories, in all languages that have articles. */
async function listPages(visit: Visit): Promise<readonly SitemapEntry[]> {
  const { site, urls } = visit
  const categories = new Map<string, PageInLanguage[]>()
  for (const language of site.languages) {
    const { byId } = await visit.in(language).tree()
    for (const [id, { category }] of byId) {
      const url = urls.category({ slug: category.slug, language })
      categories.set(id, [...(categories.get(id) ?? []), { language, url }])
    }
  }
  return [await listHomes(visit), ...categories.values()].flatMap((languages) =>
    languages.map(({ url }) => ({ url, languages })),
  )
}

/** Number of entries in a feed. */
const FEED_LIMIT = 50

/** Creates a feed of the articles of a language that changed last, as Atom (RFC 4287). */
async function feed(visit: Visit, query: URLSearchParams): Promise<CrawlerFile | undefined> {
  const { source, site, urls, language } = visit
  const { absolute } = urls
  const asked = query.get(LANGUAGE_PARAMETER) ?? language
  if (absolute === undefined || asked !== language) return undefined
  const articles = await source.listLatest(language, FEED_LIMIT)
  const home = absolute(urls.home(language))
  const own = absolute(urls.feed(language))
  const entries = articles.map((article) => {
    const { id, title, excerpt, editedDate } = article
    return `<entry>
<id>${escapeXml(`${absolute(urls.home(site.languages[0] ?? language))}#${encodeURIComponent(id.toWellFormed())}`)}</id>
<title>${escapeXml(title)}</title>
<link rel="alternate" href="${escapeXml(absolute(urls.article(article)))}"/>
<updated>${escapeXml(editedDate)}</updated>
<summary>${escapeXml(excerpt)}</summary>
</entry>
`
  })
  const text = `${XML}<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escapeXml(language)}">
<id>${escapeXml(own)}</id>
<title>${escapeXml(site.name)}</title>
<link rel="self" type="application/atom+xml" href="${escapeXml(own)}"/>
<link rel="alternate" type="text/html" href="${escapeXml(home)}"/>
<author><name>${escapeXml(site.name)}</name></author>
<updated>${escapeXml(articles[0]?.editedDate ?? '1970-01-01T00:00:00.000Z')}</updated>
${entries.join('')}</feed>
`
  return { contentType: 'application/atom+xml; charset=utf-8', text }
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes text for XML, without the characters that XML cannot contain. */
function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // eslint-disable-next-line no-control-regex
      .replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
      .replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? character)
  )
}
