// Folders that are the site of another tool, in typical layouts.
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { mkdocsSite } from '../../../src/core/dialects/mkdocs-site.ts'
import {
  findSite,
  isAboutSite,
  type RecognisedSite,
  recogniseSite,
  takeSite,
} from '../../../src/kb/init/site.ts'
import { createProject, type Files } from '../../support/project.ts'

const site = (
  preset: RecognisedSite['preset'],
  content: string,
  language?: string,
  ...languages: string[]
): RecognisedSite => ({ preset, content, language, languages })

test.each<[string, Files, RecognisedSite | undefined]>([
  [
    'Docusaurus',
    {
      'docusaurus.config.ts': `/* A site.
 * defaultLocale: 'xx' */
const config = {
  url: 'https://example.com', // defaultLocale
  i18n: {
    // defaultLocale: 'fr',
    defaultLocale: 'pt-BR',
  },
}`,
      'docs/a.md': '# A',
    },
    site('docusaurus', 'docs', 'pt-BR'),
  ],
  [
    'Docusaurus with the paths of versions',
    {
      'docusaurus.config.js': "docs: { versions: { current: { path: '' } }, editUrl: '' }",
      'docs/a.md': '',
      'README.md': '',
    },
    site('docusaurus', 'docs'),
  ],
  [
    'Docusaurus that is told nothing',
    { 'docusaurus.config.js': '', 'docs/a.md': '' },
    site('docusaurus', 'docs'),
  ],
  [
    'Docusaurus in a folder of its repository, with its documents beside it',
    {
      'docs/a.md': '',
      'packages/x/index.md': '',
      'website/docusaurus.config.ts':
        "export default { presets: [['classic', { docs: { path: '../docs/' } }]], docs: { sidebar: {} } }",
    },
    site('docusaurus', 'docs'),
  ],
  [
    'Docusaurus with its documents beside it, from its own folder',
    { 'docusaurus.config.js': "docs: { path: 'texts/docs' }", 'docs/a.md': '', 'texts/docs/a.md': '' },
    site('docusaurus', 'texts/docs'),
  ],
  [
    'two sites in folders of a repository, which are not the documents',
    { 'one/mkdocs.yml': '', 'one/docs/a.md': '', 'two/mkdocs.yml': '', 'two/docs/a.md': '', 'docs/a.md': '' },
    site('folder', 'docs'),
  ],
  [
    'documents of Docusaurus without their site',
    {
      'README.md': '# Docs',
      'docs/intro.md': '---\nsidebar_position: 1\n---\n# A',
      'docs/de/a.mdx': "---\nid: a\n---\nimport Tabs from '@theme/Tabs'\n",
      'docs/guides/_category_.json': '{ "label": "Guides" }',
    },
    site('docusaurus', 'docs'),
  ],
  [
    'documents of which only two have keys of Docusaurus',
    {
      'docs/a.md': '---\nsidebar_position: 1\n---\n# A',
      'docs/b.md': '---\nsidebar_label: B\n---\n# B',
      'docs/c.md': '---\ntitle: C\n---\nsidebar_position is a key of Docusaurus',
    },
    site('folder', 'docs'),
  ],
  ['Docusaurus without documents', { 'docusaurus.config.js': '', 'blog/a.md': '' }, undefined],
  [
    'a language that is none',
    { 'docusaurus.config.mjs': 'export default { i18n: { "defaultLocale": "english!" } }', 'docs/a.md': '' },
    site('docusaurus', 'docs'),
  ],
  [
    'MkDocs with code in its configuration',
    {
      'mkdocs.yml': `site_name: A
docs_dir: handbook/
theme:
  name: material
  language: de
plugins:
  - search
  - i18n:
      languages:
        - locale: de
        - locale: fr
markdown_extensions:
  - pymdownx.emoji:
      emoji_index: !!python/name:material.extensions.emoji.twemoji
`,
      'handbook/a.md': '# A',
    },
    { ...site('mkdocs', 'handbook', 'de', 'de', 'fr'), name: 'A' },
  ],
  [
    'MkDocs with defaults for values of its environment',
    {
      'mkdocs.yml':
        'site_name: !ENV [NAME, A]\ndocs_dir: !ENV [DOCS, OTHER_DOCS, texts]\ntheme: { language: !ENV [LANGUAGE, de] }',
      'texts/a.md': '',
    },
    { ...site('mkdocs', 'texts', 'de'), name: 'A' },
  ],
  [
    'MkDocs with values of its environment that have no default',
    {
      'mkdocs.yml': 'site_name: !ENV NAME\ndocs_dir: !ENV DOCS\ntheme: { language: !ENV [LANGUAGE] }',
      'docs/a.md': '',
    },
    site('mkdocs', 'docs'),
  ],
  ['an Obsidian vault', { '.obsidian/app.json': '{}', 'a.md': '# A' }, site('obsidian', '.')],
  [
    'an Obsidian vault of a repository',
    { 'README.md': '', 'en/publish.css': '', 'en/a.md': '' },
    site('obsidian', 'en'),
  ],
  [
    'an Obsidian vault per language',
    { 'ar/publish.css': '', 'en/publish.css': '', 'ja/publish.css': '', 'en/a.md': '' },
    site('obsidian', 'en', 'en'),
  ],
  [
    'an Obsidian vault per language, none in English',
    { 'de/.obsidian/app.json': '', 'pt-BR/.obsidian/app.json': '', 'de/a.md': '' },
    site('obsidian', 'de', 'de'),
  ],
  [
    'Starlight',
    {
      'astro.config.mjs': `import starlight from '@astrojs/starlight'
export default { integrations: [starlight({ title: 'Acme', locales: {
  root: { label: 'English', lang: 'en' },
  fr: { label: 'Français' },
} })] }`,
      'src/content/docs/a.md': '',
      'src/content/docs/fr/a.md': '',
      'src/content/docs/guides/a.md': '',
    },
    { ...site('starlight', 'src/content/docs', 'en', 'fr'), name: 'Acme' },
  ],
  [
    'Starlight with its locales in another file',
    {
      'astro.config.ts': `import starlight from '@astrojs/starlight'
import { other, localesConfig } from './config/locales.js'
export default { integrations: [starlight({ defaultLocale: 'en', locales: localesConfig })] }`,
      'config/locales.ts':
        "export const localesConfig = { en: { label: 'English' }, 'pt-br': { label: 'P' } }",
      'src/content/docs/en/a.md': '',
      'src/content/docs/pt-br/a.md': '',
      'src/content/docs/guides/a.md': '',
    },
    site('starlight', 'src/content/docs', 'en', 'en', 'pt-br'),
  ],
  ['Astro without Starlight', { 'astro.config.mjs': '', 'src/content/docs/.gitkeep': '' }, undefined],
  ['MkDocs that is told nothing', { 'mkdocs.yml': '', 'docs/a.md': '' }, site('mkdocs', 'docs')],
  ['MkDocs without documents', { 'mkdocs.yml': 'docs_dir: ../other' }, undefined],
  [
    'VitePress in the folder itself',
    { '.vitepress/config.mts': "title: 'Acme', lang: 'de'", 'index.md': '' },
    { ...site('vitepress', '.', 'de'), name: 'Acme' },
  ],
  ['VitePress in docs', { 'docs/.vitepress/config.js': '', 'docs/index.md': '' }, site('vitepress', 'docs')],
  [
    'VitePress elsewhere, with its sources apart',
    {
      'website/.vitepress/config/index.ts': 'export default { srcDir: "./src/" }',
      'website/src/index.md': '',
    },
    site('vitepress', 'website/src'),
  ],
  [
    'VitePress with sources beside it',
    { 'docs/.vitepress/config.ts': "srcDir: '..'" },
    site('vitepress', '.'),
  ],
  ['VitePress with sources above', { '.vitepress/config.ts': "srcDir: '../docs'" }, undefined],
  ['VitePress with sources that are not there', { '.vitepress/config.ts': "srcDir: 'src'" }, undefined],
  [
    'VitePress in several languages',
    {
      'docs/.vitepress/config.ts':
        "locales: { root: { lang: 'en' }, 'pt-BR': { label: 'x' }, fr: { link: '/fr/', label: 'y' }, api: {} },\n// de: {}",
      'docs/fr/a.md': '',
      'docs/pt-BR/a.md': '',
      'docs/de/a.md': '',
      'docs/api/a.md': '',
      'docs/es': '',
    },
    site('vitepress', 'docs', 'en', 'fr', 'pt-BR'),
  ],
  [
    'VitePress with a folder for its first language, too',
    {
      'docs/.vitepress/config.ts':
        "rewrites: { 'en/:rest*': ':rest*' }, lang: 'en-US', locales: { root: {}, es: { label: 'x' } }",
      'docs/en/a.md': '',
      'docs/es/a.md': '',
    },
    site('vitepress', 'docs', 'en', 'es'),
  ],
  ['VitePress of a package', { 'node_modules/.vitepress/config.ts': '' }, undefined],
  [
    'Hugo',
    { 'hugo.toml': 'baseURL = "https://example.com"\nDefaultContentLanguage = "fr"\n', 'content/a.md': '' },
    site('hugo', 'content', 'fr'),
  ],
  [
    'Hugo in YAML',
    { 'hugo.yaml': 'title: Acme\ncontentDir: site/texts\n', 'site/texts/a.md': '' },
    { ...site('hugo', 'site/texts'), name: 'Acme' },
  ],
  [
    'Hugo by its older name, in JSON',
    { 'config.json': '{ "baseurl": "/", "contentDir": "text/" }', 'text/a.md': '' },
    site('hugo', 'text'),
  ],
  ['Hugo in a folder', { 'config/_default/hugo.yml': '', 'content/a.md': '' }, site('hugo', 'content')],
  [
    'Hugo in several languages',
    { 'hugo.toml': '[languages.en]\nweight = 1\n[languages.fr]\n[languages.no_code]\n', 'content/a.md': '' },
    site('hugo', 'content', undefined, 'en', 'fr'),
  ],
  [
    'Hugo with a folder for each language',
    {
      'hugo.yaml':
        'contentDir: content/en\nlanguages:\n  en: { contentDir: content/en }\n  fr: { contentdir: content/fr/ }\n',
      'content/en/a.md': '',
      'content/fr/a.md': '',
    },
    site('hugo', 'content', undefined, 'en', 'fr'),
  ],
  [
    'Hugo with its languages in other files',
    {
      'config/_default/hugo.toml': '[languages.en]\n',
      'config/_default/languages.yaml': 'fr: { title: Acme }\n',
      'config/_default/languages.pt-br.toml': 'weight = 2\n',
      'config/_default/languages.de.txt': '',
      'content/a.md': '',
    },
    site('hugo', 'content', undefined, 'en', 'pt-br', 'fr'),
  ],
  ['Hugo whose configuration is broken', { 'hugo.toml': '= =', 'content/a.md': '' }, site('hugo', 'content')],
  ['Hugo with content elsewhere', { 'hugo.toml': 'contentDir = "../texts"', 'content/a.md': '' }, undefined],
  [
    'a config.toml of others',
    { 'config.toml': 'base_url = "https://example.com"', 'content/a.md': '' },
    site('folder', 'content'),
  ],
  [
    'the largest collection of Jekyll',
    {
      '_config.yml': '',
      'README.md': '',
      'index.md': '',
      '_articles/a.md': '---\ntitle: A\ncategories: [b]\n---\n',
      '_articles/b/c.md': '',
      '_faq/a.md': '',
      '_includes/a.md': '',
      '_includes/b.md': '',
      '_includes/c.md': '',
    },
    site('folder', '_articles'),
  ],
  [
    'a collection of Jekyll that is larger than a usual folder, but not its posts',
    {
      '_config.yml': '',
      'docs/style.md': '',
      '_articles/a.md': '',
      '_articles/b.md': '',
      '_posts/2024-01-01-a.md': '',
      '_posts/2024-01-02-b.md': '',
      '_posts/2024-01-03-c.md': '',
    },
    site('folder', '_articles'),
  ],
  [
    'articles beside a guide for their authors',
    { 'docs/style.md': '', 'README.md': '', ...titledPages('src/faq', 10), 'wiki/a.md': '' },
    site('folder', 'src'),
  ],
  [
    'pages in all folders, of which one has a usual name',
    { 'home.md': '', 'guide/a.md': '', ...titledPages('auth', 6), ...titledPages('search', 5) },
    site('folder', '.'),
  ],
  [
    'documents beside news, and files of tests',
    { 'docs/a.md': '', ...titledPages('blog', 20), ...titledPages('test', 20) },
    site('folder', 'docs'),
  ],
  [
    'a site of Jekyll in a usual folder, with a collection',
    {
      'docs/_config.yml': '',
      'docs/pages/a.md': '',
      'docs/_docs/a.md': '',
      'docs/_docs/b.md': '',
      'docs/_docs/c.md': '',
    },
    site('folder', 'docs/_docs'),
  ],
  [
    'MkDocs with a site for each language, of which the largest is read',
    {
      'docs/en/mkdocs.yml': 'site_name: A',
      'docs/en/docs/a.md': '',
      'docs/zh/mkdocs.yml': 'site_name: B\ntheme: { language: zh-CN }',
      'docs/zh/docs/a.md': '',
      'docs/zh/docs/b/c.md': '',
      'docs/index.md': '',
    },
    { ...site('mkdocs', 'docs/zh/docs', 'zh-CN'), name: 'B' },
  ],
  [
    'MkDocs with the site of a language, which names none',
    { 'mkdocs.yml': 'docs_dir: generated', 'docs/pt/mkdocs.yaml': '', 'docs/pt/docs/a.md': '' },
    site('mkdocs', 'docs/pt/docs', 'pt'),
  ],
  [
    'Hugo with a configuration between two lines, like frontmatter',
    { 'config.yaml': '---\nbaseURL: /\n---\n', 'content/a.md': '' },
    site('hugo', 'content'),
  ],
  [
    'the largest collection of Jekyll in its folder',
    {
      '_config.yml': 'collections_dir: parts\n',
      'parts/_docs/a.md': '',
      'parts/_docs/b.md': '',
      'parts/_faq/a.md': '',
    },
    site('folder', 'parts/_docs'),
  ],
  [
    'posts of Hexo',
    { '_config.yml': 'title: A\n', 'source/_posts/a.md': '', 'scaffolds/post.md': '' },
    site('folder', 'source/_posts'),
  ],
  [
    'pages of Hexo',
    {
      '_config.yml': 'title: A\n',
      'source/_posts/a.md': '',
      'source/docs/a.md': '',
      'scaffolds/post.md': '',
    },
    site('folder', 'source'),
  ],
  [
    'Middleman with its own folder',
    { 'config.rb': "set :source, 'site'\n", 'site/a.html.md': '', 'spec/a.md': '', 'docs/a.md': '' },
    site('folder', 'site'),
  ],
  [
    'a book in a usual folder',
    { 'README.md': '', 'guide/book.toml': '[book]\n', 'guide/src/SUMMARY.md': '', 'guide/src/a.md': '' },
    site('folder', 'guide/src'),
  ],
  [
    'a book with its own folder, which is the root',
    { 'book.toml': '[book]\nsrc = "."\n', 'docs/a.md': '', 'a.md': '' },
    site('folder', '.'),
  ],
  [
    'a book at the root, with chapters in a usual folder',
    {
      'SUMMARY.md': '# Summary\n\n* [Start](README.md)\n* [First](guide/first.md)\n',
      'README.md': '# Start',
      'guide/first.md': '# First',
    },
    site('folder', '.'),
  ],
  [
    'contents that list no file, beside a usual folder',
    { 'SUMMARY.md': '# Summary\n\n* [First](first.md)\n', 'guide/first.md': '# First' },
    site('folder', 'guide'),
  ],
  [
    'Mintlify, beside a usual folder',
    { 'docs.json': '{ "navigation": [] }', 'index.mdx': '', 'guide/a.mdx': '' },
    site('folder', '.'),
  ],
  [
    'a docs.json and a book that are something else',
    { 'docs.json': '{ "pages": 1 }', 'book.toml': '[book]\nsrc = "../x"\n', 'index.md': '', 'docs/a.md': '' },
    site('folder', 'docs'),
  ],
  [
    'languages in the names of files',
    {
      'docs/a.md': '',
      'docs/a.fr.md': '',
      'docs/b/c.mdx': '',
      'docs/b/c.fr.mdx': '',
      'docs/b/c.de.mdx': '',
      'docs/a.js.md': '',
      'docs/b/c.js.mdx': '',
      'docs/d.es.md': '',
      'docs/e.es.md': '',
    },
    site('folder', 'docs', 'en', 'fr'),
  ],
  [
    'documents of Jekyll in a usual folder',
    { '_config.yml': '', '_posts/a.md': '', '_posts/b.md': '', 'docs/a.md': '' },
    site('folder', 'docs'),
  ],
  ['folders with an underscore without Jekyll', { '_a/a.md': '', 'vendor/b/c.md': '' }, undefined],
  ['a folder of Markdown', { 'docs/a.md': '', 'content/a.md': '' }, site('folder', 'content')],
  ['a folder of MDX', { 'README.md': '', 'docs/guides/a.mdx': '' }, site('folder', 'docs')],
  [
    'the only folder with documents',
    { 'README.md': '', 'src/README.md': '', 'reference/a/b.md': '' },
    site('folder', 'reference'),
  ],
  [
    'documents in several folders',
    { 'a/a.md': '', 'b/b.md': '', 'node_modules/x/c.md': '' },
    site('folder', '.'),
  ],
  ['a repository without documents', { 'README.md': '', 'packages/a/CHANGELOG.md': '' }, undefined],
  [
    'documents that are the pages of their folders',
    { 'README.md': '', 'docs/README.md': '', 'docs/a/README.md': '', 'docs/b/readme.mdx': '' },
    site('folder', 'docs'),
  ],
  [
    'pages of folders in two languages',
    { 'wiki/en/a/README.md': '', 'wiki/de/a/README.md': '' },
    site('folder', 'wiki', 'en', 'de', 'en'),
  ],
  [
    'packages beside a README.md that is about the documents',
    {
      'docs/README.md': '',
      'docs/theme/README.md': '',
      'docs/theme/package.json': '{}',
      'docs/examples/a/README.md': '',
      'packages/a/README.md': '',
      'apps/b/README.md': '',
      'crates/c/README.md': '',
      'c/README.md': '',
    },
    undefined,
  ],
  [
    'pages of folders in a folder with any name',
    { 'README.md': '', 'package.json': '', 'runbooks/a/README.md': '', 'runbooks/b/README.md': '' },
    site('folder', 'runbooks'),
  ],
  ['pages of folders at the root', { 'a/README.md': '', 'b/README.md': '' }, site('folder', '.')],
  ['a single page of a folder', { 'README.md': '', 'a/README.md': '' }, undefined],
  [
    'pages about code',
    {
      'a/README.md': '',
      'b/go.mod': '',
      'b/x/README.md': '',
      'b/y/README.md': '',
      'src/x/README.md': '',
      'src/y/README.md': '',
    },
    undefined,
  ],
  [
    'languages of which some have names of their own',
    { 'docs/de/1-a.md': '', 'docs/nb/1-a.md': '', 'docs/en/1-b.md': '', 'docs/ja/1-c.md': '' },
    site('folder', 'docs', 'en', 'de', 'en', 'ja', 'nb'),
  ],
  [
    'a folder of Markdown in several languages',
    {
      'docs/en/a.md': '',
      'docs/fr/a.md': '',
      'docs/pt-BR/b/c.md': '',
      'docs/en/b/c.md': '',
      'docs/cs/program.md': '',
    },
    site('folder', 'docs', 'en', 'en', 'fr', 'pt-BR'),
  ],
  [
    'originals beside the folders of their translations',
    {
      'docs/a.md': '',
      'docs/b/c.md': '',
      'docs/go/index.md': '',
      'docs/fr/a.md': '',
      'docs/fr/b/c.md': '',
      'docs/fr/index.md': '',
      'docs/pt-BR/index.md': '',
      'docs/pt-BR/b/c.md': '',
      'docs/index.md': '',
    },
    site('folder', 'docs', 'en', 'fr', 'pt-BR'),
  ],
  [
    'articles of kb-sync',
    {
      'content/a.md': '---\ntitle: A\ncategories: [B]\n---\n',
      'content/b.md': '\uFEFF---\r\ncategories: C\r\ntitle: B\r\n---\r\n',
      'content/c.md': '# C\n',
    },
    undefined,
  ],
  ['a folder that was a project', { 'content/_categories.yml': '[]', 'content/a.md': '# A\n' }, undefined],
])('%s', async (_, files, expected) => {
  expect(await recogniseSite(createProject(files).root)).toEqual(expected)
})

test('a missing folder is not a site', async () => {
  expect(await recogniseSite(createProject().path('new'))).toBeUndefined()
})

const DOCS = site('docusaurus', 'docs', 'de', 'de', 'fr')

test('options for other articles do not concern the site', () => {
  expect(
    [{}, { content: 'docs' }, { content: 'docs/guides' }, { preset: 'docusaurus' as const }].map((given) =>
      isAboutSite(given, DOCS),
    ),
  ).toEqual([true, true, true, true])
  expect(
    [{ content: 'docs-2' }, { preset: 'none' as const }, { preset: 'hugo' as const }].map((given) =>
      isAboutSite(given, DOCS),
    ),
  ).toEqual([false, false, false])
  expect(isAboutSite({ content: 'help' }, site('vitepress', '.'))).toBe(true)
})

test('flags take precedence over the site, and the site over defaults', () => {
  expect([
    takeSite({}, DOCS),
    takeSite({ language: 'en', content: 'docs/a' }, DOCS),
    takeSite({ preset: 'none' }, DOCS),
    takeSite({ preset: 'none', content: 'docs' }, DOCS),
    takeSite({ preset: 'hugo' }, DOCS),
    takeSite({ preset: 'vitepress', content: 'guide' }, undefined),
    takeSite({ content: 'help' }, DOCS),
    takeSite({}, undefined),
  ]).toEqual([
    { preset: 'docusaurus', content: 'docs', language: 'de', languages: ['fr'] },
    { preset: 'docusaurus', content: 'docs/a', language: 'en', languages: ['de', 'fr'] },
    { preset: undefined, languages: [] },
    { preset: undefined, content: 'docs', languages: [] },
    { preset: 'hugo', content: 'content', languages: [] },
    { preset: 'vitepress', content: 'guide', languages: [] },
    { preset: undefined, content: 'help', languages: [] },
    { preset: undefined, languages: [] },
  ])
})

test('a site is found inside the given content folder', async () => {
  const vault = { 'docs/en/publish.css': '', 'docs/en/A.md': 'A', 'docs/README.md': '' }
  const found = { ...site('obsidian', 'docs/en'), language: undefined }
  const { root } = createProject(vault)
  expect(await findSite(root, { content: 'docs' })).toEqual(found)
  expect(takeSite({ content: 'docs' }, found)).toEqual({
    preset: 'obsidian',
    content: 'docs/en',
    languages: [],
  })
  expect(takeSite({ content: 'docs', preset: 'obsidian' }, found)).toMatchObject({ content: 'docs' })
  const deep = createProject({ 'a/b/en/.obsidian/app.json': '{}', 'a/b/en/A.md': 'A', 'docs/c.md': 'C' })
  expect(await findSite(deep.root, { content: 'a/b' })).toMatchObject({
    preset: 'obsidian',
    content: 'a/b/en',
  })
  const plain = createProject({ 'docs/a.md': 'A', 'handbook/guide/b.md': '# B', 'handbook/c.md': '# C' })
  expect(await findSite(plain.root, { content: 'handbook' })).toMatchObject({
    preset: 'folder',
    content: 'handbook',
  })
  expect(await findSite(plain.root, { content: 'new' })).toMatchObject({ content: 'docs' })
})

test('a chosen folder contains every page that is not about a package', async () => {
  const { root } = createProject({
    'docs/a.md': '',
    'runbooks/README.md': '',
    'src/a/README.md': '',
    'c/x/README.md': '',
    'c/x/Cargo.toml': '',
    'old/_categories.yml': '',
    'old/README.md': '',
  })
  for (const content of ['runbooks', 'src'])
    expect(await findSite(root, { content })).toEqual({ ...site('folder', content), language: undefined })
  for (const content of ['c', 'old'])
    expect(await findSite(root, { content })).toMatchObject({ content: 'docs' })
})

test('pages of folders are also documents in their own folder', async () => {
  const { path } = createProject({
    'guides/a/README.md': '',
    'guides/b/README.md': '',
    'src/a/README.md': '',
  })
  expect(await recogniseSite(path('guides'))).toEqual(site('folder', '.'))
  expect(await recogniseSite(path('src'))).toBeUndefined()
})

test('with MkDocs, the sites of other languages are translations, and a project beside this one is not', () => {
  const { root, path } = createProject({
    'docs/en/mkdocs.yml': '',
    'docs/en/docs/a.md': '',
    'docs/zh/mkdocs.yml': '',
    'docs/zh/docs/a.md': '',
    'docs/js/docs/a.md': '',
  })
  const find = (project: string) =>
    mkdocsSite.findTranslations?.({ root: project, contentRoot: path('docs/en/docs') })
  expect(find(root)?.map((folder) => relative(root, folder))).toEqual([join('docs', 'zh', 'docs')])
  expect(find(path('docs/en'))).toEqual([])
})

function titledPages(folder: string, count: number) {
  return Object.fromEntries(
    Array.from(
      { length: count },
      (_, index) => [`${folder}/${index}.md`, '---\r\nid: 1\r\ntitle: A\r\n---\r\n'] as const,
    ),
  )
}
