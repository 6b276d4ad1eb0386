import { writeFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { BrandSettings } from '../../../../src/core/config/settings.ts'
import { loadBrand } from '../../../../src/web/pages/brand/load-brand.ts'
import { EMBED_HOSTS, playerOf } from '../../../../src/core/embed-hosts.ts'
import { messagesFor } from '../../../../src/core/page-messages.ts'
import { wordingIn } from '../../../../src/web/pages/brand/brand-parts.ts'
import { temporaryFolder } from '../../../support/folder.ts'
import { createMemorySource, type MemoryBase } from '../memory-source.ts'
import { ADDRESSES, sampleBase } from '../sample-base.ts'
import { appOf } from '../serve-pages.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="20"><script>alert(1)</script></svg>'
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

type Files = Readonly<Record<string, string | Uint8Array>>

function settingsOf(brand: BrandSettings, files: Files = {}): Parameters<typeof loadBrand>[0] {
  const root = temporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
  return { root, brand }
}

const base = await sampleBase()

interface ReadOptions {
  readonly files?: Files
  readonly addresses?: Parameters<typeof appOf>[1] extends infer Given
    ? NonNullable<Given> extends { readonly addresses?: infer Addresses }
      ? Addresses
      : never
    : never
  readonly from?: MemoryBase
}

async function open(
  settings: BrandSettings,
  { files = {}, addresses = ADDRESSES, from = base }: ReadOptions = {},
) {
  const brand = loadBrand(settingsOf(settings, files))
  const app = appOf(createMemorySource(from), { brand, addresses })
  return {
    read: async (path: string) => (await app.request(path)).text(),
    get: (path: string) => app.request(path),
  }
}

const attribute = (html: string, element: RegExp, name: string) =>
  new RegExp(`${name}="([^"]*)"`).exec(element.exec(html)?.[0] ?? '')?.[1]

describe('files', () => {
  test('a logo has a URL with its digest, is cached permanently, and runs nothing', async () => {
    const { read, get } = await open({ logo: 'brand/logo.svg' }, { files: { 'brand/logo.svg': SVG } })
    const html = await read('/')
    const image = /<img\s+class="kb-logo"[^>]*>/
    expect([attribute(html, image, 'alt'), attribute(html, image, 'width')]).toEqual(['', '80'])
    const response = await get(attribute(html, image, 'src') ?? '')
    expect(await response.text()).toBe(
      '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="80" height="20"></svg>',
    )
    expect(response.headers.get('Content-Type')).toBe('image/svg+xml')
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
    )
  })

  test('a logo for dark pages, which replaces the name', async () => {
    const { read } = await open(
      { logo: { light: 'a.png', dark: 'https://cdn.example.com/b.svg', replacesName: true } },
      { files: { 'a.png': PNG } },
    )
    const html = await read('/search')
    expect(attribute(html, /<img\s+class="kb-logo"[^>]*>/, 'alt')).toBe('Acme Help')
    expect(attribute(html, /<source[^>]*>/, 'srcset')).toBe('https://cdn.example.com/b.svg')
    expect(html).not.toContain('<span>Acme Help</span>')
  })

  test('the type of a file is determined by its content', async () => {
    const { read, get } = await open({ favicon: 'icon.svg' }, { files: { 'icon.svg': PNG } })
    const icon = attribute(await read('/'), /<link rel="icon"[^>]*>/, 'href') ?? ''
    expect((await get(icon)).headers.get('Content-Type')).toBe('image/png')
  })

  test('a stylesheet follows our own ones, with the files that it names', async () => {
    const css =
      "/* url(gone.png) */ @font-face { src: url('fonts/a.woff2?v=1#x') } a { background: url(data:,) url(/x) url(#y) }"
    const { read, get } = await open(
      { css: 'look/own.css', colours: { accent: '#0f766e' } },
      { files: { 'look/own.css': css, 'look/fonts/a.woff2': 'wOF2' } },
    )
    const html = await read('/')
    const sheets = [...html.matchAll(/<link rel="stylesheet" href="([^"]*)"/g)].map(([, href = '']) => href)
    const response = await get(sheets.at(-1) ?? '')
    const text = await response.text()
    expect(sheets.map((href) => href.split('/').at(-1))).toEqual(['pages.css', 'article.css', 'brand.css'])
    expect(response.headers.get('Content-Type')).toBe('text/css; charset=utf-8')
    expect(text).toMatch(/^:root \{ --kb-accent: #0f766e;/)
    expect(text).toContain('/* url(gone.png) */')
    expect(text).toContain('url(data:,) url(/x) url(#y)')
    const font = /url\("\.\.(\/\w+\/a\.woff2)\?v=1#x"\)/.exec(text)?.[1] ?? ''
    const served = await get(`/_kb${font}`)
    expect([served.headers.get('Content-Type'), await served.text()]).toEqual(['font/woff2', 'wOF2'])
    expect((await get('/')).headers.get('Content-Security-Policy')).toContain("; font-src 'self' data:; ")
  })

  test('the policy allows a stylesheet of another host, and nothing else', async () => {
    const { get } = await open({ css: 'https://cdn.example.com/a/own.css' })
    const policy = (await get('/')).headers.get('Content-Security-Policy') ?? ''
    expect(policy).toContain("style-src 'self' https://cdn.example.com; ")
    expect(policy).toContain("font-src 'self' data: https://cdn.example.com; ")
    expect(policy).toContain("script-src 'self'; ")
  })

  test.for<[string, BrandSettings, Files, string]>([
    ['missing', { logo: 'logo.svg' }, {}, 'pages.logo: the file logo.svg does not exist.'],
    [
      'missing',
      { css: 'a.css' },
      { 'a.css': 'a { background: url(b.png) }' },
      'pages.css: the file b.png does not exist.',
    ],
    ['a folder', { favicon: 'a' }, { 'a/b': '' }, 'pages.favicon: a could not be read: EISDIR'],
    [
      'no image',
      { logo: { light: 'a.png' } },
      { 'a.png': 'text' },
      'pages.logo: a.png is not an image that browsers show.',
    ],
    [
      'no image',
      { logo: { light: 'https://e.com/a', dark: 'b.svg' } },
      { 'b.svg': '<html>' },
      'pages.logo.dark: b.svg is not an image',
    ],
    [
      'of two drawings',
      { logo: 'a.svg' },
      { 'a.svg': '<svg></svg><svg></svg>' },
      'pages.logo: a.svg is no SVG that can be cleaned.',
    ],
    [
      'too large',
      { favicon: 'a.ico' },
      { 'a.ico': new Uint8Array(2_000_001) },
      'pages.favicon: a.ico is larger than 2 MB.',
    ],
  ])('a file that is %s: %j', ([, brand, files, message]) => {
    const seen: string[] = []
    const settings = settingsOf(brand, files)
    expect(() => loadBrand(settings, (file) => seen.push(file))).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        message: expect.stringContaining(message) as string,
      }),
    )
    // So that a watch notices when the file exists.
    expect(seen.length).toBeGreaterThan(0)
  })

  test('an SVG without a size is accepted', () => {
    const brand = loadBrand(
      settingsOf({ logo: 'a.svg' }, { 'a.svg': `<!-- ${'x'.repeat(2000)} --><svg></svg>` }),
    )
    expect(brand.logo?.light).toMatchObject({ width: undefined, height: undefined })
  })

  test('the digest changes with a file and with a text', () => {
    const digestOf = (svg: string, text: string) =>
      loadBrand(settingsOf({ logo: 'a.svg', home: { text } }, { 'a.svg': svg })).digest
    expect(digestOf(SVG, 'a')).toBe(digestOf(SVG, 'a'))
    expect(
      new Set([digestOf(SVG, 'a'), digestOf(SVG.replace('80', '81'), 'a'), digestOf(SVG, 'b')]).size,
    ).toBe(3)
  })
})

describe('header and footer', () => {
  const LINKS: BrandSettings = {
    header: [{ text: { en: 'Website', fr: 'Site' }, url: 'https://acme.example' }],
    footer: [
      { text: 'Terms <b>', url: '/articles/terms' },
      { text: 'Privacy', url: { en: 'https://acme.example/privacy', fr: 'https://acme.example/fr/privacy' } },
    ],
    contact: 'mailto:help@acme.example',
  }

  test('each page has the links, in its language', async () => {
    const { read } = await open(LINKS)
    for (const path of ['/', '/search', '/articles/invite-people', '/nope']) {
      const html = await read(path)
      expect(html).toContain('<a href="https://acme.example">Website</a>')
      expect(html).toContain('<a href="/articles/terms">Terms &lt;b&gt;</a>')
      expect(html).toMatch(/Need more help\? <a href="mailto:help@acme.example">Contact us<\/a>/)
    }
    const french = await read('/?lang=fr')
    expect(french).toContain('<a href="https://acme.example">Site</a>')
    expect(french).toContain('<a href="https://acme.example/fr/privacy">Privacy</a>')
    expect(french).toContain('Contactez-nous')
  })

  test('paths are relative to the pages, wherever these are', async () => {
    const addresses = { ...ADDRESSES, url: 'https://acme.example/help', base: '/help' }
    const { read } = await open({ ...LINKS, logo: 'a.svg' }, { files: { 'a.svg': SVG }, addresses })
    const html = await read('/help/')
    expect(html).toContain('<a href="/help/articles/terms">')
    expect(html).toMatch(/src="\/help\/_kb\/\w+\/a.svg"/)
  })

  test('without links there is no footer', async () => {
    const { read } = await open({ header: [], footer: [] })
    expect(await read('/')).not.toMatch(/<footer class="kb-footer|kb-links/)
  })
})

describe('the home page', () => {
  const mainOf = (html: string) => /<main.*<\/main>/s.exec(html)?.[0] ?? ''

  test('has a title, a text, a search box and featured articles', async () => {
    const { read } = await open({
      home: {
        title: { en: 'How can we help?', fr: 'Bonjour' },
        text: 'Guides & answers.',
        featured: ['invite-people', 'secret', 'gone', 'pay-by-card'],
      },
    })
    const home = await read('/')
    expect(home).toContain('<meta name="description" content="Guides &amp; answers." />')
    const main = mainOf(home)
    expect(main).toContain('<h1 dir="auto">How can we help?</h1>')
    expect(main).toContain('<p dir="auto">Guides &amp; answers.</p>')
    expect(main).toContain('role="search"')
    const featured = /<ul class="kb-list kb-featured">.*?<\/ul>/s.exec(main)?.[0] ?? ''
    // Readers see neither drafts nor gaps.
    expect([...featured.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      '/articles/invite-people',
      '/articles/pay-by-card',
    ])
    const french = mainOf(await read('/?lang=fr'))
    expect(french).toContain('<h1 dir="auto">Bonjour</h1>')
    expect(/<ul class="kb-list kb-featured">.*?<\/ul>/s.exec(french)?.[0]).toContain(
      '/articles/inviter?lang=fr',
    )
  })

  test('shows the images of categories, with letters for categories without one', async () => {
    const from: MemoryBase = {
      categories: [
        { slug: 'a', name: 'Apples', icon: 'https://e.com/a.svg', thumbnail: '/files/b.png' },
        { slug: 'b', name: 'élan', icon: 'javascript:alert(1)' },
      ],
      articles: ['a', 'b'].map((category) => ({ title: category, slug: category, category })),
    }
    const main = mainOf(await (await open({}, { from })).read('/'))
    expect(main).toContain('<img class="kb-icon" src="https://e.com/a.svg" alt="" width="40" height="40" />')
    expect(main).toContain('<img class="kb-thumbnail" src="/files/b.png" alt="" loading="lazy" />')
    expect(main).toContain('<span class="kb-icon" aria-hidden="true">É</span>')
    expect(main).not.toContain('javascript:')
  })
})

test('videos of allowed hosts play on the page, others are links', async () => {
  const html =
    '<p><a href="https://www.youtube.com/watch?v=abc_1-2&amp;t=5">Watch it</a></p><p><a href="https://vimeo.com/123">Vimeo</a></p><p>See <a href="https://youtu.be/abc">this</a></p>'
  const from: MemoryBase = { articles: [{ title: 'A', slug: 'a', html }] }
  const allowed = await open({ embeds: ['youtube'] }, { from })
  const page = await allowed.read('/articles/a')
  expect(page).toContain(
    '<p class="kb-video"><a href="https://www.youtube.com/watch?v=abc_1-2&#x26;t=5" data-kb-player="https://www.youtube-nocookie.com/embed/abc_1-2?autoplay=1" rel="noopener noreferrer">Watch it</a></p>',
  )
  expect(page.match(/data-kb-player/g)?.length).toBe(1)
  expect((await allowed.get('/')).headers.get('Content-Security-Policy')).toContain(
    '; frame-src https://www.youtube-nocookie.com; ',
  )
  const plain = await open({}, { from })
  expect(await plain.read('/articles/a')).not.toContain('kb-video')
  expect((await plain.get('/')).headers.get('Content-Security-Policy')).not.toContain('frame-src')
})

test.each([
  ['https://youtu.be/abc', 'https://www.youtube-nocookie.com/embed/abc?autoplay=1'],
  ['http://m.youtube.com/shorts/abc', 'https://www.youtube-nocookie.com/embed/abc?autoplay=1'],
  ['https://www.youtube.com/playlist?list=abc', undefined],
  ['https://youtube.com.example.org/watch?v=abc', undefined],
  ['https://www.youtube.com/watch?v=a%22b', undefined],
  ['https://player.vimeo.com/video/12', 'https://player.vimeo.com/video/12?dnt=1&autoplay=1'],
  ['https://vimeo.com/about', undefined],
  ['https://www.loom.com/share/0a1b', 'https://www.loom.com/embed/0a1b?autoplay=1'],
  ['javascript:alert(1)', undefined],
  ['/watch?v=abc', undefined],
])('the player of %s is %s', (href, player) => {
  expect(playerOf(href, EMBED_HOSTS)).toBe(player)
})

test('texts of the pages can be set in the configuration', async () => {
  const { language: _, ...english } = messagesFor('en')
  const ours = { ...english, search: 'بحث', articles: (count: number) => `${count} مقالات`, skip: 'تخطي' }
  const { read } = await open({ messages: { ar: ours, fr: { ...english, search: 'Trouver' } } })
  const arabic = await read('/?lang=ar')
  expect(arabic).toContain('<button type="submit">بحث</button>')
  expect(arabic).toContain('<p class="kb-note">1 مقالات</p>')
  expect(arabic).toContain('<a class="kb-skip" href="#_kb-main">تخطي</a>')
  expect(await read('/?lang=fr')).toContain('<button type="submit">Trouver</button>')
  expect(await read('/')).toContain('<button type="submit">Search</button>')
})

test.for([
  ['pt-BR', 'pt', 'pt'],
  ['pt-BR', 'pt-BR', 'pt-BR'],
  ['pt', 'pt-BR', 'en'],
  ['de-AT', 'pt', 'de'],
])('messages for %s with custom ones for %s are those for %s', ([asked = '', own = '', found = '']) => {
  expect(messagesFor(asked, { [own]: messagesFor('en') }).language).toBe(found)
})

test.for([
  ['de', 'de'],
  ['pt-BR', 'pt'],
  ['fr', 'en'],
])('a text for %s is the one of %s', ([asked = '', found = '']) => {
  expect(wordingIn({ en: 'en', de: 'de', pt: 'pt' }, asked, 'en')).toBe(found)
  expect(wordingIn('all', asked, 'en')).toBe('all')
  expect(wordingIn({ it: 'it' }, asked, 'en')).toBe('it')
})
