import { assert, constantFrom, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { imageUrl } from '../../../src/web/pages/home-page.ts'
import { createPageUrls } from '../../../src/web/pages/page-urls.ts'
import { createAddressReader } from '../../../src/web/pages/read-address.ts'
import { anyCharacter } from '../../support/any-character.ts'
import { readRuns } from '../../support/runs.ts'

const LANGUAGES = ['en', 'fr', 'pt-BR']

const PATTERNS = [
  '/articles/{slug}',
  '/{language}/a/{slug}',
  '/help/{slug}.html',
  '/{slug}-in-{language}',
  '/über/{slug}/{language}/',
]

const addressesOf = (article: string) => ({
  article,
  category: '/categories/{slug}',
  tag: '/t/{language}/{slug}',
  origins: [],
})

/** Slugs as in the service, except for dots, which no URL can contain. */
const slugs = string({ unit: anyCharacter, minLength: 1, maxLength: 20 }).filter(
  (slug) => !/[\s/?#]|^\.+$/u.test(slug) && slug.isWellFormed(),
)

test.each([
  ['data:image/png;base64,AA', true],
  ['DATA:Image/png;base64,AA', true],
  ['data:text/html,x', false],
  ['javascript:x', false],
  ['', false],
])('the image %j is shown: %s', (url, isShown) => {
  const urls = createPageUrls(addressesOf('/articles/{slug}'), LANGUAGES)
  expect(imageUrl({ urls }, url)).toBe(isShown ? url : '')
})

test('a URL contains no characters that a header cannot have', () => {
  const { article } = createPageUrls(addressesOf('/文章/{slug}'), LANGUAGES)
  expect(article({ slug: 'ü', language: 'fr' })).toBe('/%E6%96%87%E7%AB%A0/%C3%BC?lang=fr')
})

test('every article is found at its URL', () => {
  assert(
    property(slugs, constantFrom(...LANGUAGES), constantFrom(...PATTERNS), (slug, language, pattern) => {
      const addresses = addressesOf(pattern)
      const url = new URL(
        createPageUrls(addresses, LANGUAGES).article({ slug, language }),
        'http://localhost',
      )
      const places = createAddressReader(addresses)(url.pathname)
      const named = pattern.includes('{language}') ? language : undefined
      expect(places).toContainEqual({ kind: 'article', slug, language: named })
      expect(url.searchParams.get('lang')).toBe(named !== undefined || language === 'en' ? null : language)
    }),
    readRuns('FUZZ', 500),
  )
})

test('of several matching patterns, the most specific one comes first', () => {
  const read = createAddressReader({ ...addressesOf('/{slug}'), tag: '/tag-{slug}' })
  expect(read('/tag-a')).toEqual([
    { kind: 'tag', slug: 'a', language: undefined },
    { kind: 'article', slug: 'tag-a', language: undefined },
  ])
  expect(read('/%E0%A4%A')).toEqual([])
  expect(read('/a/b')).toEqual([])
})
