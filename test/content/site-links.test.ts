// Links of the sites of tools, from file to article: by path, by address, and by what the tools add to both.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSourceFilter, findSources } from '../../src/content/find-sources.ts'
import { hashSources } from '../../src/content/hash-sources.ts'
import { loadContent } from '../../src/content/load-content.ts'
import { openTemporaryCache } from '../../src/content/render-cache.ts'
import type { PresetName } from '../../src/model/preset-name.ts'
import { contentFolder, contentOptions, type Files, placesOf } from './load-files.ts'
import { mappingOf } from './preset/mapping.ts'

/** The targets of all links and images of `from`, and what is reported of it. */
async function linksOf(preset: PresetName, from: string, files: Files) {
  const root = contentFolder(files)
  const folder = preset === 'hugo' ? 'content' : 'docs'
  const contentRoot = join(root, folder)
  mkdirSync(contentRoot, { recursive: true })
  const found = findSources(contentRoot, await createSourceFilter(['**/*.md', '**/*.mdx'], []), preset)
  const hashes = hashSources(
    contentRoot,
    found.articles.map(({ source }) => source),
  )
  const mapping = mappingOf({ preset, folderName: folder })
  const options = contentOptions(root, {
    contentRoot,
    preset,
    markdown: { parser: 'native', remarkPlugins: [], allow: {}, dialect: preset, frontmatter: mapping },
    defaults: { language: 'en', status: 'published', order: 0, reviewAfterDays: 180, categories: [] },
    assets: { inlineUnderBytes: 0, baseUrl: 'https://files.example', maxSizeBytes: 10_000 },
  })
  const cache = openTemporaryCache()
  try {
    const content = await loadContent({ options, found, hashes, cache })
    const article = content.articles.find(({ source }) => source === from)
    const html = article === undefined ? '' : content.readHtml(article)
    const targets = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, target]) => target)
    return { targets, problems: placesOf(content) }
  } finally {
    cache.close()
  }
}

const links = (...addresses: readonly string[]) => addresses.map((address) => `[x](${address})`).join(' ')

test('Docusaurus: files, addresses and @site', async () => {
  const files = {
    'docs/intro.md': `# Intro\n\n${links(
      './guide/01-setup.mdx#next',
      'guide/setup',
      '/docs/guide/setup?a=b#next',
      '/guide/setup/',
      '@site/docs/guide/01-setup.mdx',
      '/docs/guide',
      'guide/',
      '/docs/elsewhere',
      '/blog/first',
      '../blog/first',
      '/pricing',
      'https://example.com/docs/guide',
    )} ![x](@site/static/img/x.png)\n`,
    'docs/guide/01-setup.mdx': `# Setup\n\n## Next\n\n${links('../intro.md', '../intro', './other', '/docs/intro')}\n`,
    'docs/guide/index.md': '# Guide\n',
    'docs/guide/named.md': '---\nslug: /elsewhere\n---\n# Named\n',
    'docs/guide/other.md': `# Other\n\n${links('intro.md', 'guide/01-setup.mdx', 'docs/intro.md', 'other.md')}\n`,
  }
  expect(await linksOf('docusaurus', 'intro.md', files)).toEqual({
    targets: [
      '/en/guide-setup#next',
      '/en/guide-setup',
      '/en/guide-setup?a=b#next',
      '/en/guide-setup',
      '/en/guide-setup',
      '/en/guide',
      '/en/guide',
      '/en/elsewhere',
      '/blog/first',
      '../blog/first',
      '/pricing',
      'https://example.com/docs/guide',
      '/img/x.png',
    ],
    problems: [],
  })
  expect((await linksOf('docusaurus', 'guide/01-setup.mdx', files)).targets).toEqual([
    '/en/intro',
    '/en/intro',
    '/en/guide-other',
    '/en/intro',
  ])
  expect(await linksOf('docusaurus', 'guide/other.md', files)).toEqual({
    targets: ['/en/intro', '/en/guide-setup', '/en/intro', '/en/guide-other'],
    problems: [],
  })
})

test('VitePress: with any ending or none, from the root, in another language, and files in public', async () => {
  const files = {
    'docs/index.md': '---\nlayout: home\n---\n',
    'docs/guide/start.md': `# Start\n\n${links(
      './more',
      'more.html',
      'more.md#two-words',
      '/guide/more#Two Words',
      '/guide/more.html',
      '/guide/',
      '/',
      '../',
      '/fr/guide/more',
      '/file.pdf',
      '/not/there',
    ).replace('#Two Words', '#two-words')} ![x](/logo.png)\n`,
    'docs/guide/more.md': '# More\n\n## Two Words!\n',
    'docs/guide/index.md': '# Guide\n',
    'docs/fr/guide/more.md': `# Plus\n\n${links('/guide/more', './more', '/fr/guide/more')}\n`,
    'docs/public/file.pdf': Buffer.from('%PDF-1.4\n'),
    'docs/public/logo.png': Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  }
  const { targets, problems } = await linksOf('vitepress', 'guide/start.md', files)
  expect(targets.slice(0, 9)).toEqual([
    '/en/guide-more',
    '/en/guide-more',
    '/en/guide-more#two-words',
    '/en/guide-more#two-words',
    '/en/guide-more',
    '/en/guide',
    '/',
    '../',
    '/fr/guide-more',
  ])
  expect(targets.slice(9).map((target) => target?.replace(/[0-9a-f]{8,}/, 'HASH'))).toEqual([
    expect.stringMatching(/^https:\/\/files\.example\/.*\.pdf$/),
    '/not/there',
    expect.stringMatching(/^https:\/\/files\.example\/.*\.png$/),
  ])
  expect(problems).toEqual([])
  expect((await linksOf('vitepress', 'fr/guide/more.md', files)).targets).toEqual([
    '/en/guide-more',
    '/fr/guide-more',
    '/fr/guide-more',
  ])
})

test('Hugo: refs, addresses from the page on, sections', async () => {
  const files = {
    'content/docs/_index.md': '---\ntitle: Docs\n---\n',
    'content/docs/start.md': `---\ntitle: Start\n---\n${[
      '{{< ref "more.md#two" >}}',
      '{{< relref "/docs/more" >}}',
      '{{< ref "docs/more" >}}',
      '../more/',
      'more.md',
      '/docs/more/',
      '/docs/bundle/',
      '{{< ref "bundle" >}}',
      '/docs/',
      '/tags/a/',
      '../section/',
      '{{< relref "page" >}}',
    ]
      .map((address) => `[x](${address})`)
      .join(' ')}\n`,
    'content/docs/more.md': '---\ntitle: More\n---\n## Two\n',
    'content/docs/section/page.md': '---\ntitle: Page\n---\n',
    'content/docs/bundle/index.md': '---\ntitle: Bundle\n---\n[x](../start) ![x](x.png)\n',
    'content/docs/bundle/x.png': Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  }
  expect(await linksOf('hugo', 'docs/start.md', files)).toEqual({
    targets: [
      '/en/docs-more#two',
      '/en/docs-more',
      '/en/docs-more',
      '/en/docs-more',
      '/en/docs-more',
      '/en/docs-more',
      '/en/docs-bundle',
      '/en/docs-bundle',
      '/docs/',
      '/tags/a/',
      '../section/',
      '/en/docs-section-page',
    ],
    problems: [],
  })
  const { targets } = await linksOf('hugo', 'docs/bundle/index.md', files)
  expect(targets).toEqual(['/en/docs-start', expect.stringContaining('https://files.example/')])
})

test.each([
  ['docusaurus', 'docs', '[x](./gone.md) [x](./gone)'],
  ['vitepress', 'docs', '[x](./gone.md) [x](./gone)'],
  ['hugo', 'content', '[x](gone.md) [x](gone)'],
] as const)('a file that is not there is an error: %s', async (preset, folder, text) => {
  const { problems } = await linksOf(preset, 'a.md', { [`${folder}/a.md`]: `# A\n\n${text}\n` })
  const second = text.lastIndexOf('(') + 2
  expect(problems).toEqual([
    `${folder}/a.md:3:5 link-file-missing`,
    `${folder}/a.md:3:${second} link-file-missing`,
  ])
})
