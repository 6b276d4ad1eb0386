import { expect, test } from 'vitest'
import type { SiteArticle, SiteCategory, SiteView } from '../../../src/index.ts'
import { collectArticles } from '../../../src/plugins/eleventy/collections.ts'

function siteArticle(slug: string, categories: readonly string[], tags: readonly string[] = []): SiteArticle {
  return {
    id: slug,
    source: `${slug}.md`,
    title: slug,
    slug,
    language: 'en',
    status: 'published',
    excerpt: '',
    url: `/${slug}/`,
    categories,
    tags,
    order: 0,
    reviewDate: null,
    hideFromSearch: false,
    seoBannerUrl: null,
    translationOf: null,
    translations: {},
  }
}

function siteCategory(id: string, parent: string | null): SiteCategory {
  return { id, parent, name: id, slug: id, description: '', url: `/in/${id}/`, translations: {} }
}

const VIEW: SiteView = {
  defaultLanguage: 'en',
  languages: ['en'],
  articles: [
    siteArticle('one', ['Guides/Accounts'], ['new']),
    siteArticle('two', ['Guides', 'Guides/Accounts']),
  ],
  categories: [
    siteCategory('Guides', null),
    siteCategory('Guides/Accounts', 'Guides'),
    siteCategory('Other', null),
  ],
  tags: [{ id: 'new', name: 'new', slug: 'new', description: '', url: '/about/new/', translations: {} }],
  diagnostics: [],
}

test('a category has its level, its children and its articles; a tag has its articles', () => {
  const { categories, tags } = collectArticles(VIEW, () => undefined)
  expect(
    categories.map(({ id, level, children, articles }) => ({
      id,
      level,
      children: children.map((child) => child.id),
      articles: articles.map((article) => article.id),
    })),
  ).toEqual([
    { id: 'Guides', level: 1, children: ['Guides/Accounts'], articles: ['two'] },
    { id: 'Guides/Accounts', level: 2, children: [], articles: ['one', 'two'] },
    { id: 'Other', level: 1, children: [], articles: [] },
  ])
  expect(tags.map(({ id, articles }) => [id, articles.map((article) => article.id)])).toEqual([
    ['new', ['one']],
  ])
})

test('a text is read on access, once for its HTML and its headings', () => {
  const read: string[] = []
  const { articles } = collectArticles(VIEW, (id) => {
    read.push(id)
    return { html: `<h2 id="x">${id}</h2>`, headings: [{ level: 2, id: 'x', text: id }] }
  })
  const [one] = articles
  expect({ ...one }).toEqual(VIEW.articles[0])
  expect(read).toEqual([])
  expect([one?.html, one?.headings]).toEqual(['<h2 id="x">one</h2>', [{ level: 2, id: 'x', text: 'one' }]])
  expect(read).toEqual(['one'])
})

test('no item is a plain object, which Eleventy would copy for every page', () => {
  const { articles, categories, tags } = collectArticles(VIEW, () => undefined)
  const prototypes = [...articles, ...categories, ...tags].map((item): unknown => Object.getPrototypeOf(item))
  expect(prototypes).not.toContain(Object.prototype)
})
