// Folders of a tool as categories, tags and translations.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ContentOptions } from '../../../src/content/pipeline/content-options.ts'
import { createSourceFilter, findSources } from '../../../src/content/source/find-sources.ts'
import type { LoadedContent } from '../../../src/content/pipeline/load-content.ts'
import { DIALECTS, type PresetName } from '../../../src/core/dialects/dialects.ts'
import { createStamper, loadAnew, openLive, wholeOf } from '../../watch/live-content/live-project.ts'
import {
  contentFolder,
  contentOptions,
  type Files,
  loadFiles,
  loadFolder,
  placesOf,
  writeFiles,
} from '../load-files.ts'
import { parseSitePath, routeOf } from '../../../src/content/preset/site-path.ts'
import { mappingOf } from './mapping.ts'

function withPreset(preset: PresetName, categories: readonly string[] = []): Partial<ContentOptions> {
  const { markdown, defaults } = contentOptions('')
  return {
    preset,
    markdown: { ...markdown, dialect: preset, frontmatter: mappingOf({ preset }) },
    defaults: { ...defaults, status: 'published', categories },
  }
}

interface Shown {
  readonly articles: readonly string[]
  readonly categories: readonly string[]
  readonly tags: readonly string[]
  readonly problems: readonly string[]
}

/** Formats the relevant values, one per line. */
function show({
  articles,
  taxonomy,
  diagnostics,
}: Pick<LoadedContent, 'articles' | 'taxonomy' | 'diagnostics'>): Shown {
  return {
    articles: articles.map(
      ({ source, slug, title, categories, language, original }) =>
        `${source}: ${slug} "${title}" in ${categories.join(', ')}${language === null ? '' : ` [${language} of ${original}]`}`,
    ),
    categories: (taxonomy.categories ?? []).map(
      ({ path, slug, priority, description, translations }) =>
        `${path.join(' > ')} = ${slug}${priority === undefined ? '' : ` ${priority}`}${description === undefined ? '' : ` (${description})`}${Object.entries(
          translations,
        )
          .map(([language, { name }]) => ` ${language}: ${name}`)
          .join('')}`,
    ),
    tags: (taxonomy.tags ?? []).map(({ name, slug }) => `${name} = ${slug}`),
    problems: diagnostics.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`),
  }
}

async function showFolder(preset: PresetName, files: Files, categories?: readonly string[]): Promise<Shown> {
  return show(await loadFolder(contentFolder(files), withPreset(preset, categories)))
}

test('of Docusaurus', async () => {
  const files: Files = {
    'intro.md': '---\ntags: [setup]\n---\n\n# Welcome\n\nText.\n',
    'tags.yml': 'setup:\n  label: Set-up\n  description: First steps\nunused: {}\n',
    '02-guides/_category_.json':
      '{ "label": "All guides", "position": 5, "link": { "type": "generated-index", "description": "Step by step" } }',
    '02-guides/overview.md': '# Overview\n',
    '02-guides/1-advanced/overview.md': '---\nsidebar_position: 2\n---\n# Overview\n',
    '02-guides/1-advanced/tuning.md': 'Text without heading.\n',
    'api/_category_.yml': 'label: API\n',
    'api/index.md': '# The API\n',
    'api/calls.md': '---\ncategories: [Reference/Calls]\ntags: [Other tag]\n---\n# Calls\n',
    'alone/index.md': '# A page with images beside it\n',
    '_partial.md': 'Not an article.\n',
  }
  expect(await showFolder('docusaurus', files)).toEqual({
    articles: [
      '02-guides/1-advanced/overview.md: guides-advanced-overview "Overview" in All guides/Advanced',
      '02-guides/1-advanced/tuning.md: guides-advanced-tuning "Tuning" in All guides/Advanced',
      '02-guides/overview.md: guides-overview "Overview" in All guides',
      'alone/index.md: alone "A page with images beside it" in Docs',
      'api/calls.md: api-calls "Calls" in Reference/Calls',
      'api/index.md: api "The API" in API',
      'intro.md: intro "Welcome" in Docs',
    ],
    categories: [
      'All guides = guides 5 (Step by step)',
      'All guides > Advanced = guides-advanced 1',
      'API = api',
      'Reference = reference',
      'Reference > Calls = reference-calls',
      'Docs = docs',
    ],
    tags: ['Set-up = setup', 'unused = unused', 'Other tag = other-tag'],
    problems: [],
  })
})

test('of Obsidian, where a heading is the title only at the start', async () => {
  const files: Files = {
    'Format notes.md': 'Headings are written so:\n\n# This is a heading\n',
    'Home.md': '%% hidden %%\n\n# Welcome\n\nText.\n',
  }
  const { articles } = await showFolder('obsidian', files)
  expect(articles).toEqual([
    'Format notes.md: format-notes "Format notes" in Docs',
    'Home.md: home "Welcome" in Docs',
  ])
})

test('of no tool', async () => {
  const files: Files = {
    'README.md': '# Handbook\n\nRead [the guide](guides/).\n',
    'notes.md': 'Text without heading.\n',
    'guides/README.md':
      '---\nms.date: 2024-01-31\nstatus: accepted\n---\n# All guides\n\n[Back](../README.md)\n',
    'guides/set-up.md': '---\ntags: cli\nslug: /start/set-up\n---\n\n# Set up\n\nBraces {a} stay.\n',
    'guides/filed.md': '---\ntitle: Filed\ncategories: Elsewhere\n---\n\nText.\n',
  }
  expect(await showFolder('folder', files)).toEqual({
    articles: [
      'README.md: index "Handbook" in Docs',
      'guides/README.md: guides "All guides" in Guides',
      'guides/filed.md: guides-filed "Filed" in Elsewhere',
      'guides/set-up.md: start-set-up "Set up" in Guides',
      'notes.md: notes "Notes" in Docs',
    ],
    categories: ['Guides = guides', 'Docs = docs', 'Elsewhere = elsewhere'],
    tags: ['cli = cli'],
    problems: [],
  })
})

test('pictures in or before the heading of an article are checked', async () => {
  const { articles, problems } = await showFolder('folder', {
    'alone.md': '# ![Logo](gone.png)\n\nText.\n',
    'tool.md': '# ![Logo](gone.png) My tool\n\nText.\n',
    'badges.md': '![Build](gone.png)\n\n# Real title\n\nText.\n',
  })
  expect(articles).toEqual([
    'alone.md: alone "Alone" in Docs',
    'badges.md: badges "Real title" in Docs',
    'tool.md: tool "My tool" in Docs',
  ])
  expect(problems).toEqual([
    'alone.md:1:11 asset-missing',
    'badges.md:1:10 asset-missing',
    'tool.md:1:11 asset-missing',
  ])
})

test('of VitePress, in two languages', async () => {
  const files: Files = {
    'index.md': '---\nlayout: home\nhero: { name: Site }\n---\n',
    'guide/start.md': '# Start\n',
    'guide/old/notes.md': '# Notes\n',
    'fr/index.md': '---\nlayout: home\n---\n',
    'fr/guide/start.md': '# Commencer\n',
    'fr/guide/only.md': '# Seulement\n',
  }
  expect(await showFolder('vitepress', files, ['Basics'])).toEqual({
    articles: [
      'fr/guide/only.md: guide-only "Seulement" in Guide [fr of undefined]',
      'fr/guide/start.md: guide-start "Commencer" in Guide [fr of guide/start.md]',
      'guide/old/notes.md: guide-old-notes "Notes" in Guide/Old',
      'guide/start.md: guide-start "Start" in Guide',
    ],
    categories: ['Guide = guide', 'Guide > Old = guide-old'],
    tags: [],
    problems: [],
  })
})

test('of Hugo, in two languages', async () => {
  const files: Files = {
    '_index.md': '---\ntitle: The site\n---\n',
    'about.md': '+++\ntitle = "About"\ntranslationKey = "us"\n+++\n',
    'docs/_index.md':
      '+++\ntitle = "Documentation of all"\nlinkTitle = "Documentation"\nweight = 20\ndescription = "All of it"\n+++\nText.\n',
    'docs/_index.fr.md': '---\ntitle: La documentation\n---\n',
    'docs/start.md': '---\ntitle: Start\ntags: [a, b]\n---\n',
    'docs/start.fr.md': '---\ntitle: Départ\n---\n',
    'docs/trip/index.md': '---\ntitle: Trip\n---\n',
    'docs/trip/notes.md': 'A part of that page.\n',
    'docs/societe.fr.md': '---\ntitle: Société\ntranslationKey: us\n---\n',
  }
  expect(await showFolder('hugo', files)).toEqual({
    articles: [
      'about.md: about "About" in Docs',
      'docs/societe.fr.md: docs-societe "Société" in Documentation of all [fr of about.md]',
      'docs/start.fr.md: docs-start "Départ" in Documentation of all [fr of docs/start.md]',
      'docs/start.md: docs-start "Start" in Documentation of all',
      'docs/trip/index.md: docs-trip "Trip" in Documentation of all',
    ],
    categories: ['Documentation of all = docs 20 (All of it) fr: La documentation', 'Docs = docs-2'],
    tags: ['a = a', 'b = b'],
    problems: [],
  })
})

test('a folder is the category of its files, whatever other folders are called', async () => {
  const files: Files = {
    'guide/a.md': '# A\n',
    'api/guide/b.md': '# B\n',
    // Its address is the name of another folder.
    'start/c.md': '# C\n',
    'start/_category_.yml': 'label: First\n',
    'other/d.md': '# D\n',
    'other/_category_.yml': 'label: start\n',
  }
  expect(await showFolder('docusaurus', files)).toEqual({
    articles: [
      'api/guide/b.md: api-guide-b "B" in API/Guide',
      'guide/a.md: guide-a "A" in Guide',
      'other/d.md: other-d "D" in other',
      'start/c.md: start-c "C" in First',
    ],
    categories: ['API = api', 'API > Guide = api-guide', 'Guide = guide', 'start = other', 'First = start'],
    tags: [],
    problems: [],
  })
})

test('terms of Hugo are not folders; elsewhere a name must identify one folder', async () => {
  const files = (categories: string): Files => ({
    'a/examples/x.md': '---\ntitle: X\n---\n',
    'b/examples/y.md': '---\ntitle: Y\n---\n',
    'b/z.md': `---\ntitle: Z\ncategories: ${categories}\n---\n`,
  })
  const hugo = await loadFolder(contentFolder(files('[Examples]')), withPreset('hugo'))
  expect(show(hugo)).toMatchObject({
    articles: [
      'a/examples/x.md: a-examples-x "X" in A/Examples',
      'b/examples/y.md: b-examples-y "Y" in B/Examples',
      'b/z.md: b-z "Z" in Examples',
    ],
    problems: [],
  })
  expect(hugo.taxonomy.categories?.map(({ path, source }) => `${path.join(' > ')} of ${source}`)).toEqual([
    'A of a/',
    'A > Examples of a/examples/',
    'B of b/',
    'B > Examples of b/examples/',
    'Examples of b/z.md',
  ])
  const { diagnostics } = await loadFolder(contentFolder(files('[Examples]')), withPreset('vitepress'))
  expect(diagnostics.map(({ file, code, message }) => [file, code, message])).toEqual([
    ['b/z.md', 'category-ambiguous', 'The category "Examples" matches more than one folder.'],
  ])
})

test('an unreadable file about a folder is a problem at its position', async () => {
  const files: Files = {
    'a/_category_.json': '{ "label": "All",\n  "position": 1\n',
    'a/b.md': '# B\n',
    'c/_category_.yml': 'label: [C\n',
    'c/d.md': '# D\n',
  }
  const { articles, problems } = await showFolder('docusaurus', files)
  expect(articles.map((line) => line.slice(line.indexOf('in ')))).toEqual(['in A', 'in C'])
  expect(problems).toEqual([
    expect.stringMatching(/^a\/_category_\.json:\d+:\d+ taxonomy-syntax$/),
    expect.stringMatching(/^c\/_category_\.yml:\d+:\d+ taxonomy-syntax$/),
  ])
})

test('our own taxonomy files define the categories and tags', async () => {
  const files: Files = {
    '_categories.yml': '- name: Guide\n  slug: guide\n',
    '_tags.yml': '- name: a\n  slug: a\n',
    'guide/start.md': '---\ntags: [a, b]\n---\n# Start\n',
    'other/start.md': '# Other\n',
  }
  expect(await showFolder('vitepress', files)).toEqual({
    articles: [
      'guide/start.md: guide-start "Start" in Guide',
      'other/start.md: other-start "Other" in Other',
    ],
    categories: ['Guide = guide'],
    tags: ['a = a'],
    problems: ['guide/start.md:2:11 tag-unknown', 'other/start.md:1:1 category-unknown'],
  })
})

test('what only an invalid file names is not unknown, too', async () => {
  const files: Files = { 'b/a.md': '---\ntags: [x]\ncategories: [C]\norder: first\n---\n# A\n' }
  const { categories, tags, problems } = await showFolder('folder', files)
  expect({ categories, tags, problems }).toEqual({
    categories: ['B = b', 'C = c'],
    tags: ['x = x'],
    problems: ['b/a.md:4:8 frontmatter-value'],
  })
})

test('an edit has the same result as a fresh run', async () => {
  const root = contentFolder({
    'guides/_category_.json': '{ "label": "Guides" }',
    'guides/one.md': '---\ntags: [x]\n---\n# One\n\nSee [two](two.md).\n',
    'guides/two.md': '# Two\n',
    'top.md': '# Top\n',
  })
  const options = withPreset('docusaurus')
  const stamp = createStamper(root)
  const live = openLive(root, options)
  const compare = async (): Promise<Shown> => {
    const { content } = await live.refresh()
    expect(wholeOf(content)).toEqual(await loadAnew(root, options))
    return show(content)
  }
  const change = async (files: Files): Promise<Shown> => {
    writeFiles(root, files)
    stamp(Object.keys(files))
    return compare()
  }
  await compare()
  expect((await change({ 'guides/_category_.json': '{ "label": "How to" }' })).articles[0]).toBe(
    'guides/one.md: guides-one "One" in How to',
  )
  expect(
    (await change({ 'guides/deep/three.md': '# Three\n', 'guides/deep/four.md': '# 4\n' })).categories,
  ).toEqual(['How to = guides', 'How to > Deep = guides-deep', 'Docs = docs'])
  expect((await change({ 'guides/two.md': '---\ntags: [y]\n---\n# Two\n' })).tags).toEqual(['x = x', 'y = y'])
  expect((await change({ 'guides/two.md': '---\nlayout: home\nslug: /a/b\n---\n# Two\n' })).articles[3]).toBe(
    'guides/two.md: a-b "Two" in How to',
  )
  // A single article is read, as while its author writes it.
  writeFiles(root, {
    'guides/one.md': '---\ntags: [x]\ndescription: New\n---\n# One\n\nSee [two](two.md).\n',
  })
  expect((await live.edit('guides/one.md'))?.article).toMatchObject({
    title: 'One',
    excerpt: 'New',
    categories: ['How to'],
    slug: 'guides-one',
  })
  await compare()
  rmSync(join(root, 'guides', 'deep'), { recursive: true })
  expect((await compare()).categories).toEqual(['How to = guides', 'Docs = docs'])
  live.close()
})

test('two files with the same bytes are two articles, even from the cache', async () => {
  const root = contentFolder({ 'a/x.md': 'Text.\n', 'b/x.md': 'Text.\n', 'b/y.md': 'Text.\n' })
  const wanted = ['a/x.md: a-x "X" in A', 'b/x.md: b-x "X" in B', 'b/y.md: b-y "Y" in B']
  for (const _ of ['first', 'second']) {
    expect(show(await loadFolder(root, withPreset('docusaurus'))).articles).toEqual(wanted)
  }
})

test('a change of a file that describes a folder is a change of the content', async () => {
  const root = contentFolder({
    'a/_category_.json': '{}',
    'a/_category_.yml': '{}',
    'a/tags.yml': '{}',
    'a/_index.md': '',
    'a/x.md': 'Text.\n',
    'tags.yml': '{}',
    '_tags.yml': '[]',
    'a/node_modules/y.md': '',
  })
  const isIncluded = await createSourceFilter(['**/*.md'], DIALECTS.docusaurus.defaults.exclude)
  const find = (preset?: PresetName) => {
    const { articles, taxonomy, folders } = findSources(root, isIncluded, preset)
    const sourcesOf = (files: readonly { readonly source: string }[]) => files.map(({ source }) => source)
    return { articles: sourcesOf(articles), taxonomy: sourcesOf(taxonomy), folders: sourcesOf(folders) }
  }
  const folders = ['a/_category_.json', 'a/_category_.yml', 'tags.yml']
  expect(find('docusaurus')).toEqual({ articles: ['a/x.md'], taxonomy: ['_tags.yml', ...folders], folders })
  expect(find('hugo')).toMatchObject({ articles: ['a/_index.md', 'a/x.md'], folders: ['a/_index.md'] })
  expect(find('vitepress')).toMatchObject({ taxonomy: ['_tags.yml'], folders: [] })
  expect(find()).toEqual({ articles: ['a/x.md'], taxonomy: ['_tags.yml'], folders: [] })
})

test('titles and names that are too long are reported at their position', async () => {
  const long = 'x'.repeat(501)
  const { problems } = await showFolder('docusaurus', {
    'guide/_category_.json': `{ "label": "${long}" }`,
    'guide/start.md': `Text.\n\n# ${long}\n`,
    'tags.yml': `fine:\n  label: Fine\nlong:\n  label: ${long}\n`,
  })
  expect(problems).toEqual([
    'guide/_category_.json:1:1 taxonomy-value',
    'guide/start.md:3:1 title-too-long',
    'tags.yml:3:1 taxonomy-value',
  ])
})

const SECTIONS: Files = {
  '_index.md': '---\ntitle: Home\n---\nWelcome to [all](docs/start.md).\n',
  'docs/_index.md':
    '---\ntitle: Docs\ndescription: In short\n---\n# Docs\n\nLong [text](start.md#a) {{< x >}}.\n',
  'docs/_index.fr.md': '---\ntitle: Documents\n---\n![](gone.png)\n',
  'docs/start.md': '---\ntitle: Start\n---\n## A\n\n[Up](../docs/)\n',
  'docs/plans/_index.md': '---\ntitle: Plans\ndraft: true\n---\nNot yet.\n',
  'docs/plans/one.md': '# One\n',
  'empty/_index.md': '---\ntitle: Empty\n---\n',
  'alone/deep/_index.md': '---\ntitle: Deep\n---\nText.\n',
  'alone/_index.md': '---\ntitle: Alone\n---\nAbout all alone.\n',
}

test('the text of a Hugo section describes its category, or is an article without one', async () => {
  const { taxonomy, html, diagnostics, articles } = await loadFiles(SECTIONS, withPreset('hugo'))
  expect(taxonomy.categories?.map(({ name, longDescription }) => [name, longDescription])).toEqual([
    ['Alone', '<p>About all alone.</p>\n'],
    ['Docs', '<p>Long <a href="/en/docs-start#a">text</a> .</p>\n'],
    ['Plans', undefined],
  ])
  const docs = taxonomy.categories?.find(({ name }) => name === 'Docs')
  expect(docs?.translations).toMatchObject({
    fr: { name: 'Documents', longDescription: expect.stringContaining('<img') },
  })
  expect(
    articles.map(({ source, slug, status, categories }) => [source, slug, status, ...categories]),
  ).toEqual([
    ['_index.md', 'index', 'published', 'Docs'],
    ['alone/deep/_index.md', 'alone-deep', 'published', 'Alone'],
    ['docs/plans/_index.md', 'docs-plans', 'draft', 'Docs/Plans'],
    ['docs/plans/one.md', 'docs-plans-one', 'published', 'Docs/Plans'],
    ['docs/start.md', 'docs-start', 'published', 'Docs'],
  ])
  expect(html['_index.md']).toBe('<p>Welcome to <a href="/en/docs-start">all</a>.</p>\n')
  expect(html['docs/start.md']).toContain('<a href="/en/categories/docs">Up</a>')
  expect(placesOf({ diagnostics })).toEqual([
    'docs/_index.fr.md:4:5 asset-missing',
    'docs/_index.md:7:25 shortcode-removed',
  ])
})

test('without descriptions of categories, or with a file that lists them, each section text is an article', async () => {
  const options = { ...withPreset('hugo'), describesCategories: false }
  const files = {
    'docs/_index.md': SECTIONS['docs/_index.md'] ?? '',
    'docs/start.md': '## A\n\n[Up](../docs/)\n',
  }
  const listed = { ...files, '_categories.yml': '- { name: Docs, slug: docs }\n' }
  for (const loaded of [await loadFiles(files, options), await loadFiles(listed, withPreset('hugo'))]) {
    const { taxonomy, articles, html } = loaded
    expect(taxonomy.categories?.map(({ name, longDescription }) => [name, longDescription])).toEqual([
      ['Docs', undefined],
    ])
    expect(articles.map(({ source, slug, categories }) => [source, slug, ...categories])).toEqual([
      ['docs/_index.md', 'docs', 'Docs'],
      ['docs/start.md', 'docs-start', 'Docs'],
    ])
    expect(html['docs/start.md']).toContain('<a href="/en/docs">Up</a>')
  }
})

test.each<[PresetName, readonly string[]]>([
  ['mkdocs', ['a/README.md: a', 'index.md: index']],
  ['folder', ['a/README.md: a', 'index.md: index']],
  ['obsidian', ['README.md: readme', 'a/README.md: a-readme', 'index.md: index']],
])('%s: a README.md beside an index is no page', async (preset, pages) => {
  const title = (name: string) => `---\ntitle: ${name}\n---\n`
  const { articles } = await loadFiles(
    { 'README.md': title('About'), 'index.md': title('Home'), 'a/README.md': title('A') },
    withPreset(preset),
  )
  expect(articles.map(({ source, slug }) => `${source}: ${slug}`)).toEqual(pages)
})

test('in MDX, readme in lower case is a page of its own', () => {
  const dialect = DIALECTS.folder
  const routes = ['readme.mdx', 'README.mdx', 'readme.md'].map((name) =>
    routeOf(parseSitePath(`migration/${name}`, { dialect, languages: ['en'] }), dialect),
  )
  expect(routes).toEqual(['migration/readme', 'migration', 'migration'])
})
