import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runWhenIdle } from '../../src/server/run-when-idle.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const CHECK_MS = 500

test('work runs once after the last of some commits, and at intervals during constant ones', async () => {
  let mark = 0
  const work = vi.fn<() => Promise<void>>(async () => undefined)
  const stop = runWhenIdle({ changeMark: () => mark }, work, () => undefined)
  const pass = async (checks: number, commits: number) => {
    work.mockClear()
    for (let check = 0; check < checks; check++) {
      mark += commits
      await vi.advanceTimersByTimeAsync(CHECK_MS)
    }
    return work.mock.calls.length
  }
  // What an earlier process has left.
  expect(await pass(10, 0)).toBe(1)
  expect(await pass(1, 1)).toBe(0)
  expect(await pass(10, 0)).toBe(1)
  expect(await pass(65, 1)).toBe(2)
  expect(await pass(10, 0)).toBe(1)
  // A long pause does not shorten the time for which commits postpone it.
  expect(await pass(100, 0)).toBe(0)
  expect(await pass(20, 1)).toBe(0)
  expect(await pass(20, 0)).toBe(1)
  stop()
  expect(await pass(61, 1)).toBe(0)
})

test('an error is reported, and the next commit starts the work again', async () => {
  let mark = 0
  const errors: unknown[] = []
  const work = () => Promise.reject(new Error(`at ${mark}`))
  const stop = runWhenIdle({ changeMark: () => mark }, work, (error) => errors.push(error))
  for (; mark < 2; mark++) await vi.advanceTimersByTimeAsync(3 * CHECK_MS)
  stop()
  expect(errors).toEqual([new Error('at 0'), new Error('at 1')])
})
