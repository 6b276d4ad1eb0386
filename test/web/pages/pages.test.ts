import { expect, test } from 'vitest'
import { createMemorySource, type MemoryBase } from './memory-source.ts'
import { ADDRESSES, sampleBase } from './sample-base.ts'
import { messagesFor } from '../../../src/core/page-messages.ts'
import { appOf } from './serve-pages.ts'

const base = await sampleBase()

async function read(path: string, options: Parameters<typeof appOf>[1] = {}, from: MemoryBase = base) {
  const response = await appOf(createMemorySource(from), options).request(path)
  return { response, text: await response.text() }
}

const asAuthor = { viewerOf: () => 'author' as const }

/** Returns the text of the first element with the tag. */
function textOf(html: string, tag: string): string {
  const inner = new RegExp(`<${tag}[\\s>].*?</${tag}>`, 's').exec(html)?.[0] ?? ''
  return inner
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

const linksOf = (html: string) => [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = '']) => href)

const mainOf = (html: string) => /<main.*<\/main>/s.exec(html)?.[0] ?? ''

test('the home page shows the topics', async () => {
  const { response, text } = await read('/')
  expect(response.status).toBe(200)
  expect(textOf(text, 'title')).toBe('Acme Help')
  expect(textOf(text, 'main')).toBe(
    'Acme Help Search the articles Search Topics Guides From the first step to the last, in the order in which you will need it. ' +
      'Accounts 5 Security 3 8 articles Billing Invoices, cards and taxes. 1 article All articles',
  )
  expect(linksOf(mainOf(text))).toEqual([
    '/categories/guides',
    '/categories/accounts',
    '/categories/security',
    '/categories/billing',
    '/search',
  ])
})

test('long names of categories break after their dots', async () => {
  const dotted: MemoryBase = {
    categories: [{ slug: 'm', name: 'Acme.Shell.<Core> 5.1' }],
    articles: [{ title: 'A', slug: 'a', category: 'm' }],
  }
  for (const path of ['/', '/articles/a'])
    expect((await read(path, {}, dotted)).text).toContain('>Acme.<wbr />Shell.&lt;Core&gt; 5.1</')
})

test('the page of a category has its long description, sanitised, on the first page of its articles', async () => {
  const longDescription = '<p onclick="x()">All <strong>rooms</strong>.</p><script>x()</script>'
  const described: MemoryBase = {
    categories: [{ slug: 'm', name: 'M', description: 'In short.', longDescription }],
    articles: Array.from({ length: 120 }, (_, index) => ({
      title: `A${index}`,
      slug: `a${index}`,
      category: 'm',
    })),
  }
  const main = mainOf((await read('/categories/m', {}, described)).text)
  expect(main).toContain('data-kb-close="Close"><p>All <strong>rooms</strong>.</p></div>')
  const next = linksOf(main).find((href) => href.includes('after=')) ?? ''
  expect((await read(next.replaceAll('&amp;', '&'), {}, described)).text).not.toContain('rooms')
})

test('without categories the home page shows the articles', async () => {
  const { text } = await read('/', {}, { articles: [{ title: 'Only one', slug: 'one', excerpt: 'Alone.' }] })
  expect(textOf(text, 'main')).toBe('Help Search the articles Search Only one Alone.')
  expect(textOf((await read('/', {}, { articles: [] })).text, 'main')).toBe(
    'Help Search the articles Search There are no articles here yet.',
  )
})

test('an article shows its path, tags, neighbours and last change', async () => {
  const { text } = await read('/articles/invite-people')
  expect(textOf(text, 'title')).toBe('Invite people · Acme Help')
  expect(textOf(text, 'main')).toBe(
    'Home Guides Accounts Invite people How to invite people. Getting started Last changed on February 3, 2026 ' +
      'Previous Everything an article can hold Next Reset your password',
  )
  expect(textOf(text, 'nav')).toBe(
    'Topics Guides 8 Accounts 5 Create your account Everything an article can hold Invite people ' +
      'Reset your password Sign in with a company account Security 3 Billing 1 All articles',
  )
  expect(text).toMatch(/<a\s+href="\/articles\/invite-people"\s+dir="ltr"\s+aria-current="page"/)
})

test('long articles list their headings', async () => {
  const { text } = await read('/articles/showcase')
  expect(linksOf(text).filter((href) => href.startsWith('#') && !href.includes('user-content'))).toEqual([
    '#_kb-main',
    '#lists',
    '#tables',
    '#a-small-one',
    '#code',
    '#details-quotes-and-terms',
    '#words-without-end',
  ])
})

test('drafts are for authors, and marked', async () => {
  expect((await read('/articles/secret')).response.status).toBe(404)
  expect((await read('/search?q=plan')).text).not.toContain('A plan')
  const { response, text } = await read('/articles/secret', asAuthor)
  expect(response.headers.get('Cache-Control')).toBe('private, no-cache')
  expect(textOf(text, 'main')).toContain('Draft This is a draft. Readers do not see it yet.')
})

test('the page /status is for authors', async () => {
  const { response, text } = await read('/status')
  expect([response.status, textOf(text, 'h1')]).toEqual([403, 'This page is for editors'])
  expect((await read('/status', asAuthor)).response.status).toBe(200)
})

test('long lists have several pages', async () => {
  const articles = Array.from({ length: 120 }, (_, index) => ({
    title: `Article ${String(index).padStart(3, '0')}`,
    slug: `a${index}`,
    category: 'c',
    tags: ['t'],
  }))
  const many: MemoryBase = {
    categories: [{ slug: 'c', name: 'C' }],
    tags: [{ slug: 't', name: 'T' }],
    articles,
  }
  for (const path of ['/categories/c', '/tags/t', '/search']) {
    const shown: string[] = []
    let next: string | undefined = path
    while (next !== undefined) {
      const { text }: { text: string } = await read(next, {}, many)
      shown.push(...linksOf(mainOf(text)).filter((href) => href.startsWith('/articles/')))
      next = /rel="next" href="([^"]*)"|href="([^"]*)"\s+rel="next"/
        .exec(mainOf(text))
        ?.slice(1)
        .find(Boolean)
    }
    expect(shown).toEqual(articles.map(({ slug }) => `/articles/${slug}`))
  }
  // With any number of articles, navigation stays small.
  const { text } = await read('/articles/a3', {}, many)
  expect(linksOf(text).filter((href) => href.startsWith('/articles/')).length).toBeLessThan(105)
})

test('search finds, marks and counts; a part of the page can be requested alone', async () => {
  const { text } = await read('/search?q=ACCOUNT')
  expect(textOf(text, 'h1')).toBe('Search for “ACCOUNT”')
  expect(mainOf(text)).toContain('<mark>account</mark>')
  expect(textOf(text, 'main')).toContain('3 articles found')
  expect(text).toContain('value="ACCOUNT"')
  const { text: part } = await read('/search?q=account&part=results')
  expect(part).toMatch(/^<p class="kb-note" data-kb-said>3 articles found<\/p>/)
  expect(part).not.toContain('<html')
  expect((await read('/search?q=zzz&part=results')).text).toContain('Nothing found for “zzz”')
  expect(linksOf(mainOf((await read('/search?q=zzz')).text))).toEqual(['/search'])
  expect(mainOf((await read('/search?q=%00zzz%1B')).text)).toContain('Nothing found for “zzz”')
})

test('languages are a click away, with their own texts and direction', async () => {
  const { text } = await read('/articles/invite-people')
  const menu = /<details class="kb-languages".*?<\/details>/s.exec(text)?.[0] ?? ''
  const arabic = `/articles/${encodeURIComponent('دعوة')}?lang=ar`
  expect(linksOf(menu)).toEqual(['/articles/invite-people', '/articles/inviter?lang=fr', arabic])
  const french = await read('/articles/inviter?lang=fr')
  expect(french.text).toContain('<html lang="fr" dir="ltr">')
  expect(textOf(french.text, 'main')).toContain('Dernière modification le 28 février 2026')
  expect(linksOf(french.text)).toContain('/categories/comptes?lang=fr')
  expect((await read(arabic)).text).toContain('<html lang="ar" dir="rtl">')
  // The path alone leads there, too: links in articles contain no language.
  expect((await read('/articles/inviter')).text).toContain('<html lang="fr" dir="ltr">')
  expect((await read('/categories/comptes?lang=fr')).text).toContain('href="/categories/accounts"')
})

test('patterns may have slug and language anywhere', async () => {
  const addresses = {
    article: '/{language}/{slug}.html',
    category: '/in/{slug}/{language}',
    tag: '/{slug}-tagged',
    origins: [],
  }
  const options = { addresses }
  const { text } = await read('/fr/inviter.html', options)
  expect(linksOf(text)).toContain('/en/invite-people.html')
  expect(linksOf(text)).toContain('/in/comptes/fr')
  expect(textOf((await read('/in/accounts/en', options)).text, 'h1')).toBe('Accounts')
  expect(textOf((await read('/start-tagged', options)).text, 'h1')).toBe('Articles tagged “Getting started”')
  expect((await read('/in/accounts/xx', options)).response.status).toBe(404)
  expect((await read('/de/invite-people.html', options)).response.status).toBe(404)
})

test('an article found under another slug is shown at its own URL', async () => {
  const source = createMemorySource(base)
  const app = appOf({
    ...source,
    findArticle: ({ slug, language }, viewer) =>
      source.findArticle({ slug: slug === 'old' ? 'invite-people' : slug, language }, viewer),
  })
  const response = await app.request('/articles/old')
  expect([response.status, response.headers.get('Location')]).toEqual([302, '/articles/invite-people'])
})

test('a missing page has links to others', async () => {
  for (const path of [
    '/nope',
    '/articles/nope',
    '/categories/nope',
    '/tags/nope',
    '/_kb/0/pages.css',
    '/%E0%A4%A',
  ]) {
    const { response, text } = await read(path)
    expect([path, response.status, textOf(text, 'h1')]).toEqual([path, 404, 'This page does not exist'])
    expect(linksOf(mainOf(text))).toEqual(['/', '/search'])
  }
})

test('a failure is reported to the operator, and not to the reader', async () => {
  const told: unknown[] = []
  const failing = { ...createMemorySource(base), listCategories: () => Promise.reject(new Error('secret')) }
  const app = appOf(failing, { onError: (error) => told.push(error) })
  const response = await app.request('/')
  const text = await response.text()
  expect([response.status, textOf(text, 'h1')]).toEqual([500, 'Something went wrong'])
  expect(text).not.toContain('secret')
  expect(told).toEqual([new Error('secret')])
  expect(response.headers.get('Cache-Control')).toBe('no-store')
})

test('every response has the security headers, and can be revalidated', async () => {
  const app = appOf(createMemorySource(base))
  const first = await app.request('/articles/showcase')
  expect(Object.fromEntries(first.headers)).toEqual({
    'cache-control': 'no-cache',
    'content-length': expect.stringMatching(/^\d+$/) as string,
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: http: https:; " +
      "media-src 'self' http: https:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    'content-type': 'text/html; charset=utf-8',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    etag: expect.stringMatching(/^W\/"[\w-]{22}"$/) as string,
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'referrer-policy': 'same-origin',
    vary: 'Authorization, Cookie, Accept-Encoding',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  })
  const tag = first.headers.get('ETag') ?? ''
  const again = async (known: string) =>
    (await app.request('/articles/showcase', { headers: { 'If-None-Match': known } })).status
  const strong = tag.replace('W/', '')
  expect([await again(tag), await again(`"x", ${strong}`), await again('"x"')]).toEqual([304, 304, 200])
  const missing = await app.request('/nope')
  expect(missing.headers.get('Content-Security-Policy')).toBe(first.headers.get('Content-Security-Policy'))
})

test('styles and scripts are cached permanently, with their digest in the path', async () => {
  const app = appOf(createMemorySource(base))
  const text = await (await app.request('/')).text()
  const files = [...text.matchAll(/(?:src|href)="(\/_kb\/[^"]*)"/g)].map(([, path = '']) => path)
  expect(files.map((path) => path.split('/').at(-1))).toEqual([
    'icon.svg',
    'pages.css',
    'article.css',
    'pages.js',
  ])
  for (const path of files) {
    const response = await app.request(path)
    expect([path, response.status, response.headers.get('Cache-Control')]).toEqual([
      path,
      200,
      'public, max-age=31536000, immutable',
    ])
  }
  expect((await app.request(files[0]?.replace('icon.svg', '..%2Fpages.css') ?? '')).status).toBe(404)
})

test('requests are measured by route; paths of others are not handled', async () => {
  const routes: string[] = []
  const app = appOf(createMemorySource(base), {
    reserved: ['/api'],
    headersOf: () => ({ 'X-Request-Id': 'r1' }),
    handle: (route, answer) => (c) => {
      routes.push(route)
      return answer(c)
    },
  })
  const answers: Response[] = []
  for (const path of ['/', '/search?q=a', '/articles/invite-people', '/categories/guides', '/nope', '/api/x'])
    answers.push(await app.request(path))
  expect(routes).toEqual(['/', '/search', ADDRESSES.article, ADDRESSES.category, '*'])
  expect(answers.map((answer) => answer.headers.get('X-Request-Id'))).toEqual([
    'r1',
    'r1',
    'r1',
    'r1',
    'r1',
    null,
  ])
  expect(await answers[5]?.text()).toBe('404 Not Found')
})

test('hostile names are shown as text everywhere', async () => {
  const evil = `"><img src=x onerror=alert(1)>'\u202E\r\n<!--{{x}}&amp;`
  const slug = `x"><b>\\..%2e'(\u202E`
  const hostile: MemoryBase = {
    name: evil,
    languages: ['en', '"><b>'],
    categories: [{ slug, name: evil, description: evil, translations: { '"><b>': { name: evil, slug } } }],
    tags: [{ slug, name: evil }],
    articles: [
      {
        title: evil,
        slug,
        category: slug,
        tags: [slug],
        excerpt: evil,
        editedDate: evil,
        html: '<h2 id="\'&quot;&gt;">a</h2>',
      },
      { title: `${evil}2`, slug: `${slug}2`, category: slug, language: '"><b>', translationOf: slug },
    ],
  }
  const at = encodeURIComponent(slug)
  const paths = [
    '/',
    `/articles/${at}`,
    `/articles/${at}2`,
    `/categories/${at}`,
    `/tags/${at}`,
    `/search?q=${encodeURIComponent(evil)}`,
    `/${at}?lang=${at}`,
  ]
  for (const path of paths) {
    const { response, text } = await read(path, {}, hostile)
    expect([path, response.status]).toEqual([path, path.startsWith(`/${at}`) ? 404 : 200])
    expect(text).not.toMatch(/<img|<b>|<!--(?!$)/)
    for (const href of linksOf(text)) expect(href).toMatch(/^(?:\/|#)[\w\-./?=%#&;~!*()+']*$/)
  }
})

test('drafts and tag lists are not for search engines', async () => {
  const paths = ['/', '/search', '/search?q=account', '/articles/invite-people', '/articles/secret']
  const isListed = async (path: string) =>
    !(await read(path, asAuthor)).text.includes('<meta name="robots" content="noindex" />')
  expect(await Promise.all(paths.map(isListed))).toEqual([true, false, false, true, false])
})

test('in a language without messages, the texts of the pages are marked as English', async () => {
  const paths = [
    '/?lang=ar',
    '/search?lang=ar',
    '/search?q=x&lang=ar',
    `/articles/${encodeURIComponent('دعوة')}?lang=ar`,
  ]
  const { skip, searchHint, search, topics, allArticles, home, lastChanged, onThisPage } = messagesFor('en')
  const said = [skip, searchHint, search, topics, allArticles, home, lastChanged('').trim(), onThisPage]
  for (const path of paths) {
    const { text } = await read(path, asAuthor)
    expect([path, text.includes('<html lang="ar" dir="rtl">')]).toEqual([path, true])
    expect([path, text.includes(`<bdi lang="en" dir="ltr">${skip}</bdi>`)]).toEqual([path, true])
    const unmarked = textOf(text.replaceAll(/<bdi lang="en" dir="ltr">.*?<\/bdi>/gs, ''), 'body')
    expect([path, said.filter((each) => unmarked.includes(each))]).toEqual([path, []])
  }
  const { text: missing } = await read('/nope?lang=ar')
  expect(missing.replaceAll(/\s+/g, ' ')).toContain('lang="en" dir="ltr" > <div class="kb-problem">')
})

test('a reader from elsewhere gets the home page in the language of the browser', async () => {
  const locationFor = async (headers: Record<string, string>, path = '/', options = {}) => {
    const app = appOf(createMemorySource(base), options)
    const { status, headers: sent } = await app.request(path, { headers })
    expect(sent.get('Vary')).toContain('Accept-Language, Referer, Sec-Fetch-Site')
    return status === 302 ? sent.get('Location') : status
  }
  expect(await locationFor({ 'Accept-Language': 'fr-CH, fr;q=0.9, en;q=0.8' })).toBe('/?lang=fr')
  expect(await locationFor({ 'Accept-Language': 'de, ar;q=0.5, en;q=0.2' })).toBe('/?lang=ar')
  expect(await locationFor({ 'Accept-Language': 'de, en;q=0.9, fr;q=0.8' })).toBe(200)
  expect(await locationFor({ 'Accept-Language': 'fr;q=0, *' })).toBe(200)
  expect(await locationFor({})).toBe(200)
  // A language without articles does not count.
  const french = { 'Accept-Language': 'fr' }
  const english = { ...base, articles: base.articles.filter(({ language }) => language !== 'fr') }
  const response = await appOf(createMemorySource(english)).request('/', { headers: french })
  expect(response.status).toBe(200)
  // A language that the reader has chosen is kept.
  expect(await locationFor(french, '/?lang=en')).toBe(200)
  expect(await locationFor({ ...french, 'Sec-Fetch-Site': 'same-origin' })).toBe(200)
  expect(await locationFor({ ...french, 'Sec-Fetch-Site': 'cross-site' })).toBe('/?lang=fr')
  const inside = { Host: 'help.example.com', Referer: 'http://help.example.com/search' }
  expect(await locationFor({ ...french, ...inside })).toBe(200)
  expect(await locationFor({ ...french, ...inside, Referer: 'https://example.org/' })).toBe('/?lang=fr')
  expect(await locationFor(french, '/', asAuthor)).toBe(200)
})

test('pages about problems are in the language of the browser, with a menu of languages', async () => {
  const headers = { 'Accept-Language': 'fr-CH, de;q=0.5' }
  const app = appOf(createMemorySource(base))
  const failing = { ...createMemorySource(base), listCategories: () => Promise.reject(new Error('x')) }
  const shown = async (path: string, from = app) => {
    const response = await from.request(path, { headers })
    const text = await response.text()
    return [
      response.status,
      textOf(text, 'h1'),
      /hreflang="([^"]+)"[^>]*>/g.test(text.split('<main')[0] ?? ''),
    ]
  }
  const { missing, forbidden, failed } = messagesFor('fr')
  expect(await shown('/nope')).toEqual([404, missing, true])
  expect(await shown('/status')).toEqual([403, forbidden, true])
  expect(await shown('/status?lang=en')).toEqual([403, messagesFor('en').forbidden, true])
  // The source may be the cause, so this page knows no languages of the site.
  const broken = appOf(failing, { onError: () => undefined })
  expect(await shown('/articles/showcase', broken)).toEqual([500, failed, false])
  expect(await shown('/?lang=de', broken)).toEqual([500, messagesFor('de').failed, false])
})

test.each<[string, string, Record<string, string>, 'fr' | 'en']>([
  ['the language of the browser', '/nope', { 'Accept-Language': 'fr' }, 'fr'],
  ['the language of the URL', '/nope?lang=en', { 'Accept-Language': 'fr' }, 'en'],
  ['the language of the link', '/nope', { 'Accept-Language': 'fr', 'Sec-Fetch-Site': 'same-origin' }, 'en'],
  ['the default language', '/nope', { 'Accept-Language': 'xx' }, 'en'],
])('a missing page is in %s', async (_, path, headers, language) => {
  const response = await appOf(createMemorySource(base)).request(path, { headers })
  expect([response.status, response.headers.get('Vary')]).toEqual([
    404,
    'Authorization, Cookie, Accept-Encoding, Accept-Language, Referer, Sec-Fetch-Site',
  ])
  expect(textOf(await response.text(), 'body')).toContain(messagesFor(language).missingHint)
})

test('numbers are formatted for the language', async () => {
  const many: MemoryBase = {
    languages: ['en', 'de'],
    categories: [{ slug: 'a', name: 'A' }],
    articles: Array.from({ length: 1234 }, (_, index) => ({
      title: `T${index}`,
      slug: `t${index}`,
      language: index % 2 === 0 ? 'en' : 'de',
      category: 'a',
    })),
  }
  const twice = {
    ...many,
    articles: many.articles.flatMap((each) => [each, { ...each, slug: `${each.slug}-2` }]),
  }
  expect((await read('/', {}, twice)).text).toContain('1,234 articles')
  const german = (await read('/?lang=de', {}, twice)).text
  expect(german).toContain('1.234 Artikel')
  expect((await read('/articles/t1?lang=de', {}, twice)).text).toContain(
    '<span class="kb-number">1.234</span>',
  )
})
