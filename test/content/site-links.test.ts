// Links in the sites of tools, from file to article: by path, by URL, and by the tools' own rules.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSourceFilter, findSources } from '../../src/content/source/find-sources.ts'
import { hashSources } from '../../src/content/source/hash-sources.ts'
import { loadContent } from '../../src/content/pipeline/load-content.ts'
import { openTemporaryCache } from '../../src/content/pipeline/render-cache.ts'
import { dialectOf, type PresetName } from '../../src/core/dialects/dialects.ts'
import {
  contentOptions as projectOptions,
  type ContentOptions,
} from '../../src/content/pipeline/content-options.ts'
import { loadConfig } from '../../src/core/config/load-config.ts'
import { createProject } from '../support/project.ts'
import { contentFolder, contentOptions, type Files, loadFiles, loadFolder, placesOf } from './load-files.ts'
import { mappingOf } from './preset/mapping.ts'

/** Returns the targets of all links and images of `from`, and the diagnostics for it. */
async function linksOf(
  preset: PresetName,
  from: string,
  files: Files,
  changes: Partial<ContentOptions> = {},
) {
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
    toolSite: (await dialectOf(preset).loadSite()).readSite({ root, contentRoot }).site,
    ...changes,
  })
  const cache = openTemporaryCache()
  try {
    const content = await loadContent({ options, found, hashes, cache })
    const article = content.articles.find(({ source }) => source === from)
    const html = article === undefined ? '' : content.readHtml(article)
    const targets = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, target]) => target)
    const asked = content.readExternalLinks().map(({ link }) => link.url)
    return { targets, problems: placesOf(content), ...(changes.siteUrl !== undefined && { asked }) }
  } finally {
    cache.close()
  }
}

const links = (...addresses: readonly string[]) => addresses.map((address) => `[x](${address})`).join(' ')

test('a banner with a root-relative URL', async () => {
  const bannerOf = async (url: string, siteUrl?: string) => {
    const files = { 'a.md': `---\ntitle: A\ncategories: [Guides]\nseoBannerUrl: ${url}\n---\n\nText.\n` }
    const content = await loadFiles(files, { siteUrl, rules: {} })
    return [content.articles[0]?.seoBannerUrl, ...placesOf(content)]
  }
  const siteUrl = 'https://acme.example/base'
  expect(await bannerOf('/img/a.png')).toEqual(['/img/a.png', 'a.md:4:15 site-address'])
  expect(await bannerOf('/img/a.png', siteUrl)).toEqual(['https://acme.example/base/img/a.png'])
  for (const url of ['//cdn.example/a.png', 'https://cdn.example/a.png'])
    expect(await bannerOf(url, siteUrl)).toEqual([url])
  expect(await bannerOf('img/a.png', siteUrl)).toEqual(['img/a.png', 'a.md:4:15 asset-type'])
})

test('Docusaurus: files, URLs and @site', async () => {
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

test('VitePress: any extension or none, root-relative, in another language, and files in public', async () => {
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

test('Starlight: a page without a translation shows its original, root-relative and beside a page', async () => {
  const files = {
    'docs/guides/css.md': '---\ntitle: CSS\n---\n## Custom styles\n',
    'docs/guides/sidebar.md': '---\ntitle: Sidebar\n---\n',
    'docs/fr/guides/sidebar.md': '---\ntitle: Sidebar\n---\n',
    'docs/fr/start.md': `---\ntitle: Start\n---\n${links(
      '/fr/guides/css/#custom-styles',
      '../guides/css/',
      '/guides/sidebar/',
      '/fr/guides/not-there/',
    )}\n`,
  }
  const { targets, problems } = await linksOf('starlight', 'fr/start.md', files)
  expect(targets).toEqual([
    '/en/guides-css#custom-styles',
    '/en/guides-css',
    '/fr/guides-sidebar',
    '/fr/guides/not-there/',
  ])
  expect(problems).toEqual([])
})

test('Hugo: refs, page-relative URLs, sections', async () => {
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
      '/en/categories/docs',
      '/tags/a/',
      '/en/categories/docs-section',
      '/en/docs-section-page',
    ],
    problems: [],
  })
  const { targets } = await linksOf('hugo', 'docs/bundle/index.md', files)
  expect(targets).toEqual(['/en/docs-start', expect.stringContaining('https://files.example/')])
})

test('Obsidian: by name, by path, and attachments in any folder', async () => {
  const image = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const text =
    '[[Create a vault]] [[create a VAULT#First steps|x]] [[Getting started/Create a vault]] [x](Create%20a%20vault.md) [[Twice]] [[None]] ![[My image.png]] ![x](b.png)'
  const files = {
    'docs/Deep/Home.md': `${text}\n`,
    'docs/Getting started/Create a vault.md': '## First steps\n',
    'docs/a/deep/Twice.md': 'Text.\n',
    'docs/b/Twice.md': 'Text.\n',
    'docs/Attachments/Some/My image.png': image,
    'docs/Attachments/b.png': image,
  }
  expect(await linksOf('obsidian', 'Deep/Home.md', files)).toEqual({
    targets: [
      '/en/getting-started-create-a-vault',
      '/en/getting-started-create-a-vault#first-steps',
      '/en/getting-started-create-a-vault',
      '/en/getting-started-create-a-vault',
      '/en/b-twice',
      'None',
      expect.stringContaining('https://files.example/'),
      expect.stringContaining('https://files.example/'),
    ],
    problems: ['docs/Deep/Home.md:1:127 link-file-missing'],
  })
})

test('plain Markdown: a bare name finds the only page with it, and the path of a file no other page', async () => {
  const files = {
    'docs/a.md': `# A\n\n${links('doc:install', 'install', 'linux', 'setup', 'install.md', 'doc:none')} [r] [s](doc:linux "S")\n\n[r]: <doc:install>\n`,
    'docs/linux/README.md': '# Linux\n',
    'docs/linux/install.md': '# Install\n',
    'docs/linux/setup.md': '# Setup\n',
    'docs/windows/setup.md': '# Setup\n',
  }
  expect(await linksOf('folder', 'a.md', files)).toEqual({
    targets: [
      '/en/linux-install',
      '/en/linux-install',
      '/en/linux',
      'setup',
      'install.md',
      'none',
      '/en/linux-install',
      '/en/linux',
    ],
    problems: ['46', '57', '77'].map((column) => `docs/a.md:3:${column} link-file-missing`),
  })
})

test.each<PresetName>(['docusaurus', 'vitepress', 'mkdocs', 'starlight', 'folder'])(
  '%s: the name of the content folder is the first page, not that of the folder of the link',
  async (preset) => {
    const files = {
      'docs/index.md': '---\ntitle: Home\nslug: home\n---\n\nText.\n',
      'docs/guides/index.md': '# Guides\n\nText.\n',
      'docs/guides/a.md': `# A\n\n${links('/docs', '/docs/')}\n`,
    }
    expect(await linksOf(preset, 'guides/a.md', files)).toEqual({
      targets: ['/en/home', '/en/home'],
      problems: [],
    })
  },
)

test('plain Markdown: images and linked files in folders beside the content', async () => {
  const files = {
    'docs/guides/a.md':
      '# A\n\n![a](../../images/a.svg) ![b](/images/a.svg) ![c](/b.svg) ![d](../../src/c.svg) [e](../../images/a.svg#x)\n',
    'images/a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'public/b.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1"/>',
    'src/c.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="2"/>',
  }
  const [a, b] = ['a-900fbe934249ad12.svg', 'b-4dca372bfaf68d02.svg'].map(
    (name) => `https://files.example/${name}`,
  )
  expect(await linksOf('folder', 'guides/a.md', files)).toEqual({
    targets: [a, a, b, '../../src/c.svg', `${a}#x`],
    problems: ['docs/guides/a.md:3:64 link-outside'],
  })
})

test.each([
  ['/article/:name/', '/article/b/', '/guides-b'],
  ['/:collection/:path', '/docs/guides/b', '/guides-b'],
  ['/help/:path.html', '/help/guides/b.html', '/guides-b'],
  ['/article/:name/', '/other/b/', undefined],
])('the collection of Jekyll with URLs as %s: %s', async (permalink, url, expected) => {
  const { root } = createProject({
    'kb.config.mjs':
      "export default { project: 'p', preset: 'folder', content: '_docs', links: { article: '/{slug}' } }\n",
    '_config.yml': `title: A\ncollections:\n  faq:\n    permalink: /faq/:name\n  docs:\n    output: true\n    permalink: ${permalink}\n`,
    '_docs/a.md': `# A\n\n[b](${url}#part) [c]({% link _docs/guides/b.md %})\n`,
    '_docs/guides/b.md': '# B\n\n## Part\n',
  })
  const options = projectOptions(await loadConfig({ cwd: root }))
  const { html, diagnostics } = await loadFolder(options.contentRoot, options)
  const codes = diagnostics.map(({ code }) => code)
  expect(html['a.md']).toContain(`<a href="${expected ?? url}#part">`)
  expect(html['a.md']).toContain('<a href="/guides-b">')
  expect(codes.includes('site-address')).toBe(expected === undefined)
})

test.each([
  [`docs:\n    output: true\n    order:\n${'        - a.md\n'.repeat(50)}`, '/docs'],
  [`"docs": # All\n    order:\n${'        - a.md\n'.repeat(50)}\n# b\n    permalink: /a/:path # c\n`, '/a'],
  ['docs:\n    permalink: "/a/b-:name.html"\n', '/a'],
  ['docs:\n    permalink: pretty\n  faq:\n    permalink: /faq/:path\n', '/docs'],
])('the folder of a Jekyll collection in URLs: %j', async (settings, expected) => {
  const { root } = createProject({
    'kb.config.mjs': "export default { project: 'p', preset: 'folder', content: '_docs' }\n",
    '_config.yml': `collections:\n  ${settings}title: A\n`.replaceAll('\n', '\r\n'),
    '_docs/a.md': '# A\n',
  })
  expect((await loadConfig({ cwd: root })).toolSite?.docsPath).toBe(expected)
})

test('Obsidian: attachments in another case, and links to them', async () => {
  const image = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const files = {
    'docs/Home.md': '![[PIC.png]] ![[drawing.PNG]] [[pic.png|a]] [[Pic.png|b]] [[Drawing.png|c]]\n',
    'docs/pic.png': image,
    'docs/Attachments/Drawing.png': image,
  }
  const assets = { inlineUnderBytes: 1000, baseUrl: undefined, maxSizeBytes: 10_000 }
  const embedded = expect.stringContaining('data:image/png')
  const { targets, problems } = await linksOf('obsidian', 'Home.md', files, { assets })
  expect(targets).toEqual([embedded, embedded, 'pic.png', 'Pic.png', 'Drawing.png'])
  expect(problems.map((problem) => problem.replace(/^\S+/, ''))).toEqual([
    ' link-not-article',
    ' link-not-article',
    ' link-not-article',
  ])
  const published = await linksOf('obsidian', 'Home.md', files)
  expect(published.targets).toEqual(
    Array.from({ length: 5 }, () => expect.stringContaining('https://files.example/')),
  )
})

test('Docusaurus: a base path and a route in constants', async () => {
  const root = contentFolder({
    'docusaurus.config.js': [
      "const BASE_URL = '/help';",
      'export const DOCS = "/manual"',
      'const OTHER = call()',
      'export default {',
      '  title: BASE_URL.length, url: OTHER, baseUrl: `${BASE_URL}/`,',
      "  presets: [['classic', { docs: { routeBasePath: DOCS } }]],",
      '}',
    ].join('\n'),
    'docs/a.md': '# A\n',
  })
  const { readSite } = await dialectOf('docusaurus').loadSite()
  const { site } = readSite({ root, contentRoot: join(root, 'docs') })
  expect([site.basePath, site.docsPath]).toEqual(['/help', '/manual'])
})

test('Docusaurus: the list of a folder is the category that the folder became', async () => {
  const generated = (more: object, link: object = {}) =>
    JSON.stringify({ ...more, link: { type: 'generated-index', ...link } })
  const files = {
    'docs/intro.md': `# Intro\n\n${links(
      '/category/tutorial---basics',
      '/docs/category/tutorial---basics/',
      './category/tutorial---basics#top',
      'tutorial-basics/',
      './01-tutorial-basics',
      '/docs/tutorial-basics',
      '/docs/all-of-it',
      '/docs/category/deep_er',
      '/docs/category/same',
      '/docs/category/plain',
      '/docs/plain',
    )}\n`,
    'docs/01-tutorial-basics/_category_.json': generated({ label: 'Tutorial - Basics' }),
    'docs/01-tutorial-basics/a.md': `# A\n\n${links('./', '../category/tutorial---basics', '/docs/all-of-it')}\n`,
    'docs/01-tutorial-basics/2-deep_er/_category_.yml': 'link: { type: generated-index }\n',
    'docs/01-tutorial-basics/2-deep_er/b.md': '# B\n',
    'docs/own/_category_.json': generated({ label: 'Own' }, { slug: '/all-of-it' }),
    'docs/own/c.md': '# C\n',
    'docs/one/_category_.json': generated({ label: 'Same' }),
    'docs/one/d.md': '# D\n',
    'docs/two/_category_.json': generated({ label: 'Same' }),
    'docs/two/e.md': '# E\n',
    'docs/plain/_category_.json': '{ "label": "Plain" }',
    'docs/plain/f.md': '# F\n',
  }
  expect(await linksOf('docusaurus', 'intro.md', files)).toEqual({
    targets: [
      ...Array.from({ length: 6 }, () => '/en/categories/tutorial-basics'),
      '/en/categories/own',
      '/en/categories/tutorial-basics-deep_er',
      // Only the sidebar determines which of the two gets the URL; without a list, there is no page.
      '/docs/category/same',
      '/docs/category/plain',
      '/docs/plain',
    ],
    problems: [],
  })
  expect((await linksOf('docusaurus', '01-tutorial-basics/a.md', files)).targets).toEqual([
    '/en/categories/tutorial-basics',
    '/en/categories/tutorial-basics',
    '/en/categories/own',
  ])
})

test('Docusaurus: lists if the content folder is the root of the site', async () => {
  const i18n = 'docs/i18n/fr/docusaurus-plugin-content-docs/current'
  const files = {
    'docs/docs/guide/_category_.json': '{ "label": "The guide", "link": { "type": "generated-index" } }',
    'docs/docs/guide/a.md': `# A\n\n${links('/docs/category/the-guide')}\n`,
    [`${i18n}/guide/_category_.json`]: '{ "label": "Le guide" }',
    [`${i18n}/guide/a.md`]: `# A\n\n${links('/docs/category/the-guide')}\n`,
  }
  expect(await linksOf('docusaurus', 'docs/guide/a.md', files)).toEqual({
    targets: ['/en/categories/docs-guide'],
    problems: [],
  })
  expect((await linksOf('docusaurus', `${i18n.slice(5)}/guide/a.md`, files)).targets).toEqual([
    '/fr/categories/docs-guide',
  ])
})

test('Hugo: a section is the category that it became, in the language of the page', async () => {
  const refs = (...paths: readonly string[]) => paths.map((path) => `[x]({{< ref "${path}" >}})`).join(' ')
  const files = {
    'content/docs/getting-started/_index.md': '---\ntitle: Getting started\nurl: /start/here/\n---\n',
    'content/docs/getting-started/_index.fr.md': '---\ntitle: Commencer\nurl: depart\n---\n',
    'content/docs/getting-started/first.md': `---\ntitle: First\n---\n${links('../', './')}\n`,
    'content/docs/Plain Words/second.md': '---\ntitle: Second\n---\n',
    'content/docs/other.md': `---\ntitle: Other\n---\n${links(
      '/docs/getting-started',
      '/docs/getting-started/#more',
      './getting-started',
      '../getting-started/',
      'getting-started/_index.md',
      '/start/here/',
      '/fr/depart/',
      '/docs/plain-words/',
      '/empty/',
    )} ${refs('/docs/getting-started', 'docs/getting-started/_index.md', 'getting-started')}\n`,
    'content/docs/other.fr.md': `---\ntitle: Autre\n---\n${links(
      '/docs/getting-started/',
      '/docs/plain-words/',
      '/depart/',
    )} ${refs('getting-started')}\n`,
    'content/empty/_index.md': '---\ntitle: Empty\n---\n',
    'content/blog/post.md': `---\ntitle: Post\n---\n${links('getting-started/_index.md')}\n`,
  }
  const started = '/en/categories/docs-getting-started'
  expect(await linksOf('hugo', 'docs/other.md', files)).toEqual({
    targets: [
      ...Array.from({ length: 6 }, () => started),
      '/fr/categories/docs-getting-started',
      '/en/categories/docs-plain-words',
      '/empty/',
      started,
      started,
      started,
    ],
    problems: ['content/blog/post.md:4:5 link-file-missing'],
  })
  expect((await linksOf('hugo', 'docs/other.fr.md', files)).targets).toEqual([
    '/fr/categories/docs-getting-started',
    '/en/categories/docs-plain-words',
    '/fr/categories/docs-getting-started',
    '/fr/categories/docs-getting-started',
  ])
  // Relative to a page, `../` is its section and `./` the page itself.
  expect((await linksOf('hugo', 'docs/getting-started/first.md', files)).targets).toEqual([
    started,
    '/en/docs-getting-started-first',
  ])
})

test('a category without a slug has no URL, and one that is not listed is not found', async () => {
  const files = {
    'content/_categories.yml': '- name: Guide\n- name: Kept\n  slug: kept\n',
    'content/guide/a.md': `---\ntitle: A\n---\n${links('/guide/', '/kept/', '/loose/')}\n`,
    'content/kept/b.md': '---\ntitle: B\n---\n',
    'content/loose/c.md': '---\ntitle: C\ncategories: [Kept]\n---\n',
  }
  expect(await linksOf('hugo', 'guide/a.md', files)).toEqual({
    targets: ['/guide/', '/en/categories/kept', '/loose/'],
    problems: ['content/guide/a.md:4:5 link-taxonomy-missing'],
  })
  const listed = {
    ...files,
    'content/_categories.yml': '- name: Guide\n  slug: g\n- name: Kept\n  slug: kept\n',
  }
  expect(await linksOf('hugo', 'guide/a.md', listed)).toEqual({
    targets: ['/en/categories/g', '/en/categories/kept', '/loose/'],
    problems: [],
  })
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

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Everything is embedded, and nothing about a site is assumed. */
const INLINE = {
  assets: { inlineUnderBytes: 1000, baseUrl: undefined, maxSizeBytes: 10_000 },
  rules: {
    'site-address': 'warning',
    'asset-unused': 'warning',
    'image-alt-missing': 'off',
    'excerpt-from-title': 'off',
  },
} as const

const kindOf = (target: string | undefined) => target?.replace(/^(data:image\/\w+).*/s, '$1')

test('Docusaurus: files in static, and URLs that exist only on the site', async () => {
  const text = `# A\n\n${links(
    '/files/a.pdf',
    '/pricing?a=1#b',
    '/en/a',
    '//cdn.example/x',
  )} ![x](/img/x%20y.png) ![x](/base/img/x%20y.png) ![x](@site/static/img/x%20y.png) ![x](/img/large.png) ![x](/img/none.png) ![x](/img/X%20y.png) ![x](/../secret.png)\n`
  const files = {
    'website/docusaurus.config.ts': "export default { baseUrl: '/base/' } satisfies Config\n",
    'website/static/img/x y.png': PIXEL,
    'website/static/img/large.png': Buffer.concat([PIXEL, Buffer.alloc(2000)]),
    'website/static/files/a.pdf': Buffer.from('%PDF-1.4\n'),
    'website/secret.png': PIXEL,
    'docs/a.md': text,
  }
  const { problems } = await linksOf('docusaurus', 'a.md', files, INLINE)
  expect(problems).toEqual([
    'docs/a.md:3:5 site-address',
    'docs/a.md:3:23 site-address',
    'docs/a.md:3:156 asset-too-large',
    'docs/a.md:3:177 asset-missing',
    'docs/a.md:3:197 asset-missing',
    'docs/a.md:3:218 asset-missing',
  ])
  const sound = { ...files, 'docs/a.md': text.replace(/ !\[x\]\(\/img\/none.*/, '\n') }
  const siteUrl = 'https://acme.example/base'
  const found = await linksOf('docusaurus', 'a.md', sound, { ...INLINE, siteUrl })
  expect({ ...found, targets: found.targets.map(kindOf) }).toEqual({
    targets: [
      'https://acme.example/base/files/a.pdf',
      'https://acme.example/base/pricing?a=1#b',
      '/en/a',
      '//cdn.example/x',
      'data:image/png',
      'data:image/png',
      'data:image/png',
      'https://acme.example/base/img/large.png',
    ],
    problems: [],
    // URLs that are not files of the project can be requested from other hosts.
    asked: [
      '//cdn.example/x',
      'https://acme.example/base/files/a.pdf',
      'https://acme.example/base/pricing?a=1#b',
      'https://acme.example/base/img/large.png',
    ],
  })
  const published = await linksOf('docusaurus', 'a.md', sound)
  expect(published.targets.map((target) => target?.replace(/-[0-9a-f]{8,}/, ''))).toEqual([
    'https://files.example/a.pdf',
    '/pricing?a=1#b',
    '/en/a',
    '//cdn.example/x',
    ...Array.from({ length: 3 }, () => 'https://files.example/x%20y.png'),
    'https://files.example/large.png',
  ])
})

test('Starlight and Docusaurus: images in a folder of the site, by a path relative to the article', async () => {
  const images = (...paths: readonly string[]) => paths.map((path) => `![x](${path})`).join(' ')
  const starlight = {
    'astro.config.mjs': 'export default {}\n',
    'src/assets/x.png': PIXEL,
    'src/secret.png': PIXEL,
    'docs/guides/a.md': `---\ntitle: A\n---\n\n${images(
      '../../src/assets/x.png',
      '../../src/assets/none.png',
      '../../src/secret.png',
    )}\n`,
  }
  expect((await linksOf('starlight', 'guides/a.md', starlight, INLINE)).problems).toEqual([
    'docs/guides/a.md:5:35 asset-missing',
    'docs/guides/a.md:5:67 link-outside',
  ])
  const docusaurus = {
    'docusaurus.config.js': 'module.exports = {}\n',
    'static/img/x.png': PIXEL,
    'docs/a.md': `# A\n\n${images('../static/img/x.png')}\n`,
  }
  const { targets, problems } = await linksOf('docusaurus', 'a.md', docusaurus, INLINE)
  expect({ targets: targets.map(kindOf), problems }).toEqual({ targets: ['data:image/png'], problems: [] })
})

test('Hugo: files in static, beside the articles and in assets; those of a theme are unknown', async () => {
  const images = ['/img/x.png', '/docs/pics/y.png', '/hook/z.png', '/theme/t.png']
  const files = {
    'config/_default/hugo.toml': 'staticDir = ["first", "static"]\nbaseURL = "https://acme.example/"\n',
    'static/img/x.png': PIXEL,
    'assets/hook/z.png': PIXEL,
    'content/docs/pics/y.png': PIXEL,
    'content/docs/a.md': `---\ntitle: A\n---\n${images.map((image) => `![x](${image})`).join(' ')}\n`,
  }
  const { targets, problems } = await linksOf('hugo', 'docs/a.md', files, INLINE)
  expect(targets.map(kindOf)).toEqual([...Array.from({ length: 3 }, () => 'data:image/png'), '/theme/t.png'])
  expect(problems).toEqual(['content/docs/a.md:4:64 site-address'])
  const siteUrl = 'https://acme.example'
  const findIn = async (more: Files) =>
    (await linksOf('hugo', 'docs/a.md', { ...files, ...more }, { ...INLINE, siteUrl })).problems
  expect(await findIn({})).toEqual(['content/docs/a.md:4:64 site-address'])
  expect(
    await findIn({
      'config/_default/hugo.toml':
        'theme = "t"\nbaseURL = "https://acme.example/"\nstaticDir = ["first", "static"]\n',
    }),
  ).toEqual([])
  expect(await findIn({ 'themes/t/theme.toml': '' })).toEqual([])
  expect(await findIn({ 'config/_default/module.yaml': 'imports: []\n' })).toEqual([])
  expect(
    await findIn({
      'config/_default/hugo.toml': '[languages.en]\nstaticDir = ["first", "static"]\n',
      'content/docs/none.md': '',
    }),
  ).not.toContain('content/docs/a.md:4:64 site-address')
  expect(await findIn({ 'go.mod': 'module acme\n' })).toEqual([])
})

test('MkDocs: files that the site adds to its theme are found as if they were beside the pages', async () => {
  const { targets } = await linksOf(
    'mkdocs',
    'guide/a.md',
    {
      'mkdocs.yml': 'theme: { name: material, custom_dir: theme }\n',
      'theme/img/x.png': PIXEL,
      'docs/guide/a.md': '# A\n\n![x](../img/x.png)\n',
    },
    INLINE,
  )
  expect(targets.map(kindOf)).toEqual(['data:image/png'])
})

test('VitePress: a missing image of the site is reported, and images in public are never unused', async () => {
  const files = {
    'docs/public/logo.png': PIXEL,
    'docs/images/x.png': PIXEL,
    'docs/images/unused.png': PIXEL,
    'docs/a.md': '# A\n\n![x](/images/x.png) ![x](/none.png)\n',
  }
  expect((await linksOf('vitepress', 'a.md', files, INLINE)).problems).toEqual([
    'docs/a.md:3:26 asset-missing',
    'docs/images/unused.png:1:1 asset-unused',
  ])
})

test('plain folders insert an imported file, whose path may begin at the content folder', async () => {
  const files = {
    'docs/guide/a.mdx': `import Part from "/snippets/part.mdx"\nimport { X } from '/snippets/x.jsx'\n\n<Part />\n`,
    'docs/snippets/part.mdx': '[Part](../guide/b.mdx)\n',
    'docs/guide/b.mdx': '# B\n',
  }
  expect(await linksOf('folder', 'guide/a.mdx', files)).toEqual({ targets: ['/en/guide-b'], problems: [] })
})

test('Hugo: a path from the root also begins in the folder of the language', async () => {
  const files = {
    'content/en/guides/a.md': '# A\n',
    'content/fr/guides/a.md': '# A\n',
    'content/guides/b.md': '# B\n',
    'content/fr/docs/c.md': `${links('guides/a', 'guides/a.md', 'Guides/A', 'guides/b', '../en/guides/a')}\n`,
  }
  expect(await linksOf('hugo', 'fr/docs/c.md', files)).toEqual({
    targets: ['/fr/guides-a', '/fr/guides-a', '/fr/guides-a', '/en/guides-b', '../en/guides/a'],
    problems: ['content/fr/docs/c.md:1:64 link-file-missing'],
  })
})

test('Hugo: a reference names its language', async () => {
  const text = ['guides/a.md#x', '/guides/_index.md', 'guides/a']
    .map((path) => `[x]({{< ref path="${path}" lang="en" >}}) [x]({{< relref path="${path}" lang="fr" >}})`)
    .join(' ')
  const targets = [
    '/en/guides-a#x',
    '/fr/guides-a#x',
    '/en/categories/guides',
    '/fr/categories/guides',
    '/en/guides-a',
    '/fr/guides-a',
  ]
  const page = '## X\n'
  const section = '---\ntitle: G\n---\n'
  const inFolders = {
    'content/en/guides/_index.md': section,
    'content/fr/guides/_index.md': section,
    'content/en/guides/a.md': page,
    'content/fr/guides/a.md': page,
    'content/fr/b.md': text,
  }
  expect((await linksOf('hugo', 'fr/b.md', inFolders)).targets).toEqual(targets)
  const inNames = {
    'content/guides/_index.md': section,
    'content/guides/_index.fr.md': section,
    'content/guides/a.md': page,
    'content/guides/a.fr.md': page,
    'content/b.fr.md': text,
  }
  expect((await linksOf('hugo', 'b.fr.md', inNames)).targets).toEqual(targets)
})

test('Hugo: a relative reference names its language', async () => {
  const text = ['./a.md', '../top.md#x', '../guides/a', './_index.md']
    .map((path) => `[x]({{< relref path="${path}" lang="fr" >}})`)
    .join(' ')
  const names = ['guides/_index.md', 'guides/a.md', 'top.md']
  const files = names.flatMap((name) => [
    [`content/en/${name}`, '## X\n'],
    [`content/fr/${name}`, '## X\n'],
  ])
  const { targets, problems } = await linksOf('hugo', 'en/guides/b.md', {
    ...Object.fromEntries(files),
    'content/en/guides/b.md': text,
  })
  expect(targets).toEqual(['/fr/guides-a', '/fr/top#x', '/fr/guides-a', '/fr/categories/guides'])
  expect(problems).toEqual([])
})

test('Hugo: a translation has the images of its original', async () => {
  const text = '# Title\n\n![x](shared.png) ![x](own.png) ![x](gone.png)\n'
  const files = {
    'hugo.yaml':
      'baseURL: https://acme.example/\ndefaultContentLanguage: en\nlanguages: { en: { contentDir: content/en }, ja: { contentDir: content/ja } }\n',
    'content/en/docs/a/index.md': text.replace(/ !.*/, ''),
    'content/en/docs/a/shared.png': PIXEL,
    'content/en/docs/a/own.png': PIXEL,
    'content/ja/docs/a/index.md': text,
    'content/ja/docs/a/own.png': PIXEL,
  }
  const frontmatter = mappingOf({ preset: 'hugo', folderName: 'content', languages: ['en', 'ja'] })
  const markdown = {
    parser: 'native' as const,
    remarkPlugins: [],
    allow: {},
    dialect: 'hugo' as const,
    frontmatter,
  }
  const { targets, problems } = await linksOf('hugo', 'ja/docs/a/index.md', files, { markdown })
  expect(targets.map((target) => target?.replace(/-[0-9a-f]{16}/, ''))).toEqual([
    'https://files.example/shared.png',
    'https://files.example/own.png',
    'gone.png',
  ])
  expect(problems).toEqual(['content/ja/docs/a/index.md:3:37 asset-missing'])
  const page = {
    ...files,
    'content/en/docs/b.md': '# B\n',
    'content/ja/docs/b.md': '# B\n\n![x](../a/shared.png)\n',
  }
  expect((await linksOf('hugo', 'ja/docs/b.md', page, { markdown })).problems).not.toContain(
    'content/ja/docs/b.md:3:6 asset-missing',
  )
})

test('Hugo: images and files relative to a page, and links that a render hook determines', async () => {
  const files = {
    'hugo.yaml': 'baseURL: https://acme.example/\n',
    'content/docs/deep/a.md': `---\ntitle: A\n---\n${[
      '../pics/x.png',
      '../../pics/y.png',
      '../../../../img/z.png',
      'hook/h.png',
      './none.png',
    ]
      .map((image) => `![x](${image})`)
      .join(' ')}\n\n${links('../data.json', 'G', '/Docs/Deep/B', './none')}\n`,
    'content/docs/deep/b.md': '---\ntitle: B\n---\nText.\n',
    'content/docs/deep/pics/x.png': PIXEL,
    'content/docs/deep/data.json': '{}',
    'content/docs/pics/y.png': PIXEL,
    'static/img/z.png': PIXEL,
    'assets/hook/h.png': PIXEL,
    // The appearance of a link does not matter.
    'layouts/_default/_markup/render-link.html': '<a href="{{ .Destination | safeURL }}" target="_blank">',
  }
  const { problems } = await linksOf('hugo', 'docs/deep/a.md', files, INLINE)
  expect(problems).toEqual([
    'content/docs/deep/a.md:4:94 asset-missing',
    'content/docs/deep/a.md:6:5 site-address',
    'content/docs/deep/a.md:6:23 link-file-missing',
    'content/docs/deep/a.md:6:48 link-file-missing',
  ])
  const hooked = {
    ...files,
    'content/docs/deep/a.md': files['content/docs/deep/a.md'].replace(' ![x](./none.png)', ''),
    'themes/own/layouts/_markup/render-link.html': '{{ with .Page.GetPage .Destination }}{{ end }}',
  }
  const siteUrl = 'https://acme.example'
  const found = await linksOf('hugo', 'docs/deep/a.md', hooked, { ...INLINE, siteUrl })
  expect({ ...found, targets: found.targets.map(kindOf) }).toEqual({
    targets: [
      ...Array.from({ length: 4 }, () => 'data:image/png'),
      'https://acme.example/docs/deep/data.json',
      'G',
      '/en/docs-deep-b',
      './none',
    ],
    problems: ['content/docs/deep/a.md:6:23 site-address', 'content/docs/deep/a.md:6:48 site-address'],
    asked: ['https://acme.example/docs/deep/data.json'],
  })
})

test('Docusaurus: from a page with its own URL, and to other versions', async () => {
  const files = {
    'docusaurus.config.js':
      "module.exports = { presets: [['classic', { docs: { editUrl: (x) => `{${x}`, routeBasePath: '/guide' } }]] }\n",
    'versions.json': '["beta"]',
    'docs/a/one.md': `---\nslug: /start/here\n---\n# One\n\n${links(
      './two',
      'there',
      '../top',
      '../beta/top',
      '../2.x/top#x',
      './two.md',
      '../none',
    )}\n`,
    'docs/a/two.md': `# Two\n\n${links('./three', '../start/here', 'two/below')}\n`,
    'docs/a/three.md': '# Three\n',
    'docs/b/there.md': '---\nslug: /start/there\n---\n# There\n',
    'docs/b/below.md': '---\nslug: /a/two/below\n---\n# Below\n',
    'docs/start/two.md': '# Another two\n',
    'docs/top.md': '# Top\n',
  }
  const found = await linksOf('docusaurus', 'a/one.md', files, INLINE)
  expect(found).toMatchObject({
    problems: [
      'docs/a/one.md:6:39 site-address',
      'docs/a/one.md:6:56 site-address',
      'docs/a/one.md:6:88 link-file-missing',
    ],
  })
  const sound = { ...files, 'docs/a/one.md': files['docs/a/one.md'].replace(' [x](../none)', '') }
  const siteUrl = 'https://acme.example'
  expect((await linksOf('docusaurus', 'a/one.md', sound, { ...INLINE, siteUrl })).targets).toEqual([
    '/en/start-two',
    '/en/start-there',
    '/en/top',
    'https://acme.example/guide/beta/top',
    'https://acme.example/guide/2.x/top#x',
    '/en/a-two',
  ])
  expect((await linksOf('docusaurus', 'a/two.md', sound, INLINE)).targets).toEqual([
    '/en/a-three',
    '/en/start-here',
    '/en/a-two-below',
  ])
})

test('useBaseUrl starts at the root of the site, with or without a slash', async () => {
  const image = (path: string) => `<img alt="x" src={useBaseUrl('${path}')} />`
  const files = {
    'docs/a/b.md': `# B\n\n${image('img/x.png')} ${image('/img/x.png')} ${image('https://acme.example/y.png')}\n`,
    'static/img/x.png': PIXEL,
  }
  const { targets, problems } = await linksOf('docusaurus', 'a/b.md', files, INLINE)
  expect(targets.map(kindOf)).toEqual(['data:image/png', 'data:image/png', 'https://acme.example/y.png'])
  expect(problems).toEqual([])
})
