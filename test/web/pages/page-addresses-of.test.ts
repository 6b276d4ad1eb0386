import { expect, test } from 'vitest'
import type { KbConfig } from '../../../src/core/config/schema.ts'
import { normaliseConfig } from '../../../src/core/config/settings.ts'
import { pageAddressesOf } from '../../../src/web/pages/page-addresses-of.ts'

function addressesFor(links: KbConfig['links']) {
  const context = { root: '/project', configFile: undefined, packageName: undefined, programVersion: 'test' }
  return pageAddressesOf(normaliseConfig({ links }, context))
}

const USUAL = {
  article: '/articles/{slug}',
  category: '/categories/{slug}',
  tag: '/tags/{slug}',
  origins: [],
}

test('pages lie where links lead', () => {
  expect(addressesFor(undefined)).toEqual(USUAL)
  expect(addressesFor({ article: '/{language}/help/{slug}' })).toEqual({
    ...USUAL,
    article: '/{language}/help/{slug}',
  })
})

test('links that name a host stay on the pages', () => {
  const links = { article: 'https://help.example/a/{slug}', category: 'https://help.example/c/{slug}' }

  expect(addressesFor(links)).toEqual({
    article: '/a/{slug}',
    category: '/c/{slug}',
    tag: '/tags/{slug}',
    origins: ['https://help.example'],
  })
})

test('a function is read as a pattern where it is one', () => {
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
])('a function that %s: pages lie where they usually do', (_, article) => {
  expect(addressesFor({ article })).toEqual(USUAL)
})
