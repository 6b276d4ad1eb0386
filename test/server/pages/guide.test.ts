// The pages of the user guide as a search engine finds them: it follows every link and reads every file for crawlers.
import { parseHTML } from 'linkedom'
import { expect, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { openGuide } from '../../support/guide-site.ts'
import { validateHtml } from '../../web/report/validate-html.ts'

const SITE = 'https://help.example.org'

/** A page with its response. */
interface CrawledPage {
  readonly html: string
  readonly links: readonly string[]
  readonly ids: ReadonlySet<string>
  readonly canonical: string | null
  readonly isListed: boolean
}

const LINKS = '[href], [src], form[method="get"][action], form:not([method])[action]'

function readPage(html: string): CrawledPage {
  const { document } = parseHTML(html)
  const links = [...document.querySelectorAll(LINKS)].flatMap((element) =>
    ['href', 'src', 'action'].flatMap((name) => element.getAttribute(name) ?? []),
  )
  return {
    html,
    links,
    ids: new Set([...document.querySelectorAll('[id]')].map(({ id }) => id)),
    canonical: document.querySelector('link[rel=canonical]')?.getAttribute('href') ?? null,
    isListed: document.querySelector('meta[name=robots]') === null,
  }
}

const withoutHash = (url: string) => url.replace(/#.*/s, '')

type Pages = ReadonlyMap<string, CrawledPage>

/** Follows all links from the home page. @returns the pages by URL, and all responses other than 200 */
async function crawl(read: (url: string) => Promise<Response>) {
  const pages = new Map<string, CrawledPage>()
  const broken: string[] = []
  const known = new Set([`${SITE}/`])
  for (const url of known) {
    const response = await read(url)
    if (response.status !== 200) broken.push(`${response.status} ${url}`)
    if (response.headers.get('content-type')?.startsWith('text/html') !== true) continue
    const page = readPage(await response.text())
    pages.set(url, page)
    const absolute = page.links.map((link) => new URL(link, url).href).filter((link) => link.startsWith(SITE))
    for (const link of absolute) known.add(withoutHash(link))
  }
  return { pages, broken }
}

/** Returns links to headings that their pages do not have. */
function findLostHeadings(pages: Pages): readonly string[] {
  return [...pages].flatMap(([url, { links }]) =>
    links.flatMap((link) => {
      const to = new URL(link, url)
      const target = pages.get(withoutHash(to.href))
      const id = decodeURIComponent(to.hash.slice(1))
      return target === undefined || id === '' || target.ids.has(id) ? [] : [`${url}: ${link}`]
    }),
  )
}

async function expectWellFormed(contents: string): Promise<void> {
  const xml = [{ fileName: 'file.xml', contents }]
  expect((await validateXML({ xml, normalization: 'c14n' })).errors).toEqual([])
}

const allOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)

test('every link leads to a page directly, crawlers find each page once, and each is valid HTML', async () => {
  const app = await openGuide(() => SITE)
  const read = async (url: string) => app.request(url.slice(SITE.length))
  const { pages, broken } = await crawl(read)
  expect(broken).toEqual([])
  expect(pages.size).toBeGreaterThan(80)
  expect(findLostHeadings(pages)).toEqual([])
  const problems: string[] = []
  for (const [url, { html }] of pages)
    problems.push(...(await validateHtml(html)).map((problem) => `${url}: ${problem}`))
  expect(problems).toEqual([])

  const listed = [...pages].filter(([, { isListed }]) => isListed)
  const urls = listed.map(([url]) => url)
  expect(listed.map(([, { canonical }]) => canonical)).toEqual(urls)

  const sitemap = await (await read(`${SITE}/sitemap.xml`)).text()
  await expectWellFormed(sitemap)
  expect(allOf(sitemap, /<loc>(.*?)<\/loc>/g).toSorted()).toEqual(urls.toSorted())

  const feed = await (await read(`${SITE}/feed.xml`)).text()
  await expectWellFormed(feed)
  const entries = allOf(feed, /<entry>.*?<link[^>]*href="([^"]*)"/gs)
  expect([entries.length, entries.filter((url) => !urls.includes(url))]).toEqual([50, []])

  const robots = await (await read(`${SITE}/robots.txt`)).text()
  expect(robots).toContain(`Sitemap: ${SITE}/sitemap.xml\n`)
  const closed = allOf(robots, /^Disallow: (.*)$/gm)
  const isClosed = (path: string) =>
    closed.some((each) => (each.endsWith('$') ? path === each.slice(0, -1) : path.startsWith(each)))
  expect(urls.filter((url) => isClosed(url.slice(SITE.length)))).toEqual([])
})
