import { expect, test } from 'vitest'
import { settleAll } from '../../src/core/settle-all.ts'

test('gives the values in order', async () => {
  expect(await settleAll([Promise.resolve(1), Promise.resolve(2)])).toEqual([1, 2])
})

test('what fails is told only once nothing is under way any more', async () => {
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
