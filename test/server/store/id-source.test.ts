import { validate, version } from 'uuid'
import { expect, test } from 'vitest'
import { createIdSource } from '../../../src/server/store/id-source.ts'

const START = Date.parse('2026-03-01T10:00:00.000Z')

test('ids are UUIDv7 and increase, whatever the clock does', () => {
  const clock = [0, 0, 0, 5, 5, 3, -1000, 6].map((step) => START + step)
  const newId = createIdSource(() => clock.shift() ?? START + 6)
  const ids = Array.from({ length: 2000 }, newId)
  expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  expect(Number.parseInt((ids[0] ?? '').replace('-', '').slice(0, 12), 16)).toBe(START)
})

test('two sources do not create the same ids', () => {
  const make = () =>
    Array.from(
      { length: 1000 },
      createIdSource(() => START),
    )
  expect(new Set([...make(), ...make()]).size).toBe(2000)
})
