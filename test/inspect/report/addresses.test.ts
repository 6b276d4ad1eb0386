import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressKey, createIsLeftOut, plainAddress } from '../../../src/inspect/report/addresses.ts'

test.each([
  ['https://example.org/a?x=1&y=2', 'https://example.org/a?x=1&amp;y=2'],
  ['https://example.org/a?x=1&y=2', 'HTTPS://EXAMPLE.org/a?x=1&#x26;y=2'],
  ['https://example.org', 'https://example.org/'],
  ['//cdn.example.org/x', 'https://cdn.example.org/x'],
  ['https://example.org/caf%C3%A9', 'https://example.org/café'],
  ['https://example.org/a%20b', ' https://example.org/a b '],
  ['https://bücher.example', 'https://xn--bcher-kva.example/'],
  ['/articles/a%20b', '/articles/a b'],
  ['/articles/a?x=%zz', '/articles/a?x=%zz'],
  ['/articles/%e9/%20%2f', '/articles/%E9/ %2F'],
  ['https://example.org/a#', 'https://example.org/a'],
])('%s and %s are the same URL', (one, other) => {
  expect(addressKey(one)).toBe(addressKey(other))
})

test.each([
  ['https://example.org/a', 'https://example.org/A'],
  ['https://example.org/a', 'http://example.org/a'],
  ['https://example.org/a', 'https://example.org/a/'],
  ['https://example.org/a', 'https://example.org/a#b'],
  ['https://example.org/?copy=1', 'https://example.org/?©=1'],
  ['https://example.org/?a=1&copy=2', 'https://example.org/?a=1©=2'],
  ['/articles/a', 'https://example.org/articles/a'],
  ['https://example.org/a%2Fb', 'https://example.org/a/b'],
  ['https://example.org/a%252Fb', 'https://example.org/a%2Fb'],
  ['https://example.org/?q=a%26b', 'https://example.org/?q=a&b'],
  ['https://example.org/a%23b', 'https://example.org/a#b'],
])('%s and %s are different URLs', (one, other) => {
  expect(addressKey(one)).not.toBe(addressKey(other))
})

test('any URL has the same key as its escaped form', () => {
  const escape = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  const address = fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string())
  // Text in a URL that looks like an entity cannot be distinguished from one.
  const isPlain = (text: string) => !/&[#\w]+;/.test(text)
  fc.assert(
    fc.property(address.filter(isPlain), (url) => {
      expect(addressKey(escape(url))).toBe(addressKey(url))
      expect(plainAddress(plainAddress(url))).toBe(plainAddress(url))
    }),
  )
})

test('the key of usual URLs, which are not parsed, is that of others', () => {
  const path = fc.string({ unit: fc.constantFrom(...Array.from('/a.:=()-#?%&\\')) }).map((text) => `/${text}`)
  // White space around a URL has no meaning, but such a URL is not usual.
  fc.assert(
    fc.property(path, (url) => {
      expect(addressKey(url)).toBe(addressKey(` ${url}`))
    }),
  )
})

const LISTED = [
  'https://gone.example/?a=1&b=2',
  'https://gone.example/?a=1&amp;b=2',
  '//gone.example/?a=1&b=2',
  'https://gone.example/',
]

test('a URL is ignored in any spelling of the target', () => {
  expect(LISTED.map(createIsLeftOut(['https://gone.example/*&b=2']))).toEqual([true, true, true, false])
  expect(LISTED.map(createIsLeftOut(['*&amp;*']))).toEqual([false, true, false, false])
  expect(LISTED.map(createIsLeftOut([]))).toEqual([false, false, false, false])
})
