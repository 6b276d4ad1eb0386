import { expect, test } from 'vitest'
import { parseUrl } from '../../src/core/parse-url.ts'

test.each([
  ['https://example.com/a?b#c', undefined, 'https://example.com/a?b#c'],
  ['/a', 'https://example.com/b/', 'https://example.com/a'],
  ['/a', undefined, undefined],
  ['https://', undefined, undefined],
  ['', undefined, undefined],
])('%j on %j', (text, base, expected) => {
  expect(parseUrl(text, base)?.href).toBe(expected)
})

// The built-in test of Node 20 and 22 does not, once it is called often.
test('goes on to take hosts with letters such as ü, however often it is asked', () => {
  // Text as it comes out of an answer: one byte for each character.
  const addresses = JSON.parse(
    JSON.stringify(Array.from({ length: 2000 }, (_, index) => `https://bücher.example/${index}`)),
  ) as string[]
  const refused = Array.from({ length: 10 }).flatMap(() =>
    addresses.filter((address) => parseUrl(address)?.host !== 'xn--bcher-kva.example'),
  )
  expect(refused).toEqual([])
})
