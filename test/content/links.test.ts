import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { png, pngOf, webpOf } from '../support/images.ts'
import { contentFolder, type Files, FRONTMATTER, loadFiles, loadFolder, placesOf } from './load-files.ts'

const article = (body = '') => `${FRONTMATTER}${body}`
const titled = (slug: string, body: string) =>
  `---\ntitle: ${slug}\nslug: ${slug}\ncategories: [Guides]\n---\n${body}`

const FILES: Files = {
  'a.md': article(),
  'guides/index.md': titled('guides', '# First steps\n\n## Straße & Öl\n'),
  'guides/b.md': article('# One\n\n## Two\n'),
  'faq/readme.md': article(),
  'faq/with space.md': titled('spaced', ''),
  'faq/100%.md': titled('percent', ''),
  'faq/c#.md': titled('sharp', ''),
  'faq/fr.md': '---\ntitle: F\nlanguage: fr\ncategories: [Guides]\n---\n# Un\n',
  'notes.txt': 'text',
  'img/dot.png': png(),
  'img/Ü.svg': '<svg/>',
  'img/big.png': pngOf(1001),
  'img/just.webp': webpOf(1000),
}

/** Returns the HTML of a piece of Markdown in guides/from.md, or its problem. */
async function resolve(markdown: string, files: Files = FILES) {
  const { html, diagnostics } = await loadFiles({ ...files, 'guides/from.md': article(markdown) })
  const [found] = diagnostics
  if (found !== undefined) return { count: diagnostics.length, ...found }
  return html['guides/from.md']?.trim()
}

const link = (href: string) => `<p><a href="${href}">x</a></p>`

describe('a link to an article becomes its URL', () => {
  test.each([
    ['b.md', '/en/b'],
    ['./b.md', '/en/b'],
    ['../a.md', '/en/a'],
    ['/a.md', '/en/a'],
    ['/guides/b.md#two', '/en/b#two'],
    ['.', '/en/guides'],
    ['./', '/en/guides'],
    ['../guides', '/en/guides'],
    ['index.md', '/en/guides'],
    ['../faq', '/en/faq'],
    ['../faq/', '/en/faq'],
    ['../faq/fr.md#un', '/fr/fr#un'],
    ['../faq/with%20space.md', '/en/spaced'],
    ['<../faq/with space.md>', '/en/spaced'],
    ['../faq/100%25.md', '/en/percent'],
    ['../faq/c%23.md', '/en/sharp'],
    ['b.md#one', '/en/b#one'],
    ['b.md#ONE', '/en/b#one'],
    ['b.md?print=1#two', '/en/b?print=1#two'],
    ['b.md?print=1', '/en/b?print=1'],
    ['b.md#', '/en/b#'],
    ['index.md#straße--öl', '/en/guides#stra%C3%9Fe--%C3%B6l'],
    ['index.md#stra%C3%9Fe--o%CC%88l', '/en/guides#stra%C3%9Fe--%C3%B6l'],
  ])('%s', async (written, expected) => {
    expect(await resolve(`[x](${written})`)).toBe(link(expected))
  })

  test.each([
    'https://example.com/a.md',
    '//example.com/a.md',
    'mailto:a@example.com',
    '/login',
    '/files/a.pdf?x',
    '?x=1',
  ])('but %s is unchanged', async (written) => {
    expect(await resolve(`[x](${written})`)).toBe(link(written))
  })

  test('in any Unicode form of file and folder names', async () => {
    const files = { 'caf\u0065\u0301/cr\u00e8me.md': titled('nfd', ''), 'caf\u00e9s.md': titled('nfc', '') }
    for (const form of ['NFC', 'NFD']) {
      const written = encodeURI('../café/crème.md'.normalize(form))
      expect(await resolve(`[x](${written})`, files)).toBe(link('/en/nfd'))
      expect(await resolve(`[x](${encodeURI('../cafés.md'.normalize(form))})`, files)).toBe(link('/en/nfc'))
    }
    const inside = { 'cafe\u0301/a.md': article('[x](b.md)'), 'cafe\u0301/b.md': titled('b', '') }
    expect((await loadFiles(inside)).html['cafe\u0301/a.md']?.trim()).toBe(link('/en/b'))
  })

  test('to an article with errors is not reported, only those errors', async () => {
    const broken = { 'bad.md': '---\ntitel: A\n---\n', 'bad/index.md': '---\ntitle: [\n---\n' }
    const loaded = await loadFiles({
      ...broken,
      'a.md': article('[x](bad.md) [y](bad.md#z) [z](bad/) [w](bad.mb)'),
    })
    expect(placesOf(loaded)).toEqual([
      'a.md:5:41 link-file-missing',
      'bad.md:2:1 title-missing',
      'bad/index.md:2:8 frontmatter-syntax',
    ])
  })
})

describe('a broken link is an error', () => {
  const path = 'The path is relative to this file: correct it, or create that article.'
  const address =
    'Link to an article by its path, relative to this file, and to anything else by its absolute URL.'
  const articles =
    'Only articles and images are sent. Set assets.baseUrl to publish other files, sync to a service that stores files, or link to an absolute URL.'
  const outside = 'Link to a file inside it, or to an absolute URL.'
  test.each<[string, string, string, string, string?]>([
    ['c.md', 'link-file-missing', 'There is no article "guides/c.md".', path],
    [
      'a.b@example.com',
      'link-file-missing',
      'There is no file "guides/a.b@example.com".',
      'Write mailto:a.b@example.com for an email address.',
    ],
    [
      'www.example.org/a',
      'link-file-missing',
      'There is no article "guides/www.example.org/a".',
      'Write https://www.example.org/a for a web page.',
    ],
    ['没有.md', 'link-file-missing', 'There is no article "guides/没有.md".', path],
    ['../guide/b.md', 'link-file-missing', 'There is no article "guide/b.md".', 'Did you mean b.md?', 'b.md'],
    ['b', 'link-file-missing', 'There is no article "guides/b".', 'Did you mean b.md?', 'b.md'],
    ['/guides/bb.md', 'link-file-missing', 'There is no article "guides/bb.md".', 'Did you mean b.md?'],
    ['quite-another.md', 'link-file-missing', 'There is no article "guides/quite-another.md".', path],
    ['../img', 'link-file-missing', 'There is no article "img".', address],
    ['license', 'link-file-missing', 'There is no article "guides/license".', address],
    ['examples/node/app.js', 'link-file-missing', 'There is no file "guides/examples/node/app.js".', address],
    ['../notes.txt', 'link-not-article', '"../notes.txt" is a file but not an article.', articles],
    ['../img/dot.png', 'link-not-article', '"../img/dot.png" is a file but not an article.', articles],
    ['../../a.md', 'link-outside', '"../../a.md" leaves the content folder.', outside],
    ['../..', 'link-outside', '"../.." leaves the content folder.', outside],
    ['/../a.md', 'link-outside', '"/../a.md" leaves the content folder.', outside],
    ['%2e%2e/%2e%2e/a.md', 'link-outside', '"%2e%2e/%2e%2e/a.md" leaves the content folder.', outside],
    ['b.md#twoo', 'link-heading-missing', 'guides/b.md has no heading "#twoo".', 'Did you mean #two?'],
    [
      'b.md#elsewhere',
      'link-heading-missing',
      'guides/b.md has no heading "#elsewhere".',
      'Link to the file, or to one of its headings.',
    ],
    ['../a.md/b', 'link-file-missing', 'There is no article "a.md/b".', address],
    ['a%00b.md', 'link-file-missing', 'There is no article "guides/a\0b.md".', path],
    [
      `${'n'.repeat(300)}.md`,
      'link-file-missing',
      `There is no article "guides/${'n'.repeat(300)}.md".`,
      path,
    ],
  ])('%s', async (written, code, message, hint, fixed) => {
    const [start, end] = [7, 7 + written.length].map((column) => ({ line: 7, column }))
    const fix = [{ start, end, before: written, text: fixed }]
    expect(await resolve(`Text\n\n- [x](${written})`)).toEqual({
      count: 1,
      code,
      severity: 'error',
      file: 'guides/from.md',
      line: 7,
      column: 7,
      end,
      message,
      hint,
      ...(fixed !== undefined && { fix }),
    })
  })
})

describe('a URL of the knowledge base', () => {
  const other =
    'Link to a file instead, as kb-sync knows its URL. If only the target has the article, ignore this.'
  const files = { ...FILES, 'old.md': `${FRONTMATTER.replace('title', 'aliases: [former]\ntitle')}\n` }
  test.each<[string, string?, string?]>([
    ['/en/b'],
    ['/en/b/?print=1#two'],
    ['/en/former'],
    ['/fr/fr'],
    ['/fr/%66r'],
    ['/pricing'],
    ['/en/guides/b'],
    ['/en/guide', '/en/guide', 'Did you mean "/en/guides"?'],
    ['/en/gu%69de#top', '/en/guide', 'Did you mean "/en/guides"?'],
    ['/en/B', '/en/B', 'Did you mean "/en/b"?'],
    ['/en/unrelated', '/en/unrelated', other],
    ['/fr/b', '/fr/b', other],
  ])('%s', async (written, path, hint) => {
    const found = await resolve(`[x](${written})`, files)
    if (path === undefined) return expect(found).toBe(link(written))
    expect(found).toMatchObject({
      count: 1,
      code: 'link-url-missing',
      severity: 'warning',
      column: 5,
      message: `No article, category or tag here has the URL "${path}".`,
      hint,
    })
  })

  test.each(['/help/{slug}', '/help/{slug}/', '/help/{slug}?view=1', '/help/kb?article={slug}'])(
    'by the pattern %s',
    async (pattern) => {
      const own = pattern.replace('{slug}', 'a')
      const links = `[x](${own})\n[x](/help/search?q=x) [x](/help/feed.xml) [x](/help/topics) [x](/help/none)\n`
      const { diagnostics } = await loadFiles(
        { 'a.md': article(links), '_categories.yml': '- { name: Guides, slug: guides }\n' },
        {
          articleUrl: ({ slug }) => pattern.replace('{slug}', slug),
          categoryUrl: ({ slug }) => `/help/topics/${slug}`,
        },
      )
      expect(diagnostics.map(({ message }) => message)).toEqual([
        'No article, category or tag here has the URL "/help/none".',
      ])
    },
  )

  test('of very many that are missing, only some are compared with all others', async () => {
    const links = Array.from({ length: 150 }, (_, nth) => `[x](/en/guide-${nth})`)
    const { diagnostics } = await loadFiles({ ...FILES, 'from.md': article(links.join(' ')) })
    const guesses = diagnostics.map(({ hint }) => hint === 'Did you mean "/en/guides"?')
    expect(guesses).toEqual(links.map((_, nth) => nth < 100))
  })

  test('may be that of an article with an error, or of a category without a slug', async () => {
    const names = '- { name: A, slug: a }\n- { name: B }\n'
    const project = { 'a.md': article('[x](/en/none) [x](/en/tags/none)'), '_tags.yml': names }
    expect(placesOf(await loadFiles(project))).toEqual(['a.md:5:5 link-url-missing'])
    const { diagnostics } = await loadFiles({ ...project, 'bad.md': '---\n---\n' })
    expect(diagnostics.map(({ file }) => file)).not.toContain('a.md')
  })
})

describe('an image', () => {
  const data = (type: string, text: string | Buffer) =>
    `data:${type};base64,${Buffer.from(text).toString('base64')}`
  const image = (src: string) => `<p><img src="${src}" alt="x"></p>`

  test.each([
    ['../img/dot.png', data('image/png', png())],
    ['../img/dot.png?v=2', data('image/png', png())],
    ['/logo.png', '/logo.png'],
    ['../img/just.webp', data('image/webp', webpOf(1000))],
    ['../img/%C3%9C.svg', data('image/svg+xml', '<svg/>')],
    ['../img/U%CC%88.svg', data('image/svg+xml', '<svg/>')],
    ['https://example.com/x.png', 'https://example.com/x.png'],
  ])('%s is sent as %.30s', async (written, expected) => {
    expect(await resolve(`![x](${written})`)).toBe(image(expected))
  })

  const types = 'Supported image types: .avif, .gif, .jpeg, .jpg, .png, .svg, .webp.'
  const missing = 'The path is relative to the file that contains it, uses /, and is case-sensitive.'
  test.each([
    ['../img/none.png', 'asset-missing', 'The image "img/none.png" does not exist.', missing],
    ['../a.md/x.png', 'asset-missing', 'The image "a.md/x.png" does not exist.', missing],
    ['a%00.png', 'asset-missing', 'The image "guides/a\0.png" does not exist.', missing],
    [
      '../img/big.png',
      'asset-too-large',
      'The image "img/big.png" has 1.0 kB; only images of up to 1.0 kB can be sent inside the article.',
      'Make it smaller, raise assets.inlineUnder, set assets.baseUrl to publish it with kb assets, or sync to a service that stores files.',
    ],
    ['../notes.txt', 'asset-type', '"notes.txt" is not an image of a known type.', types],
    [
      '../../x.png',
      'link-outside',
      '"../../x.png" leaves the content folder.',
      'Link to a file inside it, or to an absolute URL.',
    ],
  ])('%s is an error', async (written, code, message, hint) => {
    const end = { line: 5, column: 6 + written.length }
    const place = { file: 'guides/from.md', line: 5, column: 6, end }
    expect(await resolve(`![x](${written})`)).toEqual({
      count: 1,
      code,
      severity: 'error',
      ...place,
      message,
      hint,
    })
  })

  test('that leads outside the content folder through a symbolic link is an error', async () => {
    const outside = contentFolder({ 'secret.png': 'secret' })
    const root = contentFolder({
      'a.md': article('![x](out.png) ![x](self.png) ![x](in.png)'),
      'dot.png': png(),
    })
    symlinkSync(join(outside, 'secret.png'), join(root, 'out.png'))
    symlinkSync('self.png', join(root, 'self.png'))
    symlinkSync('dot.png', join(root, 'in.png'))
    const loaded = await loadFolder(root)
    expect(loaded.diagnostics.map(({ code, message, hint }) => [code, message, hint])).toEqual([
      [
        'link-outside',
        '"out.png" points to a file outside the content folder.',
        'Copy the image into the content folder.',
      ],
      ['asset-missing', 'The image "self.png" does not exist.', missing],
    ])
    expect(loaded.assets.map(({ source }) => source)).toEqual(['in.png'])
  })

  test('that is embedded too often in an article is left out, but not the others', async () => {
    const root = contentFolder({
      'a.md': article(`${'![x](big.png)\n'.repeat(13)}![y](dot.png) <img src="./big.png" alt="x">`),
      'big.png': pngOf(1_000_000),
      'dot.png': png(),
    })
    const assets = { inlineUnderBytes: 1_000_000, baseUrl: undefined, maxSizeBytes: 1_000_000 }
    const rules = { 'asset-too-large': 'warning', 'image-alt-missing': 'off' } as const
    const { diagnostics, html } = await loadFolder(root, { assets, rules })
    expect(diagnostics).toEqual([
      {
        code: 'asset-too-large',
        severity: 'warning',
        file: 'a.md',
        line: 5,
        column: 6,
        end: { line: 5, column: 13 },
        message:
          'With "big.png" (14 times), the images embedded in the article total 19 MB; the limit is 16 MB.',
        hint: 'Use the image less often, make it smaller, or publish it with kb assets (assets.baseUrl).',
      },
    ])
    const sources = Array.from((html['a.md'] ?? '').matchAll(/src="(.{0,20})/g), ([, source]) => source)
    expect(sources).toEqual([
      ...Array.from({ length: 13 }, () => 'big.png" alt="x">'.slice(0, 20)),
      'data:image/png;base6',
      './big.png" alt="x"><',
    ])
    const few = contentFolder({ 'a.md': article('![x](big.png)\n'.repeat(11)), 'big.png': pngOf(1_000_000) })
    expect((await loadFolder(few, { assets, rules })).diagnostics).toEqual([])
  })

  test('is named as in the file system, so that its changes are noticed', async () => {
    const files = { 'img/u\u0308.png': png(), 'a.md': article('![x](img/ü.png) ![y](img/u%CC%88.png)') }
    expect((await loadFiles(files)).assets.map(({ source }) => source)).toEqual(['img/u\u0308.png'])
  })
})

test('a URL with a template is reported as a value that only the tool knows', async () => {
  const { diagnostics } = await loadFiles({
    'a.md': article('[a]({{url}}) [b](<../{{ b.url }}/c>) ![c]({{c}}.png)\n\n<a href="{{ d.url }}">d</a>\n'),
  })
  expect(diagnostics.map(({ line, code, message }) => `${line} ${code} ${message}`)).toEqual([
    '5 value-unresolved {{url}} has no value here, so the URL would be incomplete.',
    '5 value-unresolved {{ b.url }} has no value here, so the URL would be incomplete.',
    '5 value-unresolved {{c}} has no value here, so the URL would be incomplete.',
    '7 value-unresolved {{ d.url }} has no value here, so the URL would be incomplete.',
  ])
})

test('braces in the name of a file are no template', async () => {
  const { assets, diagnostics } = await loadFiles({ '{{c}}.png': png(), 'a.md': article('![c]({{c}}.png)') })
  expect(assets.map(({ source }) => source)).toEqual(['{{c}}.png'])
  expect(diagnostics.filter(({ code }) => code === 'value-unresolved')).toEqual([])
})

test('an article changes exactly when its links lead elsewhere', async () => {
  const from = article('[x](b.md) ![y](dot.png)')
  const hashesOf = async (files: Files, changes = {}) => {
    const { articles } = await loadFiles(
      { 'a.md': from, 'b.md': article(), 'dot.png': png(), ...files },
      changes,
    )
    const [first] = articles
    return [first?.contentHash, first?.projectionHash]
  }
  const before = await hashesOf({})
  expect(await hashesOf({ 'b.md': article('Other text') })).toEqual(before)
  const variants = [
    await hashesOf({ 'b.md': titled('renamed', '') }),
    await hashesOf({ 'dot.png': png('other') }),
    await hashesOf({}, { articleUrl: ({ slug }: { slug: string }) => `https://x.example/${slug}` }),
  ]
  for (const [contentHash, projectionHash] of variants) {
    expect(contentHash).not.toBe(before[0])
    expect(projectionHash).not.toBe(before[1])
  }
})
