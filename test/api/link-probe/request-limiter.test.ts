import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createRequestLimiter } from '../../../src/api/link-probe/request-limiter.ts'

/** Work and pauses that the test ends, and a log of events. */
function createStage() {
  const events: string[] = []
  let pauses = 0
  const ends = new Map<string, () => void>()
  const until = (name: string) => new Promise<void>((resolve) => ends.set(name, resolve))
  return {
    events,
    work: (name: string) => async () => {
      events.push(name)
      await until(name)
      return name
    },
    sleep: async (ms: number) => {
      const name = `pause ${++pauses}`
      events.push(`${name} of ${ms}`)
      await until(name)
    },
    end: async (name: string) => {
      ends.get(name)?.()
      await setImmediate()
    },
  }
}

test('a host gets its next request after the pause, and others do not wait for it', async () => {
  const { events, work, sleep, end } = createStage()
  const limit = createRequestLimiter({ concurrency: 2, perHost: 1, hostPauseMs: 1000 }, sleep)
  const first = limit('a', work('a1'))
  void limit('a', work('a2'))
  void limit('a', work('a3'))
  void limit('b', work('b1'))
  void limit('c', work('c1'))
  await setImmediate()
  expect(events).toEqual(['a1', 'b1'])
  await end('a1')
  // Neither the response nor a slot for other hosts waits for the pause.
  expect(await first).toBe('a1')
  expect(events.slice(2)).toEqual(['c1', 'pause 1 of 1000'])
  await end('c1')
  expect(events.slice(4)).toEqual(['pause 2 of 1000'])
  await end('pause 1')
  expect(events.slice(5)).toEqual(['a2'])
})

test('a failed request frees its slot', async () => {
  const limit = createRequestLimiter({ concurrency: 1, perHost: 1, hostPauseMs: 0 }, async () => undefined)
  const results = await Promise.allSettled([
    limit('a', () => Promise.reject(new Error('one'))),
    limit('a', () => {
      throw new Error('two')
    }),
    limit('a', async () => 'three'),
  ])
  expect(
    results.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason))),
  ).toEqual(['Error: one', 'Error: two', 'three'])
})
