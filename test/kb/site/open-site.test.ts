// The content as a site builder uses it, from real files, through the library.
import { existsSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { createKb, type KbOptions, type Site, type SiteReading } from '../../../src/index.ts'
import type { OpenSiteOptions } from '../../../src/kb/options.ts'
import {
  article,
  configFile,
  createProject,
  type Files,
  manyArticles,
  type TestProject,
} from '../../support/project.ts'

const published = (title: string, more: Record<string, unknown> = {}) =>
  article(title, { status: 'published', ...more })

async function openProject(
  { root }: TestProject,
  options: OpenSiteOptions = {},
  more: KbOptions = {},
): Promise<Site> {
  const site = await createKb({ cwd: root, env: {}, ...more }).openSite(options)
  onTestFinished(() => site.close())
  return site
}

const idsOf = ({ view }: SiteReading): readonly string[] => view.articles.map(({ id }) => id)

const HELP: Files = {
  'kb.config.ts': configFile({
    target: { url: 'https://help.example.com', apiKey: 'key-of-the-target' },
    server: { languages: ['en', 'fr'] },
    links: { article: '/{language}/kb/{slug}', category: '/kb/categories/{slug}' },
  }),
  'content/_categories.yml': `- name: Guides
  slug: guides
  translations: { fr: { name: Guides pratiques, slug: guides-pratiques } }
- name: Accounts
  slug: accounts
  parent: Guides
  description: All about accounts
- name: A/B tests
  priority: -1
`,
  'content/_tags.yml': '- name: Security\n  slug: security\n',
  'content/reset.md': published('Reset your password', {
    categories: ['accounts'],
    tags: ['security', 'Security'],
    order: 2,
    reviewDate: '2031-01-31',
    excerpt: 'In two steps.',
    seoBannerUrl: 'https://example.com/banner.png',
    body: '## First step\n\nSee [billing](billing.md#costs) and [the category](_categories.yml#guides).',
  }),
  'content/billing.md': published('Billing', {
    categories: ['Guides', String.raw`A\/B tests`],
    hideFromSearch: true,
    reviewDate: 'never',
    body: '## Costs\n\nNone.',
  }),
  'content/fr/reset.md': published('Mot de passe', {
    slug: 'mot-de-passe',
    categories: ['accounts'],
    language: 'fr',
    translationOf: 'reset',
    body: 'Bonjour.',
  }),
  'content/plan.md': article('Plan'),
}

test('a view contains all that pages need, in display order, and nothing of the configuration', async () => {
  const project = createProject(HELP)
  const { view, touched } = await (await openProject(project)).read()
  expect(view).toEqual({
    defaultLanguage: 'en',
    languages: ['en', 'fr'],
    articles: [
      {
        id: 'billing',
        source: 'billing.md',
        title: 'Billing',
        slug: 'billing',
        language: 'en',
        status: 'published',
        excerpt: 'None.',
        url: '/en/kb/billing',
        categories: ['Guides', String.raw`A\/B tests`],
        tags: [],
        order: 0,
        reviewDate: 'never',
        hideFromSearch: true,
        seoBannerUrl: null,
        translationOf: null,
        translations: {},
      },
      {
        id: 'reset',
        source: 'reset.md',
        title: 'Reset your password',
        slug: 'reset',
        language: 'en',
        status: 'published',
        excerpt: 'In two steps.',
        url: '/en/kb/reset',
        categories: ['Guides/Accounts'],
        tags: ['Security'],
        order: 2,
        reviewDate: '2031-01-31',
        hideFromSearch: false,
        seoBannerUrl: 'https://example.com/banner.png',
        translationOf: null,
        translations: { en: 'reset', fr: 'fr/mot-de-passe' },
      },
      {
        id: 'fr/mot-de-passe',
        source: 'fr/reset.md',
        title: 'Mot de passe',
        slug: 'mot-de-passe',
        language: 'fr',
        status: 'published',
        excerpt: 'Bonjour.',
        url: '/fr/kb/mot-de-passe',
        categories: ['Guides/Accounts'],
        tags: [],
        order: 0,
        reviewDate: null,
        hideFromSearch: false,
        seoBannerUrl: null,
        translationOf: 'reset',
        translations: { en: 'reset', fr: 'fr/mot-de-passe' },
      },
    ],
    categories: [
      {
        id: String.raw`A\/B tests`,
        parent: null,
        name: 'A/B tests',
        slug: 'a-b-tests',
        description: '',
        url: '/kb/categories/a-b-tests',
        translations: {},
      },
      {
        id: 'Guides',
        parent: null,
        name: 'Guides',
        slug: 'guides',
        description: '',
        url: '/kb/categories/guides',
        translations: {
          fr: {
            name: 'Guides pratiques',
            slug: 'guides-pratiques',
            description: '',
            url: '/kb/categories/guides-pratiques',
          },
        },
      },
      {
        id: 'Guides/Accounts',
        parent: 'Guides',
        name: 'Accounts',
        slug: 'accounts',
        description: 'All about accounts',
        url: '/kb/categories/accounts',
        translations: {},
      },
    ],
    tags: [
      {
        id: 'Security',
        name: 'Security',
        slug: 'security',
        description: '',
        url: '/tags/security',
        translations: {},
      },
    ],
    diagnostics: [],
  })
  expect(touched.toSorted()).toEqual(
    Object.keys(HELP)
      .flatMap((path) => (path.startsWith('content/') ? [path.slice('content/'.length)] : []))
      .toSorted(),
  )
  const text = JSON.stringify(view)
  expect(JSON.parse(text)).toEqual(view)
  for (const secret of ['key-of-the-target', 'help.example.com', project.root])
    expect(text).not.toContain(secret)
})

test('a body has its headings, and links to the pages of the site', async () => {
  const project = createProject(HELP)
  const usual = await openProject(project)
  const moved = await openProject(project, {
    links: {
      article: ({ slug, language }) => `https://docs.example.com/${language}-${slug}`,
      category: '/topics/{slug}/',
    },
  })
  // Before the first read there is nothing.
  expect(usual.readBody('reset')).toBeUndefined()
  await Promise.all([usual.read(), moved.read()])
  const withLinks = (billing: string, guides: string) => ({
    html: `<h2 id="first-step">First step</h2>
<p>See <a href="${billing}#costs">billing</a> and <a href="${guides}">the category</a>.</p>
`,
    headings: [{ level: 2, id: 'first-step', text: 'First step' }],
  })
  expect(usual.readBody('reset')).toEqual(withLinks('/en/kb/billing', '/kb/categories/guides'))
  expect(moved.readBody('reset')).toEqual(withLinks('https://docs.example.com/en-billing', '/topics/guides/'))
  const { view } = await moved.read()
  expect(view.articles.map(({ url }) => url)).toEqual([
    'https://docs.example.com/en-billing',
    'https://docs.example.com/en-reset',
    'https://docs.example.com/fr-mot-de-passe',
  ])
  expect([view.categories[1]?.url, view.tags[0]?.url]).toEqual(['/topics/guides/', '/tags/security'])
  expect([usual.readBody('fr/mot-de-passe')?.html, usual.readBody('mot-de-passe')]).toEqual([
    '<p>Bonjour.</p>\n',
    undefined,
  ])
})

test('a URL can be created from the id, which is unique in all languages', async () => {
  const site = await openProject(createProject(HELP), { links: { article: '/help/{id}/' } })
  const { view } = await site.read()
  expect(view.articles.map(({ id, url }) => [id, url])).toEqual([
    ['billing', '/help/billing/'],
    ['reset', '/help/reset/'],
    ['fr/mot-de-passe', '/help/fr/mot-de-passe/'],
  ])
})

test('drafts are included on request', async () => {
  const project = createProject({
    'content/open.md': published('Open', { categories: ['Guides'] }),
    'content/hidden.md': article('Hidden', { categories: ['Secret'], tags: ['secret'] }),
  })
  const without = await openProject(project)
  const reading = await without.read()
  expect([idsOf(reading), reading.view.categories.map(({ id }) => id), reading.view.tags]).toEqual([
    ['open'],
    ['Guides'],
    [],
  ])
  expect(without.readBody('hidden')).toBeUndefined()
  const all = await openProject(project, { drafts: true })
  const { view } = await all.read()
  expect(view.articles.map(({ id, status }) => [id, status])).toEqual([
    ['hidden', 'draft'],
    ['open', 'published'],
  ])
  expect(all.readBody('hidden')?.html).toBe('<p>Text of Hidden.</p>\n')
})

test('the next read processes changes and lists them', async () => {
  const project = createProject({
    'content/a.md': published('A'),
    'content/b.md': published('B', { body: 'See [a](a.md).' }),
    'content/c.md': published('C'),
  })
  const site = await openProject(project)
  await site.read()
  expect((await site.read()).touched).toEqual([])
  project.write({ 'content/a.md': published('A', { slug: 'aa' }), 'content/d.md': published('D') })
  project.remove('content/c.md')
  // Until then, bodies are those of the last read.
  expect(site.readBody('b')?.html).toContain('/articles/a"')
  expect(site.readBody('c')?.html).toBe('<p>Text of C.</p>\n')
  const next = await site.read()
  expect([next.touched.toSorted(), idsOf(next)]).toEqual([
    ['a.md', 'c.md', 'd.md'],
    ['aa', 'b', 'd'],
  ])
  expect(site.readBody('b')?.html).toContain('/articles/aa"')
  expect([site.readBody('a'), site.readBody('c')]).toEqual([undefined, undefined])
})

test('the digest of a body changes exactly when the body does', async () => {
  const project = createProject({
    'content/a.md': published('A'),
    'content/b.md': published('B', { body: 'See [a](a.md).' }),
    'content/c.md': published('C'),
  })
  const site = await openProject(project)
  expect(site.bodyDigest('a')).toBeUndefined()
  const look = async () => {
    await site.read()
    return ['a', 'aa', 'b', 'c'].map((id) => site.bodyDigest(id))
  }
  const [a, none, b, c] = await look()
  expect([new Set([a, b, c]).size, none, await look()]).toEqual([3, undefined, [a, none, b, c]])
  // The body of b changes, because its link leads elsewhere; the body of c does not.
  project.write({
    'content/a.md': published('A', { slug: 'aa' }),
    'content/c.md': published('C', { tags: ['new'], order: 3 }),
  })
  const [gone, moved, linked, same] = await look()
  expect([gone, moved, linked === b, same]).toEqual([undefined, a, false, c])
  const elsewhere = await openProject(project, { links: { article: '/help/{slug}' } })
  await elsewhere.read()
  expect([elsewhere.bodyDigest('b') === linked, elsewhere.bodyDigest('c')]).toEqual([false, c])
})

test('an article with an error keeps its last valid version, and the problem has its position', async () => {
  const project = createProject({
    'content/a.md': published('A', { body: 'One.' }),
    'content/b.md': published('B'),
  })
  const site = await openProject(project)
  await site.read()
  project.write({ 'content/a.md': published('A', { body: 'Two.', order: 'first' }) })
  const { view } = await site.read()
  expect(view.diagnostics.map(({ code, file, line, severity }) => [code, file, line, severity])).toEqual([
    ['frontmatter-value', 'content/a.md', 5, 'error'],
  ])
  expect([view.articles.map(({ id }) => id), site.readBody('a')?.html]).toEqual([['a', 'b'], '<p>One.</p>\n'])
  // If only a link is broken, it stays in the text as written.
  project.write({ 'content/a.md': published('A', { body: 'See [b](bb.md).' }) })
  expect((await site.read()).view.diagnostics.map(({ code, line }) => [code, line])).toEqual([
    ['link-file-missing', 7],
  ])
  expect(site.readBody('a')?.html).toBe('<p>See <a href="bb.md">b</a>.</p>\n')
  project.write({ 'content/a.md': published('A', { body: 'See [b](b.md).' }) })
  expect((await site.read()).view.diagnostics).toEqual([])
  expect(site.readBody('a')?.html).toBe('<p>See <a href="/articles/b">b</a>.</p>\n')
})

test('rules that need the date run on request, and are sorted in', async () => {
  const project = createProject({
    'content/a.md': published('A', { reviewDate: '2020-01-31', body: 'See [there](<>).\n\n![](x.png)' }),
  })
  const site = await openProject(project)
  const codesOf = ({ view }: SiteReading) => view.diagnostics.map(({ code }) => code)
  const plain = codesOf(await site.read())
  const asked = codesOf(await site.read({ asksHistory: true }))
  const { diagnostics } = await createKb({ cwd: project.root, env: {} }).check()
  expect(plain).not.toContain('review-overdue')
  expect(asked).toEqual(diagnostics.map(({ code }) => code))
  expect(asked).toContain('review-overdue')
})

test('concurrent reads run in sequence, and bodies are those of the last one', async () => {
  const project = createProject({ 'content/a.md': published('A') })
  const site = await openProject(project)
  const readings = await Promise.all([site.read(), site.read(), site.read({ asksHistory: true })])
  expect(readings.map(({ touched }) => touched)).toEqual([['a.md'], [], []])
  expect(site.readBody('a')?.html).toBe('<p>Text of A.</p>\n')
})

test('lists its folders and the files of the configuration', async () => {
  const project = createProject({
    'help.config.ts': "import { content } from './name.ts'\nexport default { content }\n",
    'name.ts': "export const content = 'docs'\n",
    'docs/a.md': published('A'),
  })
  const { root, contentFolder, configFiles } = await openProject(project, {}, { config: 'help.config.ts' })
  expect({ root, contentFolder, configFiles: configFiles.toSorted() }).toEqual({
    root: project.root,
    contentFolder: project.path('docs'),
    configFiles: [project.path('help.config.ts'), project.path('name.ts')],
  })
})

test('renderings are cached if possible', async () => {
  const project = createProject({ 'content/a.md': published('A') })
  const site = await openProject(project)
  expect(existsSync(project.path('.kb/cache'))).toBe(false)
  await site.read()
  expect([existsSync(project.path('.kb/cache')), project.read('.kb/.gitignore')]).toEqual([true, '*\n'])

  const barred = createProject({ 'content/a.md': published('A'), '.kb': 'not a folder' })
  const reader = await openProject(barred)
  expect(idsOf(await reader.read())).toEqual(['a'])
  expect([reader.readBody('a')?.html, barred.read('.kb')]).toEqual(['<p>Text of A.</p>\n', 'not a folder'])
})

test('an aborted read leaves the last one unchanged', async () => {
  const project = createProject({ 'content/a.md': published('A') })
  const site = await openProject(project)
  await site.read()
  project.write({ 'content/a.md': published('A', { body: 'Other.' }) })
  await expect(site.read({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'INTERRUPTED' })
  expect(site.readBody('a')?.html).toBe('<p>Text of A.</p>\n')
  expect((await site.read()).touched).toEqual(['a.md'])
  expect(site.readBody('a')?.html).toBe('<p>Other.</p>\n')
})

test('a closed site accepts no calls, and completes those in progress', async () => {
  const project = createProject({ 'content/a.md': published('A') })
  const site = await openProject(project)
  const reading = site.read()
  site.close()
  site.close()
  expect(idsOf(await reading)).toEqual(['a'])
  expect(() => site.readBody('a')).toThrow('This site is closed')
  await expect(site.read()).rejects.toThrow('This site is closed')
})

test('read errors are thrown', async () => {
  const project = createProject({ 'content/a.md': published('A') })
  const site = await openProject(project)
  project.remove('content')
  await expect(site.read()).rejects.toMatchObject({ code: 'CONTENT_UNREADABLE' })
  project.write({ 'kb.config.ts': configFile({ contnet: 'docs' }) })
  await expect(openProject(project)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
})

test.each([
  [{ article: '/help/' }, 'openSite(): links.article must be a pattern with {slug} or {id}, or a function.'],
  [{ tag: 3 }, 'openSite(): links.tag must be a pattern with {slug}, or a function.'],
  [{ artcle: '/{slug}' }, 'openSite(): links has no "artcle". Did you mean "article"?'],
  [{ base: '/' }, 'openSite(): links has no "base". It takes article, category, tag.'],
])('addresses %j are refused', async (links, message) => {
  const opened = openProject(createProject(), { links: links as object })
  await expect(opened).rejects.toMatchObject({ code: 'USAGE', message })
})

test('bodies of the last read are available until the next one, even if files are deleted', async () => {
  const project = createProject({ 'content/a.md': published('A'), ...manyArticles(1100) })
  let probe = (): string | undefined => undefined
  const seen: unknown[] = []
  const addressOf = ({ slug }: { readonly slug: string }) => {
    seen.push(probe())
    return `/help/${slug}`
  }
  const site = await openProject(project, { drafts: true, links: { article: addressOf } })
  await site.read()
  const kept = site.readBody('page-7')?.html
  seen.length = 0
  probe = () => site.readBody('page-7')?.html
  project.remove('content')
  project.write({ 'content/a.md': published('A') })
  // The URL of an article is created after all files are read, and shortly before the view is complete.
  expect(idsOf(await site.read())).toEqual(['a'])
  expect([seen.at(-1), seen.length > 0]).toEqual([kept, true])
  expect(site.readBody('page-7')).toBeUndefined()
})
