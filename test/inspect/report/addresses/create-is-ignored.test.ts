import { expect, test } from 'vitest'
import { createIsLeftOut } from '../../../../src/inspect/report/addresses.ts'

const LISTED = [
  'https://gone.example/?a=1&b=2',
  'https://gone.example/?a=1&amp;b=2',
  '//gone.example/?a=1&b=2',
  'https://gone.example/',
]

test('an address is ignored in whichever way the target writes it', () => {
  expect(LISTED.map(createIsLeftOut(['https://gone.example/*&b=2']))).toEqual([true, true, true, false])
  expect(LISTED.map(createIsLeftOut(['*&amp;*']))).toEqual([false, true, false, false])
  expect(LISTED.map(createIsLeftOut([]))).toEqual([false, false, false, false])
})
