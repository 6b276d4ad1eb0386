import { expect, test } from 'vitest'
import { nameShard, parseShard } from '../../../src/core/config/shard.ts'

test.each(['1/1', '2/8', '8/8', '12/128'])('%s is a shard', (written) => {
  const shard = parseShard(written)
  expect(shard && nameShard(shard)).toBe(written)
})

test.each([
  '9/8',
  '0/8',
  '1.5/8',
  'a/b',
  '',
  '2',
  '2/',
  '/8',
  '-1/8',
  '2/8/1',
  ' 2/8',
  '2/0',
  '1e1/99',
  '２/8',
])('"%s" is none', (written) => {
  expect(parseShard(written)).toBeUndefined()
})
