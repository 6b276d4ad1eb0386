import { expect, test } from 'vitest'
import { createPageCache } from '../../../src/web/pages/rendered-page.ts'

const pageOf = (bytes: number, status = 200) => ({
  status,
  bytes: new Uint8Array(bytes),
  tag: '"a"',
  headers: {},
})

test('it keeps the pages used last, within its limit, and none of another revision', () => {
  const cache = createPageCache(64_064_000)
  const isKept = (key: string, revision = '1') => cache.find(key, revision) !== undefined
  expect(isKept('first')).toBe(false)
  for (const key of ['first', 'second']) cache.keep(key, '1', pageOf(1_000_000))
  for (let number = 0; number < 100; number++) {
    expect(isKept('first')).toBe(true)
    cache.keep(`${number}`, '1', pageOf(1_000_000))
  }
  expect([isKept('second'), isKept('35'), isKept('99')]).toEqual([false, false, true])
  cache.keep('missing', '1', pageOf(10, 404))
  cache.keep('large', '1', pageOf(1_001_000))
  expect([isKept('missing'), isKept('large')]).toEqual([false, false])
  expect([isKept('99', '2'), isKept('99', '1')]).toEqual([false, false])
  cache.keep('late', '2', pageOf(10))
  expect(isKept('late')).toBe(false)
})
