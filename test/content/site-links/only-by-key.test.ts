import { expect, test } from 'vitest'
import { onlyByKey } from '../../../src/content/site-links/link-candidates.ts'

test('a key that several entries have is undefined', () => {
  const pairs = [
    ['a', 1],
    ['b', 2],
    ['a', 3],
    ['a', 4],
  ] as const
  expect([...onlyByKey(pairs)]).toEqual([
    ['a', undefined],
    ['b', 2],
  ])
})
