import { expect, test } from 'vitest'
import type { SiteArticle, SiteView } from '../../../src/index.ts'
import type { LoadContext } from '../../../src/plugins/docusaurus/docusaurus-types.ts'
import { makePages } from '../../../src/plugins/docusaurus/locale-pages.ts'
import { createAddresses, localeOf } from '../../../src/plugins/docusaurus/site-addresses.ts'

function contextOf(
  currentLocale: string,
  baseUrl: string,
  baseUrls: Readonly<Record<string, string>> = {},
): LoadContext {
  const locales = ['en', 'fr', 'pt-BR']
  const localeConfigs = Object.fromEntries(
    locales.map((locale) => [locale, locale in baseUrls ? { baseUrl: baseUrls[locale] ?? '' } : {}]),
  )
  return {
    siteDir: '/site',
    generatedFilesDir: '/site/.docusaurus',
    baseUrl,
    siteConfig: { baseUrl },
    i18n: { currentLocale, defaultLocale: 'en', locales, localeConfigs },
  }
}

const ENGLISH = createAddresses(contextOf('en', '/'), '/help/')
const FRENCH = createAddresses(contextOf('fr', '/fr/'), 'help')

function articleOf(id: string, changes: Partial<SiteArticle> = {}): SiteArticle {
  const [slug = '', language = 'en'] = id.split('/').toReversed()
  const url = ENGLISH.links.article({ slug, language })
  return {
    id,
    source: `${slug}.md`,
    title: slug.toUpperCase(),
    slug,
    language,
    status: 'published',
    excerpt: `About ${slug}.`,
    url: url,
    categories: ['Guides'],
    tags: [],
    order: 0,
    reviewDate: null,
    hideFromSearch: false,
    seoBannerUrl: null,
    translationOf: null,
    translations: {},
    ...changes,
  }
}

function categoryOf(id: string, parent: string | null, french?: string): SiteView['categories'][number] {
  const slug = id.toLowerCase().replaceAll('/', '-')
  const text = (name: string, language: string, own = slug) => ({
    name,
    slug: own,
    description: '',
    url: ENGLISH.links.category({ slug: own, language }),
  })
  const translations = french === undefined ? {} : { fr: text(french, 'fr', french.toLowerCase()) }
  return { id, parent, ...text(id.split('/').at(-1) ?? id, 'en'), translations }
}

const FAMILY = { en: 'one', fr: 'fr/un' }
const VIEW: SiteView = {
  defaultLanguage: 'en',
  languages: ['en', 'fr'],
  articles: [
    articleOf('one', { translations: FAMILY, categories: ['Guides/Accounts', 'Guides'] }),
    articleOf('two'),
    articleOf('fr/un', { translations: FAMILY, translationOf: 'one' }),
  ],
  categories: [
    categoryOf('Guides', null, 'Aide'),
    categoryOf('Guides/Accounts', 'Guides'),
    categoryOf('Empty', null),
  ],
  tags: [],
  diagnostics: [],
}

test('a locale has the pages of its language', () => {
  const { sidebar, lists } = makePages(VIEW, 'en', ENGLISH)
  const category = { type: 'category', collapsible: true, collapsed: true }
  const one = { type: 'link', label: 'ONE', href: '/help/one' }
  expect(sidebar).toEqual([
    {
      ...category,
      label: 'Guides',
      href: '/help/categories/guides',
      items: [
        { ...category, label: 'Accounts', href: '/help/categories/guides-accounts', items: [one] },
        one,
        { type: 'link', label: 'TWO', href: '/help/two' },
      ],
    },
  ])
  expect(lists.map(({ path }) => path)).toEqual([
    '/help/',
    '/help/categories/guides',
    '/help/categories/guides-accounts',
  ])
})

test('what has no translation is shown in the default language', () => {
  const { sidebar, articles } = makePages(VIEW, 'fr', FRENCH)
  expect(articles.map(({ path }) => path)).toEqual(['/fr/help/two', '/fr/help/un'])
  expect(sidebar.map(({ label, href }) => ({ label, href }))).toEqual([
    { label: 'Aide', href: '/fr/help/categories/aide' },
  ])
})

test('a locale without articles of its own has those of the default language', () => {
  const brazil = createAddresses(contextOf('pt-BR', '/pt-BR/'), 'help')
  expect(makePages(VIEW, 'pt-BR', brazil).articles.map(({ path }) => path)).toEqual([
    '/pt-BR/help/one',
    '/pt-BR/help/two',
  ])
})

test('links stay in the locale where it has the article, and else lead to the one that has it', () => {
  const { articles, makePage } = makePages(VIEW, 'fr', FRENCH)
  const [two] = articles
  if (two === undefined) throw new Error('There is no page.')
  const html = '<a href="/help/two#a">a</a><a href="/help/one?b">b</a><a href="/blog">c</a>'
  const { body, breadcrumbs, lang, previous, next, toc } = makePage(two, {
    html,
    headings: [
      { level: 1, id: 'top', text: 'Top' },
      { level: 2, id: 'a', text: 'A < B & C' },
    ],
  })
  expect(body).toMatchObject([
    { name: 'a', properties: { href: '/fr/help/two#a' } },
    { name: 'AwayLink', properties: { href: '/help/one?b' } },
    { name: 'a', properties: { href: '/blog' } },
  ])
  expect({ breadcrumbs, lang, previous, next, toc }).toEqual({
    breadcrumbs: [{ title: 'Aide', permalink: '/fr/help/categories/aide' }],
    lang: 'en',
    previous: null,
    next: { title: 'UN', permalink: '/fr/help/un' },
    toc: [{ id: 'a', level: 2, value: 'A &#x3C; B &#x26; C' }],
  })
})

test('what a router would take for a pattern is written by its bytes', () => {
  const slugs = ['c++', 'a.b', 'größe', '(a)', ':any', "what's-new", '100%', '..', '~28a~29']
  expect(slugs.map((slug) => ENGLISH.article(slug))).toEqual([
    '/help/c++',
    '/help/a.b',
    '/help/größe',
    '/help/~28a~29',
    '/help/~3aany',
    '/help/what~27s-new',
    '/help/100~25',
    '/help/~2e.',
    '/help/~7e28a~7e29',
  ])
  expect(ENGLISH.links.tag({ slug: 'c#', language: 'fr' })).toBe('/fr/help/tags/c~23')
})

test('addresses lead to the locale of a language, whatever Docusaurus tells of them', () => {
  const all = { en: '/docs/', fr: '/docs/fr/', 'pt-BR': '/brasil/' }
  const addressesOf = (context: LoadContext) => {
    const { article } = createAddresses(context, '/').links
    return ['en', 'fr', 'pt-BR', 'de'].map((language) => article({ slug: 'a', language }))
  }
  expect(addressesOf(contextOf('fr', '/docs/fr/', all))).toEqual([
    '/docs/a',
    '/docs/fr/a',
    '/brasil/a',
    '/docs/a',
  ])
  expect(addressesOf(contextOf('fr', '/docs/fr/'))).toEqual([
    '/docs/a',
    '/docs/fr/a',
    '/docs/pt-BR/a',
    '/docs/a',
  ])
  expect(addressesOf(contextOf('en', '/docs/'))).toEqual([
    '/docs/a',
    '/docs/fr/a',
    '/docs/pt-BR/a',
    '/docs/a',
  ])
})

test.each([
  ['fr', ['en', 'fr'], 'fr'],
  ['PT-br', ['pt', 'pt-BR'], 'pt-BR'],
  ['pt-BR', ['en', 'pt'], 'pt'],
  ['pt', ['en', 'pt_BR'], 'pt_BR'],
  ['de', ['en', 'fr'], undefined],
])('the language %s in %j is %s', (language, locales, expected) => {
  expect(localeOf(language, locales)).toBe(expected)
})
