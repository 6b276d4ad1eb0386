import { expect, test } from 'vitest'
import { articleCode, indexCode } from '../../../src/plugins/vite/virtual-plugin.ts'

const ARTICLE = {
  source: 'a.md',
  title: '</script>\u2028`${x}`',
  slug: 'a',
  language: 'en',
  status: 'published',
  excerpt: '',
  url: '/a',
  categories: [],
  tags: [],
  order: 0,
  reviewDate: null,
  hideFromSearch: false,
  seoBannerUrl: null,
  translationOf: null,
  translations: {},
} as const

interface Index {
  readonly articles: readonly { readonly title: string }[]
  readonly findArticle: (id: string) => unknown
  readonly loadArticle: (id: string) => Promise<unknown>
}

/** Runs a module like a page. */
async function run<T>(code: string): Promise<T> {
  return (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as T
}

test('the list finds and loads articles, and returns nothing for unknown ones', async () => {
  const body = { html: '<p>\\n"${x}"</p>', headings: [{ level: 2, id: 'b', text: 'B' }] }
  const code = indexCode({
    articles: [{ ...ARTICLE, id: '__proto__' }],
    categories: [],
    tags: [],
    languages: ['en'],
    defaultLanguage: 'en',
  }).replace('virtual:kb/article/__proto__', `data:text/javascript,${encodeURIComponent(articleCode(body))}`)
  const { articles, findArticle, loadArticle } = await run<Index>(code)
  expect(articles.map(({ title }) => title)).toEqual([ARTICLE.title])
  expect([findArticle('__proto__'), findArticle('constructor')]).toEqual([articles[0], undefined])
  expect(await loadArticle('__proto__')).toEqual(body)
  await expect(loadArticle('constructor')).rejects.toThrow('virtual:kb has no article "constructor".')
})
