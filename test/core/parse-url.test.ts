import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalizeUrl, parseUrl } from '../../src/core/parse-url.ts'
import { readRuns } from '../support/runs.ts'

test.each([
  ['https://example.com/a?b#c', undefined, 'https://example.com/a?b#c'],
  ['/a', 'https://example.com/b/', 'https://example.com/a'],
  ['/a', undefined, undefined],
  ['https://', undefined, undefined],
  ['', undefined, undefined],
])('%j on %j', (text, base, expected) => {
  expect(parseUrl(text, base)?.href).toBe(expected)
})

// `URL.canParse` of Node 20 and 22 rejects them once it has been called often.
test('accepts hosts with letters such as ü, however often it is called', () => {
  // Text as read from a response: one byte per character.
  const addresses = JSON.parse(
    JSON.stringify(Array.from({ length: 2000 }, (_, index) => `https://bücher.example/${index}`)),
  ) as string[]
  const refused = Array.from({ length: 10 }).flatMap(() =>
    addresses.filter((address) => parseUrl(address)?.host !== 'xn--bcher-kva.example'),
  )
  expect(refused).toEqual([])
})

// Everything that a parser treats specially, in any order.
const PARTS = [
  'https:',
  'http:',
  'HTTPS:',
  'ht\ntps:',
  'mailto:',
  'a+b-c.1:',
  ':',
  '//',
  '/',
  '\\',
  '@',
  '.',
  '..',
  '%2e',
  '%2E',
  'example',
  'Example',
  'xn--bcher-kva',
  'xn--',
  'bücher',
  'com',
  '1',
  '0x7f',
  '-',
  '_',
  '[::1]',
  ':80',
  ':443',
  ':8080',
  '?',
  '#',
  '&',
  '=',
  "'",
  '"',
  '<',
  '|',
  '^',
  '`',
  '{',
  '~',
  '!',
  '$',
  '(',
  '*',
  '+',
  ',',
  ';',
  '%',
  '%zz',
  '%C3%A9',
  ' ',
  '\t',
  '\n',
  '\u0001',
  '\u00a0',
  'é',
  '\u{1f600}',
  'a',
  'https://example.com',
  'https://example.com/a/',
]

test('normalises without the parser exactly as with it', () => {
  const address = fc.oneof(
    fc.array(fc.constantFrom(...PARTS), { maxLength: 8 }).map((parts) => parts.join('')),
    fc
      .array(fc.constantFrom(...PARTS), { maxLength: 6 })
      .map((parts) => `https://example.com/${parts.join('')}`),
    fc.array(fc.constantFrom(...PARTS), { maxLength: 6 }).map((parts) => `https://${parts.join('')}/a`),
  )
  fc.assert(
    fc.property(address, (text) => {
      expect(normalizeUrl(text)).toBe(hrefOf(text))
      expect(parseUrl(text)?.href).toBe(hrefOf(text))
    }),
    readRuns('FUZZ', 5000),
  )
})

function hrefOf(text: string): string | undefined {
  try {
    return new URL(text).href
  } catch {
    return undefined
  }
}
