// The navigation of a site: titles, order and categories of the pages that it lists.
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { folderSite } from '../../../src/core/dialects/folder-site.ts'
import { loadConfig } from '../../../src/core/config/load-config.ts'
import { createSourceFilter } from '../../../src/content/source/find-sources.ts'
import { contentOptions } from '../../../src/content/pipeline/content-options.ts'
import { createProject, type Files } from '../../support/project.ts'
import { loadFolder } from '../load-files.ts'

/** Returns the articles and categories of a project, one per line, and the problems in files of its site. */
async function show(files: Files) {
  const { root } = createProject(files)
  const options = contentOptions(await loadConfig({ cwd: root }))
  const { articles, taxonomy, diagnostics } = await loadFolder(options.contentRoot, options)
  return {
    articles: articles.map(
      ({ source, title, order, categories, language }) =>
        `${source}: ${order} "${title}" in ${categories.join(', ')}${language === null ? '' : ` [${language}]`}`,
    ),
    categories: (taxonomy.categories ?? []).map(
      ({ path, slug, priority, source }) => `${path.join(' > ')} = ${slug} ${priority} from ${source}`,
    ),
    problems: diagnostics.map(
      ({ file, line, severity, message, hint }) => `${file}:${line} ${severity}: ${message} ${hint}`,
    ),
  }
}

const page = (title: string) => `# ${title}\n\nText.\n`

const mkdocs = (settings: string): Files => ({
  'kb.config.mjs': "export default { project: 'p', preset: 'mkdocs', server: { languages: ['en', 'fr'] } }\n",
  'mkdocs.yml': settings,
})

const NAV = `site_name: !ENV [NAME, 'A']
theme:
  palette: !!python/name:a.b.c
site_name: Twice is fine
nav:
  - Home: index.md
  - "CI/CD":
      - ci/index.md
      - First steps: ci/start.md
      - Deeper:
          - ci/deep.md
          - ci/gone.md
          - Talk to us: https://example.com/talk.md
      - Empty: []
  - API:
      - 'reference/a.md'
      - ../outside.md
      - gen/
      - mailto:x.md
      - : reference/b.md
      -
  - About: about/us.md
  - Again: ci/start.md
not_in_nav: |
  /ci/draft.md
exclude_docs: |
  secret.md
`

test('MkDocs: nav sets titles, the order and nested categories', async () => {
  const shown = await show({
    ...mkdocs(NAV),
    'docs/index.md': page('Welcome'),
    'docs/secret.md': page('Secret'),
    'docs/ci/index.md': page('Pipelines'),
    'docs/ci/start.md': '---\ntitle: Start\norder: 7\n---\n\n# First steps\n\nText.\n',
    'docs/ci/start.fr.md': page('Premiers pas'),
    'docs/ci/deep.md': '---\ncategories: [Other]\n---\n\n# Deep\n\nText.\n',
    'docs/ci/done.md': page('Deep'),
    'docs/ci/draft.md': page('Unlisted'),
    'docs/reference/a.md': page('A'),
    'docs/reference/b.md': page('B'),
    'docs/about/us.md': 'Text.\n',
  })
  expect(shown).toMatchInlineSnapshot(`
    {
      "articles": [
        "about/us.md: 4 "About" in About",
        "ci/deep.md: 1 "Deep" in Other",
        "ci/done.md: 0 "Deep" in CI",
        "ci/draft.md: 0 "Unlisted" in CI",
        "ci/index.md: 1 "Pipelines" in CI\\/CD",
        "ci/start.fr.md: 2 "Premiers pas" in CI\\/CD [fr]",
        "ci/start.md: 7 "First steps" in CI\\/CD",
        "index.md: 1 "Welcome" in Docs",
        "reference/a.md: 1 "A" in API",
        "reference/b.md: 2 "B" in API",
        "secret.md: 0 "Secret" in Docs",
      ],
      "categories": [
        "About = about 4 from about/",
        "API = api 3 from ../mkdocs.yml",
        "CI = ci 4 from ci/",
        "CI/CD = ci-cd 2 from ../mkdocs.yml",
        "CI/CD > Deeper = ci-cd-deeper 3 from ../mkdocs.yml",
        "Docs = docs undefined from index.md",
        "Other = other 4 from ci/deep.md",
      ],
      "problems": [
        "mkdocs.yml:12 warning: The navigation lists ci/gone.md, which does not exist. Did you mean ci/done.md?",
      ],
    }
  `)
})

test.each([
  ['# Use it\n', 'Use it', '', '#use-it'],
  ['Use it\n======\n', 'Use it', '', '#use-it'],
  ['# Use it { #do .big }\n', 'Use it', '', '#do'],
  ['# *Use* `it` <kbd>X</kbd> :material-book:\n', 'Use it X', '', '#use-it-x'],
  ['<!-- a -->\n<a id="b"></a>\n\n# Use it\n', 'Use it', '<p><a id="b"></a></p>', '#b'],
  ['--8<-- "docs/parts/a.md"\n', 'Part', '<p>Text.</p>', '#part'],
  ['---\ntitle:\n---\n# Use it\n', 'Use it', '', '#use-it'],
  ['---\ntitle: Own\n---\n# Use it\n', 'Use it', '', '#use-it'],
  [
    '---\ntitle: Own\n---\n# [Use it](parts/b.md)\n',
    'Own',
    '<h1 id="use-it"><a href="/articles/parts-b">Use it</a></h1>',
    '#use-it',
  ],
  ['---\ntitle: Own\n---\n', 'Own', '', ''],
  ['Text.\n\n# Use it\n', 'Label', '<p>Text.</p><h1 id="use-it">Use it</h1>', '#use-it'],
  ['## Use it\n', 'Label', '<h2 id="use-it">Use it</h2>', '#use-it'],
  ['#\n', 'Label', '', ''],
  ['---\ntitle:\n---\n', 'Label', '', ''],
])('MkDocs: the title of a page with a label in nav: %j', async (text, title, html, anchor) => {
  const { root } = createProject({
    ...mkdocs('nav: [Label: a.md, Parts: [Label: parts/a.md, Label: parts/b.md]]'),
    'docs/a.md': `${text}\nEnd.\n`,
    'docs/parts/a.md': page('Part'),
    'docs/parts/b.md': `[b](../a.md${anchor})\n`,
  })
  const options = contentOptions(await loadConfig({ cwd: root }))
  const shown = await loadFolder(options.contentRoot, options)
  expect({
    title: shown.articles.find(({ source }) => source === 'a.md')?.title,
    html: shown.html['a.md']?.replaceAll('\n', '').replace('<p>End.</p>', ''),
    problems: shown.diagnostics.map(({ code, file }) => [code, file]),
  }).toEqual({ title, html, problems: [] })
})

test.each([
  ['no nav', 'site_name: A\n'],
  ['an empty nav', 'nav:\n'],
  ['a nav that is no list', 'nav: { A: a.md }\n'],
  ['a nav that lists itself', 'nav: &a [*a, A: *a]\n'],
  ['a file that is no YAML', 'nav: [a.md\nb: ]c\n'],
  ['a nav without pages', 'nav: [1, true, {}, [a], "a.html", "/a.md"]\n'],
  ['a deep nav', `nav: ${'['.repeat(500)}a.md${']'.repeat(500)}\n`],
  [
    'a bomb',
    `a: &a [x, x]\n${Array.from('bcdefghijklmnopqrstuvwxyz', (name, at) => `${name}: &${name} [*${'abcdefghijklmnopqrstuvwxy'[at]}, *${'abcdefghijklmnopqrstuvwxy'[at]}]\n`).join('')}nav: *z\n`,
  ],
])('MkDocs with %s: the folders are the categories', async (_, settings) => {
  expect(
    await show({ ...mkdocs(settings), 'docs/guide/a.md': page('A'), 'docs/guide/b.md': page('B') }),
  ).toMatchObject({ articles: ['guide/a.md: 0 "A" in Guide', 'guide/b.md: 0 "B" in Guide'], problems: [] })
})

test('MkDocs: a configuration inherits settings, which it completes and replaces', async () => {
  const project: Files = {
    ...mkdocs('INHERIT: config/base.yml\nsite_url: https://example.com/own/\nplugins: { i18n: { a: 1 } }\n'),
    'config/base.yml':
      'INHERIT: ../all.yml\nsite_url: https://example.com/base/\nnav:\n  - A: [guide/b.md, gone.md]\n  - B: guide/a.md\n',
    'all.yml': 'INHERIT: mkdocs.yml\nexclude_docs: secret.md\nsite_name: All\nnav: [guide/b.md]\n',
    'docs/guide/a.md': page('Title'),
    'docs/guide/b.md': page('Other'),
  }
  expect(await show(project)).toMatchObject({
    articles: ['guide/a.md: 2 "Title" in Guide', 'guide/b.md: 1 "Other" in A'],
    problems: [expect.stringMatching(/^config\/base\.yml:4 warning: The navigation lists gone\.md/)],
  })
  const { root } = createProject(project)
  const files: string[] = []
  const { toolSite } = await loadConfig({ cwd: root, onFiles: (read) => files.push(...read) })
  expect(toolSite).toMatchObject({ basePath: '/own', exclude: ['**/secret.md'] })
  expect(files.map((file) => relative(root, file))).toEqual(
    expect.arrayContaining(['mkdocs.yml', join('config', 'base.yml'), 'all.yml']),
  )
})

test('the root category is named after the folder, or the folder above a language folder', async () => {
  for (const [content, name] of [
    ['handbook', 'Handbook'],
    ['handbook/en', 'Handbook'],
    ['handbook/it', 'It'],
  ]) {
    const config = `export default { project: 'p', preset: 'folder', content: '${content}' }\n`
    const { articles } = await show({ 'kb.config.mjs': config, [`${content}/a.md`]: page('A') })
    expect(articles).toEqual([`a.md: 0 "A" in ${name}`])
  }
})

const starlight = (sidebar: string): Files => ({
  'kb.config.mjs': "export default { project: 'p', preset: 'starlight' }\n",
  'astro.config.mjs': `import starlight from '@astrojs/starlight'
export default defineConfig({ integrations: [starlight({ title: 'A', sidebar: ${sidebar} })] })
`,
  'src/content/docs/install.md': '---\ntitle: Install\n---\n\nText.\n',
  'src/content/docs/guides/index.md': '---\ntitle: Guides\n---\n\nText.\n',
  'src/content/docs/guides/a.md': '---\ntitle: A\n---\n\nText.\n',
  'src/content/docs/ref/deep/b.md': '---\ntitle: B\n---\n\nText.\n',
})

test('Starlight: groups of a literal sidebar are categories', async () => {
  const shown = await show(
    starlight(`[
      // The first one
      { label: 'Let\\'s "start"', collapsed: true, items: ['install', { label: 'First', slug: 'guides/a' }, { slug: 'gone' }] },
      { label: \`Reference\`, autogenerate: { directory: 'ref' }, translations: { 'pt-BR': 'Referência' } },
      'guides',
      { label: "Site", link: 'https://example.com/' },
    ]`),
  )
  expect(shown).toMatchInlineSnapshot(`
    {
      "articles": [
        "guides/a.md: 2 "A" in Let's "start"",
        "guides/index.md: 3 "Guides" in Guides",
        "install.md: 1 "Install" in Let's "start"",
        "ref/deep/b.md: 0 "B" in Reference/Deep",
      ],
      "categories": [
        "Guides = guides 3 from guides/",
        "Let's "start" = lets-start 1 from ../../../astro.config.mjs",
        "Reference = reference 2 from ../../../astro.config.mjs",
        "Reference > Deep = reference-deep undefined from reference/deep/",
      ],
      "problems": [],
    }
  `)
})

const docusaurus = (sidebars: string, name = 'sidebars.js'): Files => ({
  'kb.config.mjs': "export default { project: 'p', preset: 'docusaurus' }\n",
  'docusaurus.config.js': `module.exports = {
  themeConfig: { docs: { sidebar: { hideable: true } } },
  presets: [['classic', { docs: { sidebarPath: require.resolve('./${name}'), exclude: ['x/**'] } }]],
}\n`,
  [name]: sidebars,
  'docs/intro.md': page('Intro'),
  'docs/01-start/02-install.md': page('Install'),
  'docs/start.md': '---\nid: install\n---\n\n# Start\n\nText.\n',
  'docs/install.md': '---\nid: other\n---\n\n# Other\n\nText.\n',
  'docs/api/a.md': page('A'),
  'docs/api/deep/b.md': page('B'),
})

const SIDEBARS = `{
  docs: [
    'intro',
    {
      type: 'category' as const,
      label: 'UI & "more"',
      collapsed: process.env.CI === 'x',
      link: { type: 'doc', id: 'install' },
      items: [{ type: 'doc', id: 'start/install', label: 'Start', className: names[0] + '!' }, { type: 'link', label: 'X', href: '/x' }],
    },
  ],
  api: { API: [{ type: 'autogenerated', dirName: 'api' }], Rest: ['other', { type: 'html', value: '<hr>' }], },
}`

test.each([
  ['sidebars.js', `// Comment\nmodule.exports = ${SIDEBARS};\n`],
  ['sidebars.ts', `import x from 'y'\nexport default ${SIDEBARS} satisfies SidebarsConfig\n`],
  ['sidebars.ts', `const sidebars: SidebarsConfig = ${SIDEBARS}\n\nexport default sidebars\n`],
])('Docusaurus: categories of literal sidebars, in %s', async (name, text) => {
  expect(await show(docusaurus(text, name))).toEqual({
    articles: [
      '01-start/02-install.md: 2 "Install" in UI & "more"',
      'api/a.md: 0 "A" in API',
      'api/deep/b.md: 0 "B" in API/Deep',
      'install.md: 1 "Other" in Rest',
      'intro.md: 1 "Intro" in Docs',
      'start.md: 1 "Start" in UI & "more"',
    ],
    categories: [
      `API = api 3 from ../${name}`,
      'API > Deep = api-deep undefined from api/deep/',
      `Rest = rest 4 from ../${name}`,
      `UI & "more" = ui--more 2 from ../${name}`,
      'Docs = docs undefined from intro.md',
    ],
    problems: [],
  })
})

test('Docusaurus: sidebars as JSON', async () => {
  const { articles } = await show(docusaurus('{ "docs": { "All": ["api/a"] } }\n', 'sidebars.json'))
  expect(articles).toContain('api/a.md: 1 "A" in All')
})

test.each([
  ['a spread', "module.exports = { docs: [...others, 'intro'] }"],
  ['a call', "module.exports = { docs: [{ type: 'category', label: 'A', items: list('api') }] }"],
  ['a function', "module.exports = () => ({ docs: ['intro'] })"],
  [
    'a label that is an expression',
    "module.exports = { docs: [{ type: 'category', label: t('A'), items: ['intro'] }] }",
  ],
  ['a computed key', "module.exports = { [key]: ['intro'] }"],
  ['no end', "module.exports = { docs: [{ type: 'category', label: 'A'"],
  ['no export', "const sidebars = { docs: ['intro'] }"],
])('Docusaurus with %s in its sidebars: the folders are the categories', async (_, sidebars) => {
  expect((await show(docusaurus(sidebars))).articles).toEqual([
    '01-start/02-install.md: 2 "Install" in Start',
    'api/a.md: 0 "A" in API',
    'api/deep/b.md: 0 "B" in API/Deep',
    'install.md: 0 "Other" in Docs',
    'intro.md: 0 "Intro" in Docs',
    'start.md: 0 "Start" in Docs',
  ])
})

const vitepress = (sidebar: string): Files => ({
  'kb.config.mjs': "export default { project: 'p', preset: 'vitepress' }\n",
  'docs/.vitepress/config.ts': `export default defineConfig({ themeConfig: { nav: [], sidebar: ${sidebar} } })\n`,
  'docs/guide/index.md': page('Guide'),
  'docs/guide/a.md': page('A'),
  'docs/guide/b.md': page('B'),
  'docs/config/index.md': page('Config'),
  'docs/config/c.md': page('C'),
})

test('VitePress: groups of a literal sidebar are categories, each page in the sidebar of its path', async () => {
  const { articles, categories } = await show(
    vitepress(`{
      '/guide/': [
        { text: 'Introduction', collapsed: false, items: [
          { text: 'Start', link: '/guide/' },
          { text: \`From v\${major - 1}\`, link: '/guide/b.html#top' },
          { text: 'Config', link: '/config/' },
        ] },
        { text: 'Site', link: 'https://example.com/' },
      ],
      '/config/': { base: '/config/', items: [{ text: 'Reference', link: '/', items: [{ text: 'C', link: 'c' }] }] },
    } as any`),
  )
  expect({ articles, categories }).toMatchInlineSnapshot(`
    {
      "articles": [
        "config/c.md: 2 "C" in Reference",
        "config/index.md: 1 "Config" in Reference",
        "guide/a.md: 0 "A" in Guide",
        "guide/b.md: 2 "B" in Introduction",
        "guide/index.md: 1 "Guide" in Introduction",
      ],
      "categories": [
        "Guide = guide 3 from guide/",
        "Introduction = introduction 1 from .vitepress/config.ts",
        "Reference = reference 2 from .vitepress/config.ts",
      ],
    }
  `)
})

test('VitePress: a list is the sidebar of all pages', async () => {
  const { articles } = await show(
    vitepress(
      "[{ text: 'All', base: '/guide', items: [{ text: 'B', link: '/b' }, { text: 'A', link: '/a' }] }]",
    ),
  )
  expect(articles).toEqual([
    'config/c.md: 0 "C" in Config',
    'config/index.md: -1 "Config" in Config',
    'guide/a.md: 2 "A" in All',
    'guide/b.md: 1 "B" in All',
    'guide/index.md: -1 "Guide" in Guide',
  ])
})

test.each([
  ['a call', 'createSidebar()'],
  ['calls in it', "{ '/guide/': guide(), '/config/': config() }"],
  ['a spread', "[...others, { text: 'All', items: [{ link: '/guide/a' }] }]"],
  ['items that are a name', "[{ text: 'All', items: guide }]"],
])('VitePress with %s as its sidebar: the folders are the categories', async (_, sidebar) => {
  expect((await show(vitepress(sidebar))).articles).toEqual([
    'config/c.md: 0 "C" in Config',
    'config/index.md: -1 "Config" in Config',
    'guide/a.md: 0 "A" in Guide',
    'guide/b.md: 0 "B" in Guide',
    'guide/index.md: -1 "Guide" in Guide',
  ])
})

test.each([
  ['a call', "[group('guides', { items: ['install'] })]"],
  ['a spread', "[...others, { label: 'A', items: ['install'] }]"],
  ['a name', 'sidebar'],
  ['an expression in a text', "[{ label: `a${b}`, items: ['install'] }]"],
  ['no end', "[{ label: 'A'"],
  ['deep lists', '['.repeat(50_000)],
  ['commas', `[${','.repeat(50_000)}]`],
])('Starlight with %s in its sidebar: the folders are the categories', async (_, sidebar) => {
  expect((await show(starlight(sidebar))).articles).toEqual([
    'guides/a.md: 0 "A" in Guides',
    'guides/index.md: -1 "Guides" in Guides',
    'install.md: 0 "Install" in Docs',
    'ref/deep/b.md: 0 "B" in Ref/Deep',
  ])
})

test('the table of contents of a book determines order and categories', async () => {
  const found = await show({
    'kb.config.mjs': "export default { project: 'p', preset: 'folder', content: 'src' }\n",
    'src/SUMMARY.md': `# Summary

[Introduction](README.md)

* [First steps](first/README.md)
  * [Install](first/install%20it.md)
    * [Windows](first/windows.md "On Windows")
  * [Use](<first/use.md>)
* [Later]()
* [Site](https://example.com/a.md)

## Reference

- [Keys](keys.md)
- [Gone](gone.md)
`,
    'src/README.md': page('Introduction'),
    'src/first/README.md': page('First'),
    'src/first/install it.md': page('Install'),
    'src/first/windows.md': page('Windows'),
    'src/first/use.md': page('Use'),
    'src/keys.md': page('Keys'),
  })
  expect(found).toEqual({
    articles: [
      'README.md: 1 "Introduction" in Src',
      'SUMMARY.md: 0 "Summary" in Src',
      'first/README.md: 1 "First" in First steps',
      'first/install it.md: 1 "Install" in First steps/Install',
      'first/use.md: 3 "Use" in First steps',
      'first/windows.md: 2 "Windows" in First steps/Install',
      'keys.md: 1 "Keys" in Reference',
    ],
    categories: [
      'First steps = first-steps 2 from SUMMARY.md',
      'First steps > Install = first-steps-install 2 from SUMMARY.md',
      'Reference = reference 3 from SUMMARY.md',
      'Src = src undefined from README.md',
    ],
    problems: expect.arrayContaining([
      'src/SUMMARY.md:15 warning: The navigation lists gone.md, which does not exist. Create the file, or remove the entry.',
    ]) as unknown,
  })
})

test('the tables of contents of several books are no articles, but articles may have such a name', async () => {
  const contentRoot = createProject({
    'one/SUMMARY.md': '# Contents\n\n- [A](a.md)\n',
    'one/a.md': page('A'),
    '(two) [x]/SUMMARY.md': '* [B](b.md)\n',
    '(two) [x]/b.md': page('B'),
    'article/SUMMARY.md': '---\ntitle: A summary\n---\n\n# A part\n\n- [C](c.md)\n',
    'article/c.md': page('C'),
    'list/SUMMARY.md': '# Summary\n\n## A part\n\n- [D](../article/d.md)\n',
  }).root
  const { exclude } = folderSite.readSite({ root: contentRoot, contentRoot }).site
  const isArticle = await createSourceFilter(['**/*.md'], exclude)
  const folders = ['one', '(two) [x]', 'article', 'list']
  expect(folders.filter((folder) => isArticle(`${folder}/SUMMARY.md`))).toEqual(['article', 'list'])
})

test('a table of contents may have blank lines, escapes, and a part at its start', async () => {
  const { articles, categories } = await show({
    'kb.config.mjs': "export default { project: 'p', preset: 'folder', content: 'src' }\n",
    'src/SUMMARY.md': '\n- [A](a.md)\r\n\r\n  - [B](b\\_1.md)\r\n\n# The file\\_name\n\n- [C](c.md)\n',
    'src/a.md': page('A'),
    'src/b_1.md': page('B'),
    'src/c.md': page('C'),
  })
  expect(articles.slice(1)).toEqual([
    'a.md: 1 "A" in A',
    'b_1.md: 2 "B" in A',
    'c.md: 1 "C" in The file_name',
  ])
  expect(categories.slice(0, 2)).toEqual([
    'A = a 1 from SUMMARY.md',
    'The file_name = the-file_name 2 from SUMMARY.md',
  ])
})

const FOLDER = { 'kb.config.mjs': "export default { project: 'p', preset: 'folder', content: 'docs' }\n" }
const PAGES = {
  'docs/README.md': page('Home'),
  'docs/Start-here.md': page('Start'),
  'docs/b/c.md': page('C'),
}

test.each<[string, Files]>([
  [
    'Docsify',
    {
      'docs/_sidebar.md':
        '<!-- c -->\n\n* [Home](/)\n* First\n\n  * [Start](Start-here "S")\n* Empty\n* [X](https://a.example/b/c)\n1. **Last**\n   1. [C](/b/c.md#x)\n',
    },
  ],
  [
    'a GitHub wiki',
    {
      'docs/_Sidebar.md':
        '# [First](Start-here)\n- 🔢 [[Start here]] <small>(new)</small>\n- [[Words|Gone]]\n\nText [a](b/c)\n\n## Last\n1. No\n- [C](https://github.com/a/b/wiki/b/c#x)\n',
    },
  ],
  [
    'Mintlify',
    {
      'docs/docs.json': JSON.stringify({
        navigation: {
          languages: [
            {
              language: 'en',
              tabs: [
                { tab: 'First', href: '/x', pages: ['Start-here', 'GET /a'] },
                { tab: 'Last', groups: [{ root: 'b/c', pages: [] }] },
              ],
            },
            { language: 'fr', tabs: [{ tab: 'Premier', pages: ['README'] }] },
          ],
        },
      }),
      'docs/index.mdx': page('Index'),
      'docs/snippets/a.mdx': page('Snippet'),
    },
  ],
])('the lists of pages of %s determine order and categories', async (_, files) => {
  const ofWindows = Object.fromEntries(
    Object.entries(files).map(([name, text]) => [name, `\uFEFF${text.replaceAll('\n', '\r\n')}`]),
  )
  for (const written of [files, ofWindows]) {
    const { articles, categories } = await show({ ...FOLDER, ...PAGES, ...written })
    const listed = articles.filter((each) => /^(?:Start|b)/.test(each))
    expect(listed).toEqual(['Start-here.md: 1 "Start" in First', 'b/c.md: 1 "C" in Last'])
    expect(categories.map((each) => each.replace(/\d from.*/, '')).slice(0, 2)).toEqual([
      'First = first ',
      'Last = last ',
    ])
  }
})
