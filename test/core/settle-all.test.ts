import { expect, test } from 'vitest'
import { settleAll, settleEach } from '../../src/core/settle-all.ts'

test('returns the values in order', async () => {
  expect(await settleAll([Promise.resolve(1), Promise.resolve(2)])).toEqual([1, 2])
})

test('throws only when nothing is pending any more', async () => {
  const events: string[] = []
  let finish = () => {}
  const slow = new Promise<void>((resolve) => (finish = resolve)).then(() => events.push('finished'))
  const all = settleAll([Promise.reject(new Error('first')), slow, Promise.reject(new Error('second'))])
  const told = all.catch((error: unknown) => events.push(`told: ${String(error)}`))
  await Promise.resolve()
  finish()
  await told
  expect(events).toEqual(['finished', 'told: Error: first'])
})

test('runs a step for each item with limited concurrency', async () => {
  let running = 0
  let most = 0
  const doubled = await settleEach([1, 2, 3, 4, 5], 2, async (item) => {
    most = Math.max(most, ++running)
    await Promise.resolve()
    running--
    return item * 2
  })
  expect({ doubled, most }).toEqual({ doubled: [2, 4, 6, 8, 10], most: 2 })
})

test('starts no step after a failed one, and waits for pending ones', async () => {
  const events: string[] = []
  const told = settleEach(['slow', 'faulty', 'late'], 2, async (item) => {
    events.push(`${item} starts`)
    if (item === 'faulty') throw new Error(item)
    await Promise.resolve()
    events.push(`${item} ends`)
  })
  await expect(told).rejects.toThrow('faulty')
  expect(events).toEqual(['slow starts', 'faulty starts', 'slow ends'])
})
