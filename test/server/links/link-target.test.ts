import { expect, test } from 'vitest'
import { articleOfTarget, createLinkTarget } from '../../../src/server/links/link-target.ts'

const article = { siteId: 's1', slug: 'own' }

test.each([
  ['https://example.com/a?b=1#c', 'https://example.com/a?b=1'],
  ['HTTP://EXAMPLE.com', 'http://example.com/'],
  ['//example.com/x', 'https://example.com/x'],
  ['https://', ''],
  ['ht\ntps://example.com/help/articles/reset', 'https://example.com/help/articles/reset'],
  ['/\t/example.com/help/articles/reset', 'https://example.com/help/articles/reset'],
  [String.raw`\\example.com/x`, 'https://example.com/x'],
  ['ma\tilto:a@b.example', ''],
  ['/help/articles/reset', 'article:s1:reset'],
  ['/help/articles/reset/?x=1#y', 'article:s1:reset'],
  ['reset', 'article:s1:reset'],
  ['../articles/reset', 'article:s1:reset'],
  ['?page=2', 'article:s1:own'],
  ['/help/articles/m%C3%BCsli', 'article:s1:müsli'],
  ['/help/articles/a%3Ab', 'article:s1:a:b'],
  ['/help/articles/%E0%A4%A', ''],
  ['/help/articles/a/b', ''],
  ['/help/articles/', ''],
  ['/pricing', ''],
  ['../../img/x.png', ''],
])('%s is checked as %s', (url, target) => {
  expect(createLinkTarget('/help/articles/{slug}')(url, article)).toBe(target)
})

test('a pattern may contain the language', () => {
  const linkTarget = createLinkTarget('/{language}/articles/{slug}')
  expect(linkTarget('/fr/articles/reset', article)).toBe('article:s1:reset')
  expect(linkTarget('../../fr/articles/reset', article)).toBe('article:s1:reset')
  expect(linkTarget('other', article)).toBe('article:s1:other')
})

test('a target is an article or a URL', () => {
  expect(articleOfTarget('article:s1:a:b')).toEqual({ siteId: 's1', slug: 'a:b' })
  expect(articleOfTarget('https://example.com/')).toBeUndefined()
})
