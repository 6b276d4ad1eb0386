import { expect, test } from 'vitest'
import { PRESET_NAMES, type PresetName } from '../../../src/core/dialects/dialects.ts'
import { filesOf, readWith } from './mapping.ts'

const DOCUSAURUS = `---
id: setup
title: Set up
description: How to set up.
sidebar_position: 3
sidebar_label: Setup
draft: true
unlisted: true
tags: [cli, { label: First steps, permalink: /first }, 2024]
image: https://example.com/card.png
reviewDate: 2027-01-31
pagination_next: null
---
`

test('the keys of Docusaurus', () => {
  expect(readWith(filesOf(), DOCUSAURUS, '01-guides/02-start.md')).toEqual({
    title: 'Set up',
    slug: 'guides-setup',
    excerpt: 'How to set up.',
    order: 3,
    status: 'draft',
    hideFromSearch: true,
    tags: ['cli', 'First steps', '2024'],
    seoBannerUrl: 'https://example.com/card.png',
    reviewDate: '2027-01-31',
  })
})

test('the keys of VitePress', () => {
  const text = `---
title: Getting started
description: First steps.
outline: deep
search: false
order: 2
status: draft
head: [[meta, { name: keywords }]]
---
`
  expect(readWith(filesOf({ preset: 'vitepress' }), text, 'pt-BR/guide/start.md')).toEqual({
    title: 'Getting started',
    slug: 'guide-start',
    excerpt: 'First steps.',
    order: 2,
    status: 'draft',
    hideFromSearch: true,
    language: 'pt-BR',
  })
})

const HUGO = {
  title: 'Über uns',
  slug: 'posts-about-us',
  categories: ['Company'],
  tags: ['team'],
  excerpt: 'Who we are.',
  order: 10,
  status: 'published',
  hideFromSearch: true,
  seoBannerUrl: 'https://example.com/a.png',
  reviewDate: '2027-01-31',
  language: 'fr',
}

test.each([
  [
    'YAML',
    `---
Title: Über uns
slug: about-us
categories: Company
tags: [team]
Description: Who we are.
weight: 10
draft: false
excludeSearch: true
images: [/local.png, https://example.com/a.png]
date: 2024-05-05
reviewDate: 2027-01-31
params: { any: thing }
---
`,
  ],
  [
    'TOML',
    `+++
Title = "Über uns" # the title
slug = 'about-us'
categories = "Company"
tags = [ "team" ]
Description = """Who we are."""
weight = 10
draft = false
excludeSearch = true
images = ["/local.png",
  "https://example.com/a.png"]
date = 2024-05-05T10:00:00Z
reviewDate = 2027-01-31
[params]
any = "thing"
+++
`,
  ],
  [
    'JSON',
    `{
  "Title": "Über uns",
  "slug": "about-us",
  "categories": ["Company"],
  "tags": ["team"],
  "Description": "Who we are.",
  "weight": 10,
  "draft": false,
  "excludeSearch": true,
  "images": ["https://example.com/a.png"],
  "reviewDate": "2027-01-31",
  "params": { "braces": "}" }
}
`,
  ],
])('the keys of Hugo in %s', (_, text) => {
  expect(readWith(filesOf({ preset: 'hugo' }), text, 'Posts/about.fr.md')).toEqual(HUGO)
})

test.each([
  ['status: deprecated', {}],
  ['status: deprecated\ndraft: true', { status: 'draft' }],
  ['status: draft', { status: 'draft' }],
])('the keys of MkDocs, with %s', (line, status) => {
  const text = `---\ntitle: A\ndescription: B.\ntags: [c]\nicon: material/a\nhide: [toc]\n${line}\n---\n`
  expect(readWith(filesOf({ preset: 'mkdocs' }), text, 'a/README.fr.md')).toEqual({
    title: 'A',
    slug: 'a',
    language: 'fr',
    excerpt: 'B.',
    tags: ['c'],
    order: -1,
    ...status,
  })
})

test('the keys of Starlight', () => {
  const text =
    '---\ntitle: A\ndescription: B.\ndraft: true\npagefind: false\nsidebar:\n  order: 3\nlastUpdated: 2024-01-02\n---\n'
  expect(readWith(filesOf({ preset: 'starlight' }), text, 'pt-br/Guides/Set up.mdx')).toEqual({
    title: 'A',
    slug: 'guides-set-up',
    language: 'pt-BR',
    excerpt: 'B.',
    status: 'draft',
    order: 3,
    hideFromSearch: true,
  })
})

test.each<[PresetName, string, string, unknown]>([
  [
    'hugo',
    'posts/trip.md',
    '[/posts/old-trip/, "/2020/01/trip.html", journey]',
    ['posts-old-trip', '2020-01-trip', 'posts-journey'],
  ],
  [
    'hugo',
    'posts/trip/index.fr.md',
    '[/fr/posts/tour/, voyage, /posts/trip.html]',
    ['posts-tour', 'posts-voyage'],
  ],
  ['hugo', 'posts/trip.md', '/old', ['old']],
  ['docusaurus', 'guides/start.md', '[begin, /guides/begin/, "", 7, /guides/begin]', ['guides-begin']],
  ['docusaurus', 'guides/start.md', '[gci, ls, 7]', undefined],
  ['docusaurus', 'guides/start.md', '{ ls: Get-ChildItem }', undefined],
  ['vitepress', 'start.md', 'https://example.com/begin.html', ['begin']],
  ['obsidian', 'Start.md', '[Begin]', undefined],
  [
    'hugo',
    'a.md',
    '[/a/, /b c, 7]',
    ['3:22-23 frontmatter-value aliases[2] must be text; put it in quotes.'],
  ],
])('%s: the aliases of %s are the slugs of %s', (preset, source, aliases, expected) => {
  const read = readWith(filesOf({ preset }), `---\ntitle: T\naliases: ${aliases}\n---\n`, source)
  expect(Array.isArray(read) ? read : (read as { aliases?: unknown }).aliases).toEqual(expected)
})

test.each<[PresetName]>([
  ['mkdocs'],
  ['obsidian'],
  ['folder'],
  ['hugo'],
  ['docusaurus'],
  ['vitepress'],
  ['starlight'],
])('%s: a misspelled status is an error, and a word with another meaning is not', (preset) => {
  const read = (status: string) =>
    readWith(filesOf({ preset }), `---\ntitle: T\nstatus: ${status}\n---\n`, 'a.md')
  for (const text of [
    'drafft',
    'Darft',
    'drafting',
    'unpublished',
    'publishd',
    'draft/wip',
    'not published',
    'not yet published',
    '[done, draft]',
  ])
    expect(read(text)).toEqual([
      `3:9-${9 + text.length} frontmatter-value status must be draft or published.`,
    ])
  const others = ['new', 'deprecated', 'done', 'started', 'finished', 'in progress', '5', 'polished', 'drift']
  const phrases = ['ready to be published', 'Grant awarded', 'craft beer', 'published 2024', 'established']
  for (const text of [...others, ...phrases]) expect(read(text)).toEqual({ title: 'T', slug: 'a' })
  for (const text of ['" Draft "', '[draft]']) expect(read(text)).toMatchObject({ status: 'draft' })
})

test.each<[PresetName]>([['obsidian'], ['folder']])('%s: a date of publication is no status', (preset) => {
  const read = (value: string) =>
    readWith(filesOf({ preset }), `---\ntitle: T\npublished: ${value}\n---\n`, 'a.md')
  for (const date of ['2027-01-31', 'January 31, 2027', '2027'])
    expect(read(date)).toEqual({ title: 'T', slug: 'a' })
  expect(read('false')).toMatchObject({ status: 'draft' })
  expect(read('no')).toEqual(['3:12-14 frontmatter-value published must be true or false.'])
})

test.each(PRESET_NAMES)('%s: a draft is not published because its key is misspelled', (preset) => {
  const read = (line: string) => readWith(filesOf({ preset }), `---\ntitle: T\n${line}\n---\n`, 'a.md')
  const unknown = (key: string) => [
    expect.stringMatching(new RegExp(`^3:1-${1 + key.length} frontmatter-unknown-key .*"${key}"`)),
  ]
  expect(read('draft: true')).toMatchObject({ status: 'draft' })
  expect([read('drfat: true'), read('sttaus: draft')]).toEqual([unknown('drfat'), unknown('sttaus')])
  expect([read('Drat: true'), read('DRAFFT: true')]).toEqual([read('other: true'), unknown('DRAFFT')])
  for (const key of [
    'grant',
    'trait',
    'craft',
    'drift',
    'draw',
    'drag',
    'drafts',
    'x-draft',
    '_draft',
    'is_draft',
  ])
    expect(read(`${key}: true`)).toEqual(read('other: true'))
  for (const line of [
    'drfat: false',
    'sttaus: published',
    'state: draft',
    'static: draft',
    'states: [draft]',
  ])
    expect(read(line)).toEqual(read('other: true'))
  const own = filesOf({ preset, read: (data, { mapped }) => ({ ...mapped, status: data['sttaus'] }) })
  expect(readWith(own, '---\ntitle: T\nsttaus: draft\n---\n', 'a.md')).toMatchObject({ status: 'draft' })
  expect(readWith(own, '---\ntitle: T\nsttaus: published\ndrfat: true\n---\n', 'a.md')).toMatchObject({
    status: 'published',
  })
})

test('a misspelled publish is an error in a vault, and the keys of other tools are not', () => {
  const read = (line: string) => readWith(filesOf({ preset: 'obsidian' }), `---\n${line}\n---\n`, 'a.md')
  for (const key of ['publishd', 'Publish', 'pubilsh'])
    expect(read(`${key}: false`)).toEqual([expect.stringMatching(`frontmatter-unknown-key .*"${key}"`)])
  for (const key of ['dg-publish', 'public', 'publishDate', 'unpublish', 'unpublished', 'publisher'])
    expect(read(`${key}: false`)).toEqual(read('other: true'))
})

test.each(PRESET_NAMES)('%s: a page that any key makes a draft is a draft', (preset) => {
  const read = (...lines: string[]) =>
    readWith(filesOf({ preset }), `---\ntitle: T\n${lines.join('\n')}\n---\n`, 'a.md')
  const published = preset === 'obsidian' ? ['publish: true', 'status: published'] : ['status: published']
  const pairs = published.map((line) => [line, 'draft: true'])
  for (const pair of [...pairs, ['status: draft', 'draft: false']]) {
    expect(read(...pair)).toMatchObject({ status: 'draft' })
    expect(read(...pair.toReversed())).toMatchObject({ status: 'draft' })
  }
  expect(read('status: published', 'draft: false')).toMatchObject({ status: 'published' })
  expect(read('status: published', 'drfat: true')).toEqual([expect.stringMatching(/unknown-key .*"drfat"/)])
  expect(read('draft: false', 'status: drafft')).toEqual([expect.stringMatching(/frontmatter-value status/)])
})

test('the keys of Obsidian', () => {
  const text =
    '---\naliases: [B]\ntags: a\npublish: false\npermalink: set-up/a\ndescription: C.\ncssclasses: [x]\nmobile: true\n---\n'
  expect(readWith(filesOf({ preset: 'obsidian' }), text, 'Getting started/Create a vault.md')).toEqual({
    title: 'Create a vault',
    slug: 'set-up-a',
    status: 'draft',
    excerpt: 'C.',
    tags: ['a'],
  })
})

test.each(PRESET_NAMES)('%s: keys that say nothing are as good as none', (preset) => {
  const files = filesOf({ preset })
  const empty = ['title:', 'description: ""', 'categories: []', 'tags: [ ]', 'slug: " "', 'weight:']
  for (const line of empty) {
    expect(readWith(files, `---\n${line}\n---\n`, 'a/b.md')).toEqual(readWith(files, '', 'a/b.md'))
  }
  expect(readWith(files, '---\ntags: ["", null, a]\n---\n', 'a/b.md')).toMatchObject({ tags: ['a'] })
})

test.each<[PresetName, string, string, string]>([
  ['docusaurus', 'index.md', '', 'index'],
  ['docusaurus', 'intro.mdx', '', 'intro'],
  ['docusaurus', 'a/README.md', '', 'a'],
  ['docusaurus', '1-guides/guides.md', '', 'guides'],
  ['docusaurus', 'a/b/c.md', '', 'a-b-c'],
  ['docusaurus', 'a/b/c.md', 'slug: /', 'index'],
  ['docusaurus', 'a/b/c.md', 'slug: /x/y/', 'x-y'],
  ['docusaurus', 'a/b/c.md', 'slug: ../z', 'a-z'],
  ['docusaurus', 'a/b/c.md', "slug: ''", 'a-b-c'],
  ['docusaurus', 'blog/2024-01-02-news.md', '', 'blog-2024-01-02-news'],
  ['docusaurus', 'releases/7.0-notes.md', '', 'releases-7.0-notes'],
  ['docusaurus', 'i18n/fr/docusaurus-plugin-content-docs/current/a/b.md', '', 'docs-a-b'],
  ['docusaurus', 'my file?.md', '', 'my-file-'],
  ['folder', '01.basics/2.install.md', '', 'basics-install'],
  ['folder', '02.media/03.images/docs.md', '', 'media-images'],
  ['folder', 'media/docs.md', '', 'media-docs'],
  ['folder', '(basics)/start/(more)/a.mdx', '', 'start-a'],
  ['folder', '1.guide/0.index.md', '', 'guide'],
  ['folder', 'releases/7.0-notes.md', '', 'releases-7.0-notes'],
  ['folder', 'reports/2024-review.md', '', 'reports-2024-review'],
  ['folder', '404-not-found.md', '', '404-not-found'],
  ['folder', '001-start.md', '', 'start'],
  ['folder', 'a/left\u202Eright.md', '', 'a-left-right'],
  ['folder', 'a/page.html.md', '', 'a-page'],
  ['folder', 'a/index.html.md', '', 'a'],
  ['folder', 'a/page.fr.md', '', 'a-page'],
  ['folder', 'a/page.de.md', '', 'a-page.de'],
  ['folder', '3d-printing/01.md', '', '3d-printing-01'],
  ['folder', '(a) and (b)/(draft).md', '', '(a)-and-(b)-(draft)'],
  ['obsidian', 'Getting started/Create a vault.md', '', 'getting-started-create-a-vault'],
  ['obsidian', 'Plans/Plans.md', '', 'plans'],
  ['starlight', 'guides/index.mdx', '', 'guides'],
  ['starlight', 'guides/a.mdx', 'slug: own/page', 'own-page'],
  ['mkdocs', 'guide/start.md', '', 'guide-start'],
  ['vitepress', 'guide/index.md', '', 'guide'],
  ['vitepress', 'guide/README.md', '', 'guide-README'],
  ['vitepress', 'guide/1-start.md', 'slug: own', 'own'],
  ['vitepress', 'fr/index.md', '', 'index'],
  ['hugo', 'Posts/My Page.md', '', 'posts-my-page'],
  ['hugo', 'posts/trip/index.md', '', 'posts-trip'],
  ['hugo', 'posts/trip/index.md', 'slug: journey', 'posts-journey'],
  ['hugo', 'posts/trip.md', 'url: /elsewhere/trip.html', 'elsewhere-trip'],
  ['hugo', 'en/posts/trip.md', '', 'posts-trip'],
])('%s gives %s with "%s" the slug %s', (preset, source, line, slug) => {
  const text = `---\ntitle: T\n${line}\n---\n`
  expect(readWith(filesOf({ preset }), text, source)).toMatchObject({ slug })
})

test.each<[PresetName, string, string, number | undefined]>([
  ['docusaurus', '02-start/10-install.md', '', 10],
  ['docusaurus', '02-start/10-install.md', 'sidebar_position: 3', 3],
  ['docusaurus', '02-start/index.md', '', -1],
  ['folder', '02-start/10-install.md', '', 10],
  ['folder', '02-start/10-install.md', 'weight: 3', 3],
  ['folder', '02-start/0.index.md', '', 0],
  ['folder', '02.start/docs.md', '', 2],
  ['folder', '02.start/chapter.md', '', -1],
  ['folder', 'start/install.md', '', undefined],
  ['folder', 'start/2024-review.md', '', undefined],
  ['vitepress', '02-start/10-install.md', '', undefined],
])('%s gives %s with "%s" the order %s', (preset, source, line, order) => {
  const { order: read } = readWith(filesOf({ preset }), `---\ntitle: T\n${line}\n---\n`, source) as {
    readonly order?: number
  }
  expect(read).toBe(order)
})

test.each<[PresetName, string, string, boolean, boolean]>([
  ['docusaurus', 'getting-started.md', 'Getting started', true, false],
  ['docusaurus', '01-guides/index.md', 'Guides', true, false],
  ['docusaurus', 'index.md', 'Docs', true, false],
  ['vitepress', 'index.md', 'Docs', true, false],
  ['hugo', 'what_is-it.md', 'What is it', true, false],
])('%s: without frontmatter, %s is called %s', (preset, source, title, isUntitled, isPage) => {
  const files = filesOf({ preset })
  const split = files.split('Text.\n')
  if (split.kind === 'problem') throw new Error(split.problem.message)
  expect({ body: split.body, lineOffset: split.lineOffset }).toEqual({ body: 'Text.\n', lineOffset: 0 })
  const mapped = files.map(split.yaml, source)
  expect(mapped).toMatchObject({ isUntitled, isPage, yaml: { value: { title } } })
})

test.each<[PresetName, string]>([
  ['vitepress', 'layout: home'],
  ['vitepress', 'layout: page'],
  ['vitepress', 'layout: false'],
  ['hugo', 'headless: true'],
  ['hugo', 'build: { render: never }'],
  ['hugo', '_build: { render: false }'],
])('%s: a file with "%s" is a page and no article', (preset, line) => {
  const files = filesOf({ preset })
  const split = files.split(`---\n${line}\n---\n`)
  expect(split.kind === 'split' && files.map(split.yaml, 'a.md').isPage).toBe(true)
})

test('a value of the wrong type is reported at its position', () => {
  const docusaurus = `---
title: [a]
sidebar_position: first
draft: perhaps
description: { a: b }
---
`
  expect(readWith(filesOf(), docusaurus, 'a.md')).toEqual([
    '2:8-11 frontmatter-value title must be text, not a list.',
    '5:14-22 frontmatter-value description must be text, not a map.',
    '4:8-15 frontmatter-value draft must be true or false.',
    '3:19-24 frontmatter-value sidebar_position must be a number.',
  ])
  const toml = '+++\ntitle = "T"\ntags = [ 1, [2] ]\nreviewDate = "2027-02-30"\n+++\n'
  expect(readWith(filesOf({ preset: 'hugo' }), toml, 'a.md')).toEqual([
    '3:13-16 frontmatter-value tags[1] must be text, not a list.',
    '4:14-26 date-invalid reviewDate must be an existing date, such as 2027-01-31, or never.',
  ])
})

test('unreadable frontmatter is reported at the error', () => {
  const hugo = filesOf({ preset: 'hugo' })
  expect(readWith(hugo, '+++\ntitle = "T"\nweight = \n+++\nText\n', 'a.md')).toEqual([
    expect.stringMatching(/^4:1 frontmatter-syntax The frontmatter is not valid TOML: /),
  ])
  expect(readWith(hugo, '+++\ntitle = "T"\n', 'a.md')).toEqual([
    '1:1-4 frontmatter-syntax The frontmatter is not closed.',
  ])
  expect(readWith(hugo, '{\n"title": "T",\n"draft": true\n\nText\n', 'a.md')).toEqual([
    '1:1-4 frontmatter-syntax The frontmatter is not closed.',
  ])
  expect(readWith(hugo, '{"title": "T" "draft": true}\nText\n', 'a.md')).toContainEqual(
    expect.stringMatching(/^1:\d+\S* frontmatter-syntax The frontmatter is not valid JSON: /),
  )
  expect(hugo.split('{{< note >}}\n')).toMatchObject({ body: '{{< note >}}\n' })
  expect(readWith(filesOf(), '---\ntitle: a: b\n---\n', 'a.md')).toEqual([
    expect.stringMatching(/^2:\d+.* frontmatter-syntax/),
  ])
})

test('a user function takes precedence, and its values keep the positions of their origins', () => {
  const files = filesOf({
    read: (data, { source, mapped }) => ({
      ...mapped,
      reviewDate: data['review_by'],
      excerpt: `${source}: ${String(mapped['excerpt'])}`,
      tags: undefined,
    }),
  })
  const text = '---\ntitle: T\ntags: [x]\ndescription: D\nreview_by: 2027-02-30\n---\n'
  expect(readWith(files, text, 'a.md')).toEqual([
    '5:12-22 date-invalid review_by must be an existing date, such as 2027-01-31, or never.',
  ])
  expect(readWith(files, text.replace('02-30', '02-28'), 'a.md')).toEqual({
    title: 'T',
    slug: 'a',
    excerpt: 'a.md: D',
    reviewDate: '2027-02-28',
  })
})

test('without a preset, a function gets the frontmatter as written and cannot change it', () => {
  const files = filesOf({
    preset: undefined,
    read: (data) => {
      const { heading, ...rest } = data
      Object.assign(data, { spoilt: true })
      return { ...rest, title: heading, oops: 1 }
    },
  })
  expect(readWith(files, '---\nheading: Hello\ncategories: [Guides]\n---\n', 'a.md')).toEqual([
    '1:1-4 frontmatter-unknown-key Unknown key "oops".',
  ])
})

test.each([
  ['throws', () => JSON.parse('{') as Record<string, unknown>, 'failed at a.md: Expected property name'],
  ['returns nothing', () => undefined as never, 'returned no object for a.md'],
  ['waits', async () => Promise.resolve({}) as never, 'returned no object for a.md'],
])('a function that %s ends the run with its name', (_, read, message) => {
  const files = filesOf({ read: read as never })
  expect(() => readWith(files, '---\ntitle: T\n---\n', 'a.md')).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining(message) as string }),
  )
})
