// Data of the pages for search engines, feed readers and link previews.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import type { PageAddresses } from '../../../src/web/pages/page-addresses.ts'
import { readRuns } from '../../support/runs.ts'
import { validateHtml } from '../report/validate-html.ts'
import { createMemorySource, type MemoryArticle, type MemoryBase } from './memory-source.ts'
import { ADDRESSES, sampleBase } from './sample-base.ts'
import { appOf } from './serve-pages.ts'

const URL_OF_PAGES = 'https://help.example.org'

const PUBLIC: PageAddresses = { ...ADDRESSES, url: URL_OF_PAGES }

const BELOW: PageAddresses = {
  ...ADDRESSES,
  url: 'https://example.org/help',
  base: '/help',
  origins: ['https://example.org'],
}

const NOT_FOR_ENGINES =
  'User-agent: *\nDisallow: /search$\nDisallow: /search?\nDisallow: /status$\nDisallow: /_kb/sign-in\n'

const sample = await sampleBase()

function siteOf(base: MemoryBase = sample, addresses: PageAddresses = PUBLIC) {
  const app = appOf(createMemorySource(base), { addresses })
  return async (path: string, init?: RequestInit) => {
    const response = await app.request(path, init)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
}

const unescape = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

const allOf = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, found = '']) => unescape(found))

const locsOf = (xml: string) => allOf(xml, /<loc>(.*?)<\/loc>/g)

const pathOf = (url: string) => url.slice(URL_OF_PAGES.length)

const canonicalOf = (html: string) => allOf(html, /<link rel="canonical" href="([^"]*)"/g)

const trailOf = (html: string): unknown => {
  const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? []
  return (JSON.parse(json) as { itemListElement: unknown }).itemListElement
}

async function complaintsOf(xml: string): Promise<readonly unknown[]> {
  return (await validateXML({ xml: [{ fileName: 'file.xml', contents: xml }], normalization: 'c14n' })).errors
}

test('without a public URL there is no sitemap and no feed, and no URL is derived from the request', async () => {
  const read = siteOf(sample, ADDRESSES)
  expect(await read('/robots.txt')).toMatchObject({ status: 200, text: NOT_FOR_ENGINES })
  const headers = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' }
  for (const [path, status] of [
    ['/', 200],
    ['/articles/invite-people', 200],
    ['/robots.txt', 200],
    ['/sitemap.xml', 404],
    ['/feed.xml', 404],
  ] as const) {
    const answer = await read(path, { headers })
    expect([path, answer.status, answer.text.includes('evil')]).toEqual([path, status, false])
    expect(answer.text).not.toMatch(/og:|ld\+json|atom/)
  }
  expect(canonicalOf((await read('/articles/invite-people?lang=en&utm_source=x')).text)).toEqual([
    '/articles/invite-people',
  ])
})

test('robots.txt names the sitemap', async () => {
  expect((await siteOf()('/robots.txt')).text).toBe(
    `${NOT_FOR_ENGINES}\nSitemap: ${URL_OF_PAGES}/sitemap.xml\n`,
  )
})

test('an article has its name, its path, and its picture for previews', async () => {
  const base: MemoryBase = {
    ...sample,
    articles: sample.articles.map((each) =>
      each.slug === 'invite-people' ? { ...each, image: '/banner.png' } : each,
    ),
  }
  const { text } = await siteOf(base)('/articles/invite-people?utm_source=x')
  const own = `${URL_OF_PAGES}/articles/invite-people`
  const french = `${URL_OF_PAGES}/articles/inviter?lang=fr`
  expect(canonicalOf(text)).toEqual([own])
  expect(allOf(text, /<link rel="alternate" (hreflang="[^"]*" href="[^"]*")/g)).toEqual([
    `hreflang="en" href="${own}"`,
    `hreflang="fr" href="${french}"`,
    `hreflang="ar" href="${URL_OF_PAGES}/articles/${encodeURIComponent('دعوة')}?lang=ar"`,
    `hreflang="x-default" href="${own}"`,
  ])
  expect(allOf(text, /<meta (?:property|name)="((?:og:title|og:description)[^/]*?)" \/>/g)).toEqual([
    'og:title" content="Invite people',
    'og:description" content="How to invite people, step by step, and what to do when it does not work.',
  ])
  for (const tag of [
    '<meta property="og:site_name" content="Acme Help" />',
    '<meta property="og:type" content="article" />',
    `<meta property="og:url" content="${own}" />`,
    `<meta property="og:image" content="${URL_OF_PAGES}/banner.png" />`,
    '<meta property="article:modified_time" content="2026-02-03T10:00:00Z" />',
    '<meta name="twitter:card" content="summary_large_image" />',
  ])
    expect(text).toContain(tag)
  expect(trailOf(text)).toEqual(
    [
      ['Acme Help', `${URL_OF_PAGES}/`],
      ['Guides', `${URL_OF_PAGES}/categories/guides`],
      ['Accounts', `${URL_OF_PAGES}/categories/accounts`],
      ['Invite people', own],
    ].map(([name, item], index) => ({ '@type': 'ListItem', position: index + 1, name, item })),
  )
})

test('every page has one canonical URL, whatever the request, and a missing page has none', async () => {
  const read = siteOf()
  const canonical = async (path: string) => canonicalOf((await read(path)).text).map(pathOf)
  expect(await canonical('/?utm_source=x')).toEqual(['/'])
  expect(await canonical('/?lang=fr&x=1')).toEqual(['/?lang=fr'])
  expect(await canonical('/categories/guides?x=1')).toEqual(['/categories/guides'])
  expect(await canonical('/tags/start?x=1')).toEqual(['/tags/start'])
  expect(await canonical('/search?q=account&x=1')).toEqual(['/search?q=account'])
  for (const path of ['/nope', '/articles/nope', '/status', '/articles/secret']) {
    const { text } = await read(path)
    expect([path, /canonical|og:|ld\+json/.test(text)]).toEqual([path, false])
  }
})

test('the head of every page is valid HTML', async () => {
  const read = siteOf()
  for (const path of ['/', '/articles/invite-people', '/categories/accounts', '/tags/start']) {
    const { text } = await read(path)
    const head = /<head>.*<\/head>/s.exec(text)?.[0] ?? ''
    // All files are our own.
    const loaded = head.replaceAll(/<script type="module".*?<\/script>|<link rel="stylesheet".*?>/g, '')
    const page = `<!doctype html>\n<html lang="en">${loaded}<body><h1>a</h1></body></html>`
    expect([path, await validateHtml(page)]).toEqual([path, []])
  }
})

test('articles hidden from search are in no sitemap and no feed, and tell search engines so', async () => {
  const base: MemoryBase = {
    articles: [
      { title: 'Shown', slug: 'shown', editedDate: '2026-02-01T00:00:00Z' },
      { title: 'Quiet', slug: 'quiet', isHidden: true, editedDate: '2026-02-02T00:00:00Z' },
      { title: 'Draft', slug: 'draft', isDraft: true, editedDate: '2026-02-03T00:00:00Z' },
    ],
  }
  const read = siteOf(base)
  expect(locsOf((await read('/sitemap.xml')).text).map(pathOf)).toEqual(['/', '/articles/shown'])
  expect(allOf((await read('/feed.xml')).text, /<entry>.*?<title>(.*?)<\/title>/gs)).toEqual(['Shown'])
  expect((await read('/articles/quiet')).text).toContain('<meta name="robots" content="noindex" />')
  expect((await read('/articles/shown')).text).not.toContain('noindex')
})

test('a sitemap contains the languages of a page and its last change', async () => {
  const { text, headers } = await siteOf()('/sitemap.xml')
  expect(headers.get('content-type')).toBe('application/xml; charset=utf-8')
  expect(await complaintsOf(text)).toEqual([])
  const entry = text.split('\n').find((line) => line.includes('/articles/inviter?lang=fr</loc>')) ?? ''
  const alternate = (language: string, path: string) =>
    `<xhtml:link rel="alternate" hreflang="${language}" href="${URL_OF_PAGES}${path}"/>`
  expect(entry).toContain('<lastmod>2026-02-28T10:00:00Z</lastmod>')
  expect(text).toContain(alternate('en', '/articles/invite-people'))
  expect(text).toContain(alternate('fr', '/articles/inviter?lang=fr'))
  expect(text).toContain(alternate('fr', '/categories/comptes?lang=fr'))
  // Languages without articles have no home page.
  expect(text).not.toContain('hreflang="de"')
})

const letters = fc.constantFrom(
  'a',
  'é',
  '&',
  '<',
  '"',
  "'",
  ']]>',
  '</script>',
  '\u202e',
  '\0',
  '𝒳',
  '%',
  '+',
  ' ',
)
const someText = fc.array(letters, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''))
const article: fc.Arbitrary<Omit<MemoryArticle, 'slug'> & { readonly slug: string }> = fc.record({
  title: someText,
  slug: someText.map((text) => text.replaceAll(/[/\0]/g, '')),
  language: fc.constantFrom('en', 'fr'),
  isDraft: fc.boolean(),
  isHidden: fc.boolean(),
  category: fc.constantFrom('one', 'two', 'empty'),
  editedDate: fc.constantFrom('2026-02-01T00:00:00Z', '2026-02-02T00:00:00Z'),
})

test('every URL of a sitemap is a page, and every public article is in it once', async () => {
  const { numRuns, seed } = readRuns('FUZZ', 60)
  const property = fc.asyncProperty(fc.array(article, { maxLength: 8 }), async (made) => {
    const articles = made.map((each, index) => ({ ...each, slug: `${each.slug}${index}` }))
    const categories = ['one', 'two', 'empty'].map((slug) => ({ slug, name: slug }))
    const read = siteOf({ languages: ['en', 'fr'], categories, articles })
    const locs = locsOf((await read('/sitemap.xml')).text).map(pathOf)
    for (const path of locs) expect([path, (await read(path)).status]).toEqual([path, 200])
    const expected = articles
      .filter(({ isDraft, isHidden }) => isDraft !== true && isHidden !== true)
      .map(
        ({ slug, language }) => `/articles/${encodeURIComponent(slug)}${language === 'fr' ? '?lang=fr' : ''}`,
      )
    expect(locs.filter((path) => path.startsWith('/articles/')).toSorted()).toEqual(expected.toSorted())
    expect(new Set(locs).size).toBe(locs.length)
    const feeds = [(await read('/feed.xml')).text, (await read('/feed.xml?lang=fr')).text].join('')
    expect(
      allOf(feeds, /<link rel="alternate" href="(.*?)"/g)
        .map(pathOf)
        .toSorted(),
    ).toEqual(expected.toSorted())
  })
  await fc.assert(property, { numRuns, seed })
})

test('hostile titles are text in a sitemap, a feed and the head of a page', async () => {
  const title = `"><img src=x>]]></title></script><!--\u202e\0&amp;'\ud800{{x}}`
  const base: MemoryBase = {
    name: title,
    categories: [{ slug: 'c', name: title, description: title }],
    articles: [
      {
        title,
        slug: 'a',
        category: 'c',
        excerpt: title,
        image: 'javascript:alert(1)',
        editedDate: '2026-02-01T00:00:00Z',
      },
    ],
  }
  const read = siteOf(base)
  for (const path of ['/sitemap.xml', '/feed.xml'])
    expect([path, await complaintsOf((await read(path)).text)]).toEqual([path, []])
  const readable = title.replace('\0', '').toWellFormed()
  expect(allOf((await read('/feed.xml')).text, /<title>(.*?)<\/title>/gs)).toEqual([readable, readable])
  for (const path of ['/', '/categories/c', '/articles/a']) {
    const { text } = await read(path)
    expect([path, /<img|javascript:|<\/script><!--/.test(text)]).toEqual([path, false])
  }
  const trail = trailOf((await read('/articles/a')).text) as { name: string }[]
  expect(trail.map(({ name }) => name)).toEqual([title, title, title].map((each) => each.toWellFormed()))
})

test('for more than 50,000 URLs there is an index of sitemaps', async () => {
  const articles = Array.from({ length: 100_001 }, (_, index) => ({ title: 'A', slug: `a${index}` }))
  const read = siteOf({ articles })
  const index = (await read('/sitemap.xml')).text
  expect(await complaintsOf(index)).toEqual([])
  const files = locsOf(index).map(pathOf)
  expect(files).toEqual(['/sitemap.xml?part=1', '/sitemap.xml?part=2', '/sitemap.xml?part=3'])
  const locs: string[][] = []
  for (const file of files) locs.push(locsOf((await read(file)).text).map(pathOf))
  expect(locs.map(({ length }) => length)).toEqual([50_000, 50_000, 2])
  expect(locs.flat()).toEqual(['/', ...articles.map(({ slug }) => `/articles/${slug}`)])
  for (const part of ['0', '4', '-1', '1.5', 'x', '', '9'.repeat(30)])
    expect([part, (await read(`/sitemap.xml?part=${part}`)).status]).toEqual([part, 404])
})

test('a feed has the latest articles of its language', async () => {
  const read = siteOf()
  const { text, headers, status } = await read('/feed.xml?lang=fr')
  expect([status, headers.get('content-type')]).toEqual([200, 'application/atom+xml; charset=utf-8'])
  expect(await complaintsOf(text)).toEqual([])
  expect(text).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="fr">
<id>${URL_OF_PAGES}/feed.xml?lang=fr</id>
<title>Acme Help</title>
<link rel="self" type="application/atom+xml" href="${URL_OF_PAGES}/feed.xml?lang=fr"/>
<link rel="alternate" type="text/html" href="${URL_OF_PAGES}/?lang=fr"/>
<author><name>Acme Help</name></author>
<updated>2026-02-28T10:00:00Z</updated>
<entry>
<id>${URL_OF_PAGES}/#fr%2Finviter</id>
<title>Inviter des personnes</title>
<link rel="alternate" href="${URL_OF_PAGES}/articles/inviter?lang=fr"/>
<updated>2026-02-28T10:00:00Z</updated>
<summary></summary>
</entry>
</feed>
`)
  expect((await read('/?lang=fr')).text).toContain(`href="${URL_OF_PAGES}/feed.xml?lang=fr"`)
  expect((await read('/feed.xml?lang=de')).status).toBe(404)
  const known = headers.get('etag') ?? ''
  expect((await read('/feed.xml?lang=fr', { headers: { 'If-None-Match': known } })).status).toBe(304)
})

const STORED_BANNER = `/files/${'0a'.repeat(32)}.png`

test('pages below a path have it in all of their links, and are found with and without it', async () => {
  const articles = [
    {
      title: 'A',
      slug: 'a',
      html: '<a href="/articles/b">1</a> <a href="/help/articles/b#x">2</a> <a href="/pricing">3</a> <a href="https://example.org/help/articles/b">4</a> <a href="#x">5</a>',
    },
    { title: 'B', slug: 'b', image: STORED_BANNER },
  ]
  const app = appOf(createMemorySource({ articles }), { addresses: BELOW })
  const read = async (path: string) => {
    const response = await app.request(path)
    return { status: response.status, text: await response.text() }
  }
  const { text } = await read('/help/articles/a')
  expect((await read('/articles/a')).text).toBe(text)
  expect((await read('/help')).text).toBe((await read('/')).text)
  expect((await read('/articles/b')).text).toContain(
    `<meta property="og:image" content="${BELOW.url}${STORED_BANNER}" />`,
  )
  const links = allOf(text, /(?:href|src|action)="([^"#]*)[^"]*"/g)
  expect(links.filter((link) => link.startsWith('/') && !link.startsWith('/help/'))).toEqual(['/pricing'])
  expect(allOf(text, /<a href="([^"]*)"[^>]*>\d</g)).toEqual([
    '/help/articles/b',
    '/help/articles/b#x',
    '/pricing',
    '/help/articles/b',
    '#x',
  ])
  for (const link of links.filter((each) => each.startsWith('/help/')))
    expect([link, (await read(link)).status]).toEqual([link, 200])
  expect(canonicalOf(text)).toEqual(['https://example.org/help/articles/a'])
  expect(locsOf((await read('/help/sitemap.xml')).text)).toEqual([
    'https://example.org/help/',
    'https://example.org/help/articles/a',
    'https://example.org/help/articles/b',
  ])
  expect((await read('/robots.txt')).text).toContain(
    'Disallow: /help/search?\nDisallow: /help/status$\nDisallow: /help/_kb/sign-in\n\nSitemap: https://example.org/help/sitemap.xml\n',
  )
})

test('every page below a path has it in its canonical URL', async () => {
  const source = createMemorySource({
    categories: [{ slug: 'c', name: 'C' }],
    tags: [{ slug: 't', name: 'T' }],
    articles: [{ title: 'A', slug: 'a', category: 'c', tags: ['t'] }],
  })
  const app = appOf(source, { addresses: BELOW, viewerOf: () => 'author' })
  for (const path of ['/', '/articles/a', '/categories/c', '/tags/t', '/search?q=a', '/status'])
    for (const prefix of ['', '/help']) {
      const page = await (await app.request(prefix + path)).text()
      const own = `/help${path}`
      expect([path, canonicalOf(page), allOf(page, /data-kb-url="([^"]*)"/g)]).toEqual([
        path,
        [`https://example.org${own}`],
        [own],
      ])
    }
})

test('the public path is removed once, and only if it is a whole segment', async () => {
  const app = appOf(createMemorySource({ articles: [{ title: 'A', slug: 'a' }] }), { addresses: BELOW })
  for (const [path, status] of [
    ['/help/articles/a', 200],
    ['/help', 200],
    ['/help?x=1', 200],
    ['/helpful', 404],
    ['/help/help/articles/a', 404],
    ['/HELP/articles/a', 404],
    ['/help'.repeat(3200), 404],
  ] as const)
    expect([path, (await app.request(path)).status]).toEqual([path, status])
})

test('the home page lists the languages of the sitemap, and is not indexed in others', async () => {
  const languages = ['en', 'fr', 'ar']
  const read = siteOf({ languages, articles: [{ title: 'A', slug: 'a', language: 'fr' }] })
  const homes = [`${URL_OF_PAGES}/`, `${URL_OF_PAGES}/?lang=fr`]
  expect(locsOf((await read('/sitemap.xml')).text).slice(0, 2)).toEqual(homes)
  for (const language of languages) {
    const { text } = await read(`/?lang=${language}`)
    expect(allOf(text, /<link rel="alternate" hreflang="\w\w" href="([^"]*)"/g)).toEqual(homes)
    expect(text.includes('noindex')).toBe(language === 'ar')
  }
})
