import { expect, test } from 'vitest'
import type { KbConfig } from '../../../src/core/config/schema.ts'
import { normaliseConfig } from '../../../src/core/config/settings.ts'
import { pageAddressesOf, publicUrls } from '../../../src/web/pages/page-addresses-of.ts'

const CONTEXT = { root: '/project', configFile: undefined, packageName: undefined, programVersion: 'test' }

function addressesFor(links: KbConfig['links'], pages: KbConfig['pages'] = {}) {
  return pageAddressesOf(normaliseConfig({ links, pages }, CONTEXT))
}

const USUAL = {
  article: '/articles/{slug}',
  category: '/categories/{slug}',
  tag: '/tags/{slug}',
  origins: [],
}

test('pages have the paths of links', () => {
  expect(addressesFor(undefined)).toEqual(USUAL)
  expect(addressesFor({ article: '/{language}/help/{slug}' })).toEqual({
    ...USUAL,
    article: '/{language}/help/{slug}',
  })
})

test('links with a host stay on the pages', () => {
  const links = { article: 'https://help.example/a/{slug}', category: 'https://help.example/c/{slug}' }

  expect(addressesFor(links)).toEqual({
    article: '/a/{slug}',
    category: '/c/{slug}',
    tag: '/tags/{slug}',
    origins: ['https://help.example'],
  })
})

test('a function is interpreted as a pattern if possible', () => {
  expect(addressesFor({ article: ({ slug, language }) => `/kb/${language}/${slug}.html` })).toEqual({
    ...USUAL,
    article: '/kb/{language}/{slug}.html',
  })
})

test.each<[string, NonNullable<KbConfig['links']>['article']]>([
  [
    'treats the default language in another way',
    ({ slug, language }) => (language === 'en' ? `/${slug}` : `/${language}/${slug}`),
  ],
  ['puts the slug into a query', ({ slug }) => `/article?name=${slug}`],
  ['cuts the slug', ({ slug }) => `/a/${slug.slice(0, 5)}`],
  [
    'knows its languages only',
    ({ slug, language }) => {
      if (language !== 'en') throw new Error('Unknown language')
      return `/en/${slug}`
    },
  ],
])('a function that %s: pages have the default paths', (_, article) => {
  expect(addressesFor({ article })).toEqual(USUAL)
})

test('the public URL is normalised; its path begins links, which may contain it already', () => {
  const origins = ['https://help.example']
  expect(addressesFor(undefined, { url: 'https://HELP.example' })).toEqual({
    ...USUAL,
    origins,
    url: 'https://help.example',
    base: '',
  })
  const links = { article: '/docs/a/{slug}', category: 'https://help.example/docs/c/{slug}' }
  expect(addressesFor(links, { url: 'https://help.example/docs/' })).toEqual({
    article: '/a/{slug}',
    category: '/c/{slug}',
    tag: '/tags/{slug}',
    origins,
    url: 'https://help.example/docs',
    base: '/docs',
  })
})

test('reports link to the pages if their URL is known, unless the articles are elsewhere', () => {
  const urlFor = (config: KbConfig, language = 'en') =>
    publicUrls(normaliseConfig(config, CONTEXT)).article({ slug: 'a b', language })
  const pages = { url: 'https://help.example/docs' }
  expect(urlFor({})).toBe('/articles/a%20b')
  expect(urlFor({ pages })).toBe('https://help.example/docs/articles/a%20b')
  expect(urlFor({ pages }, 'fr')).toBe('https://help.example/docs/articles/a%20b?lang=fr')
  expect(urlFor({ pages, links: { article: '/docs/{language}/{slug}' } }, 'fr')).toBe(
    'https://help.example/docs/fr/a%20b',
  )
  expect(urlFor({ pages, links: { article: 'https://www.example/{slug}' } })).toBe(
    'https://www.example/a%20b',
  )
})
