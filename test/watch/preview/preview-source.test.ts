import { describe, expect, test } from 'vitest'
import type { ArticleEntry } from '../../../src/web/dashboard/status-source.ts'
import type { ListQuery, PageSource } from '../../../src/web/pages/page-source.ts'
import { createPageUrls } from '../../../src/web/pages/page-urls.ts'
import { pageAddressesOf } from '../../../src/web/pages/page-addresses-of.ts'
import { createPreviewSearch } from '../../../src/watch/preview/preview-search.ts'
import { createPreviewSource } from '../../../src/watch/preview/preview-source.ts'
import { PreviewState, type PreviewView } from '../../../src/watch/preview/preview-state.ts'
import { createPreviewStatus } from '../../../src/watch/preview/preview-status.ts'
import { article, type Files, manyArticles } from '../../support/project.ts'
import { openPreviewProject, type PreviewProject, SYNC } from './preview-project.ts'

interface Opened extends PreviewProject {
  readonly source: PageSource
}

/** A source of the same content as the project's preview. */
async function openSource(files: Files, config = {}): Promise<Opened> {
  const project = await openPreviewProject(files, { config })
  const state = new PreviewState(project.settings)
  const urls = () => createPageUrls(pageAddressesOf(project.settings), ['en'])
  const search = createPreviewSearch({
    index: () => state.index(),
    languageOf: ({ language }) => language ?? 'en',
    onFailure: (error) => {
      throw error
    },
  })
  const status = createPreviewStatus(state, urls, () => new Date('2026-03-01T12:00:00Z'))
  const tell = (touched: readonly string[] | undefined) => search.note(state.update(project.view(), touched))
  tell(undefined)
  const look: PreviewProject['look'] = async (changes) => {
    const before = project.view().content
    await project.look(changes)
    const articles = new Set(before?.articles)
    // The sources that live content reports as touched: those with other bytes.
    const now = project.view().content?.articles ?? []
    const touched = [
      ...now.filter((each) => !articles.has(each)),
      ...(before?.articles ?? []).filter((each) => !now.includes(each)),
    ]
    tell([...new Set(touched.map(({ source }) => source))])
  }
  const save = (written: Files) => {
    project.write(written)
    return look()
  }
  return { ...project, look, save, source: createPreviewSource(state, search, status) }
}

const QUERY: ListQuery = { viewer: 'author', language: 'en', limit: 10 }
const ENGLISH = { viewer: 'author', language: 'en' } as const

async function titles(source: PageSource, query: Partial<ListQuery> = {}): Promise<readonly string[]> {
  return (await source.listArticles({ ...QUERY, ...query })).articles.map(({ title }) => title)
}

const TAXONOMY = {
  'content/_categories.yml': `- name: Guides
  slug: guides
- name: Accounts
  slug: accounts
  parent: Guides
  description: Who may sign in.
  iconUrl: https://example.com/icon.svg
  translations:
    fr: { name: Comptes, slug: comptes, description: Qui peut entrer. }
`,
  'content/_tags.yml': `- name: Security
  slug: security
  translations:
    fr: { name: Sécurité, slug: securite }
`,
}

test.each([
  ['at once', false],
  ['after it was gone for a moment', true],
])('the old URL of a renamed file redirects to its page (%s)', async (_, isGoneBetween) => {
  const project = await openSource({ 'content/a.md': article('A'), 'content/b.md': article('B') })
  const titleAt = async (slug: string) =>
    (await project.source.findArticle({ slug, language: 'en' }, 'author'))?.title
  for (const [from, to] of [
    ['a', 'first'],
    ['first', 'deep/second'],
  ]) {
    const text = project.read(`content/${from}.md`)
    project.remove(`content/${from}.md`)
    if (isGoneBetween) await project.look()
    await project.save({ [`content/${to}.md`]: text })
  }
  expect([await titleAt('a'), await titleAt('first'), await titleAt('second')]).toEqual(['A', 'A', 'A'])
  await project.save({ 'content/a.md': article('Another') })
  expect([await titleAt('a'), await titleAt('first')]).toEqual(['Another', 'A'])
  project.remove('content/deep/second.md')
  await project.look()
  expect([await titleAt('first'), await titleAt('second')]).toEqual([undefined, undefined])
})

test('the old URL of a file that was renamed with an error redirects to its page once that is fixed', async () => {
  const project = await openSource({ 'content/a.md': article('A'), 'content/b.md': article('B') })
  const titleAtOld = async () =>
    (await project.source.findArticle({ slug: 'a', language: 'en' }, 'author'))?.title
  const text = project.read('content/a.md')
  project.remove('content/a.md')
  await project.save({ 'content/first.md': `${text}\n[x](nowhere.md)\n` })
  expect(await titleAtOld()).toBeUndefined()
  await project.save({ 'content/first.md': text })
  expect(await titleAtOld()).toBe('A')
})

test('the old URL of a category or tag redirects to its page, in each language', async () => {
  const project = await openSource({
    ...TAXONOMY,
    'content/a.md': article('A'),
    'content/un.md': article('Un', { language: 'fr', translationOf: 'a.md' }),
  })
  const leadsTo = async (kind: 'category' | 'tag', slug: string) => {
    const [found] = await project.source.findMovedTaxa({ kind, slug, language: undefined })
    return found && [found.from, found.slugs.get('en'), found.slugs.get('fr')]
  }
  const rename = (file: keyof typeof TAXONOMY, from: string, to: string) =>
    project.save({ [file]: project.read(file).replace(`slug: ${from}`, `slug: ${to}`) })
  expect(await leadsTo('category', 'nothing')).toBe(undefined)
  await rename('content/_categories.yml', 'accounts', 'access')
  await rename('content/_categories.yml', 'comptes', 'acces')
  await rename('content/_categories.yml', 'access', 'entry')
  await rename('content/_tags.yml', 'security', 'safety')
  const category = ['en', 'entry', 'acces']
  for (const slug of ['accounts', 'access', 'comptes', 'entry'])
    expect([slug, await leadsTo('category', slug)]).toEqual([slug, category])
  expect(await leadsTo('category', 'acces')).toEqual(['fr', ...category.slice(1)])
  expect(await leadsTo('tag', 'security')).toEqual(['en', 'safety', 'securite'])
})

test('articles are listed by order, then title, including drafts, page by page', async () => {
  const { source } = await openSource({
    'content/a.md': article('Beta'),
    'content/b.md': article('Alpha', { order: 1 }),
    'content/c.md': article('Alpha', { slug: 'other', status: 'draft', excerpt: 'In short.' }),
  })
  const first = await source.listArticles({ ...QUERY, limit: 2 })
  const second = await source.listArticles({ ...QUERY, limit: 2, after: first.next })

  expect(first.articles).toEqual([
    { id: 'c.md', title: 'Alpha', slug: 'other', language: 'en', excerpt: 'In short.', isDraft: true },
    { id: 'a.md', title: 'Beta', slug: 'a', language: 'en', excerpt: 'Text of Beta.', isDraft: false },
  ])
  expect({ second: second.articles.map(({ id }) => id), next: second.next }).toEqual({
    second: ['b.md'],
    next: undefined,
  })
})

test('an article has its categories, tags, translations and file', async () => {
  const { source } = await openSource(
    {
      ...TAXONOMY,
      'content/a.md': article('Reset', { categories: ['Guides/Accounts', 'guides'], tags: ['Security'] }),
      'content/a.fr.md': article('Réinitialiser', {
        slug: 'reset',
        categories: ['accounts'],
        tags: ['security'],
        language: 'fr',
        translationOf: 'a.md',
      }),
    },
    { server: { languages: ['en', 'fr'] } },
  )
  const [original, translation] = await Promise.all([
    source.findArticle({ slug: 'a', language: undefined }, 'author'),
    source.findArticle({ slug: 'reset', language: 'fr' }, 'author'),
  ])

  expect(await original?.readHtml(1000)).toBe('<p>Text of Reset.</p>\n')
  expect(original).toMatchObject({
    title: 'Reset',
    categoryPaths: [
      [
        { name: 'Guides', slug: 'guides' },
        { name: 'Accounts', slug: 'accounts' },
      ],
      [{ name: 'Guides', slug: 'guides' }],
    ],
    tags: [{ name: 'Security', slug: 'security' }],
    translations: [{ slug: 'reset', language: 'fr', title: 'Réinitialiser' }],
    writing: { file: 'content/a.md', isHeldBack: false, shows: 'current' },
  })
  expect(translation).toMatchObject({
    categoryPaths: [
      [
        { name: 'Guides', slug: 'guides' },
        { name: 'Comptes', slug: 'comptes' },
      ],
    ],
    tags: [{ name: 'Sécurité', slug: 'securite' }],
    translations: [{ slug: 'a', language: 'en', title: 'Reset' }],
  })
  expect(await source.listCategories({ viewer: 'author', language: 'fr' })).toEqual([
    {
      id: 'Guides',
      parentId: undefined,
      name: 'Guides',
      slug: 'guides',
      description: '',
      icon: '',
      thumbnail: '',
      articles: 0,
    },
    {
      id: 'Guides/Accounts',
      parentId: 'Guides',
      name: 'Comptes',
      slug: 'comptes',
      description: 'Qui peut entrer.',
      icon: 'https://example.com/icon.svg',
      thumbnail: '',
      articles: 1,
    },
  ])
  const slugs = new Map([
    ['en', 'security'],
    ['fr', 'securite'],
  ])
  expect([
    await source.findTag('securite', 'en'),
    await source.findTag('security', 'fr'),
    await source.findTag('none', 'en'),
  ]).toEqual([
    { name: 'Security', slug: 'security', slugs },
    { name: 'Sécurité', slug: 'securite', slugs },
    undefined,
  ])
  expect([
    await titles(source, { categoryId: 'Guides/Accounts' }),
    await titles(source, { tag: 'securite' }),
    await titles(source, { tag: 'none' }),
  ]).toEqual([['Reset'], ['Reset'], []])
})

test('the version of a page changes with everything that it shows, and with nothing else', async () => {
  const files = {
    ...TAXONOMY,
    'content/a.md': article('A', { categories: ['accounts'], body: 'See [b](b.md).' }),
    'content/b.md': article('B'),
  }
  const project = await openSource(files)
  const version = async () =>
    (await project.source.findArticle({ slug: 'a', language: 'en' }, 'author'))?.version
  const versions = [await version()]
  const after = async (written: Files) => {
    await project.save(written)
    versions.push(await version())
  }
  await after({ 'content/b.md': article('B', { body: 'Another text.' }) })
  await after({ 'content/b.md': article('B', { slug: 'bee' }) })
  await after({ 'content/a.md': article('A', { categories: ['accounts'], body: 'See [b](b.md) and more.' }) })
  await after({
    'content/_categories.yml': TAXONOMY['content/_categories.yml'].replaceAll('Accounts', 'Konten'),
  })
  await after({
    'content/a.md': article('A', { categories: ['accounts'], body: 'See [b](nowhere.md) and more.' }),
  })

  expect(versions.map((each) => versions.indexOf(each))).toEqual([0, 0, 2, 3, 4, 5])
})

describe('lists and search are updated after edits', () => {
  test('of texts, titles, categories, new and deleted files', async () => {
    const project = await openSource({ 'content/a.md': article('A'), 'content/b.md': article('B') })
    const { source } = project
    const look = async () => [
      await titles(source),
      (await source.listCategories(ENGLISH)).map(({ name, articles }) => `${name} ${articles}`),
      (await source.search({ ...ENGLISH, text: 'wanted', skip: 0, limit: 9 })).hits.map(
        ({ title, category, passage }) =>
          `${category.map(({ name }) => name).join('/')}: ${title}: ${passage.map(({ text }) => text).join('')}`,
      ),
    ]
    const seen = [await look()]
    const after = async (change: () => Promise<void>) => {
      await change()
      seen.push(await look())
    }
    await after(() => project.save({ 'content/a.md': article('A', { body: 'A wanted text.' }) }))
    await after(() => project.save({ 'content/b.md': article('Wanted', { categories: ['Other'] }) }))
    await after(() =>
      project.save({ 'content/c.md': article('C', { body: 'Also wanted.', hideFromSearch: true }) }),
    )
    await after(async () => {
      project.remove('content/a.md')
      await project.look()
    })

    expect(seen).toEqual([
      [['A', 'B'], ['Guides 2'], []],
      [['A', 'B'], ['Guides 2'], ['Guides: A: A wanted text.']],
      [
        ['A', 'Wanted'],
        ['Guides 1', 'Other 1'],
        ['Other: Wanted: Text of Wanted.', 'Guides: A: A wanted text.'],
      ],
      [
        ['A', 'C', 'Wanted'],
        ['Guides 2', 'Other 1'],
        ['Other: Wanted: Text of Wanted.', 'Guides: A: A wanted text.'],
      ],
      [['C', 'Wanted'], ['Guides 1', 'Other 1'], ['Other: Wanted: Text of Wanted.']],
    ])
  })

  test('the search index is built in slices, and includes texts saved in the meantime', async () => {
    const project = await openSource(manyArticles(400))
    const found = project.source.search({ ...ENGLISH, text: 'zeppelin', skip: 0, limit: 5 })
    await project.save({ 'content/page-3.md': article('Page 3', { body: 'A zeppelin.' }) })
    await found

    expect(
      (await project.source.search({ ...ENGLISH, text: 'zeppelin', skip: 0, limit: 5 })).hits.map(
        ({ id }) => id,
      ),
    ).toEqual(['page-3.md'])
  })
})

test('the status counts reviews from today, and links pages of articles that are not sent', async () => {
  const project = await openSource(
    {
      'content/a.md': article('A', { reviewDate: '2026-05-01' }),
      'content/b.md': article('B', { reviewDate: 'never', status: 'draft' }),
      'content/c.md': article('C', { body: '[gone](nowhere.md)' }),
      'content/d.md': 'no frontmatter',
    },
    { report: { dueWithin: '10d' } },
  )
  await project.look({
    sync: { ...SYNC, failures: [{ source: 'a.md', title: 'A', reason: 'it was edited on the target' }] },
    brokenLinks: () =>
      Promise.resolve([
        { url: 'https://gone.example/', title: 'A', source: 'a.md' },
        { url: 'https://lost.example/', title: 'Theirs', source: undefined },
      ]),
  } satisfies Partial<PreviewView>)
  const { status } = project.source
  const broken = []
  for await (const { url, article: holder, categories } of status.brokenLinks())
    broken.push([url, holder, categories])

  expect({
    dueWithinDays: status.dueWithinDays(),
    listed: Array.from(
      status.articles({ today: '2026-03-01', dueWithinDays: 30, listed: 10 }) as Iterable<ArticleEntry>,
      ({ title, date, categories, lastChange }) => [title, date, categories, lastChange],
    ),
    articles: await status.countArticles(),
    failures: status.sync()?.failures,
    heldBack: status.sync()?.heldBack,
    broken,
  }).toEqual({
    dueWithinDays: 10,
    listed: [
      ['A', '2026-05-01', ['Guides'], undefined],
      ['B', '9999-12-31', ['Guides'], undefined],
      ['C', '2026-08-28', ['Guides'], undefined],
    ],
    articles: { published: 2, drafts: 1 },
    failures: [
      {
        file: 'content/a.md',
        title: 'A',
        reason: 'it was edited on the target',
        line: undefined,
        column: undefined,
        url: '/articles/a',
      },
    ],
    heldBack: [
      {
        file: 'content/d.md',
        title: 'd',
        reason: expect.any(String) as string,
        line: 1,
        column: 1,
        url: '/articles/d',
      },
      {
        file: 'content/c.md',
        title: 'C',
        reason: 'There is no article "nowhere.md".',
        line: 6,
        column: 8,
        url: '/articles/c',
      },
    ],
    broken: [
      ['https://gone.example/', { title: 'A', url: '/articles/a', file: 'content/a.md' }, ['Guides']],
      ['https://lost.example/', { title: 'Theirs', url: undefined, file: undefined }, []],
    ],
  })
})

test('a preview shows the sitemap and the feed of the published pages', async () => {
  const { url } = await openPreviewProject(
    {
      'content/a.md': article('Ann', { hideFromSearch: true }),
      'content/b.md': article('Bob'),
      'content/c.md': article('Cid', { language: 'fr', translationOf: 'b' }),
    },
    {
      config: {
        pages: { url: 'https://example.org/help' },
        defaults: { status: 'published' },
        server: { languages: ['en', 'fr'] },
      },
    },
  )
  const read = async (path: string) => (await fetch(url(path))).text()
  const sitemap = await read('/sitemap.xml')
  const paths = [...sitemap.matchAll(/<loc>https:\/\/example\.org\/help([^<]*articles[^<]*)</g)]
  expect(paths.map(([, path]) => path)).toEqual(['/articles/b', '/articles/c?lang=fr'])
  expect(sitemap).toContain('hreflang="fr" href="https://example.org/help/articles/c?lang=fr"')
  expect(
    [...(await read('/feed.xml')).matchAll(/<title>([^<]*)</g)].slice(1).map(([, title]) => title),
  ).toEqual(['Bob'])
  // Links of the preview begin at its root, but a link in a text may have the public path.
  const page = await read('/help/articles/b')
  expect(page).toContain('<link rel="canonical" href="https://example.org/help/articles/b"')
  expect(page).not.toContain('href="/help/')
  expect(await read('/articles/a')).toContain('noindex')
})
