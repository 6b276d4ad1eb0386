import { expect, test } from 'vitest'
import { createLinkList } from '../../../src/watch/preview/preview-status.ts'

const GONE = { url: 'https://gone.example/', title: 'A', source: 'a.md' }
const NEVER = new Promise<never>(() => undefined)

/** A list on a clock that only the test moves, which waits for a limited time. */
function openList(patience: () => Promise<unknown> = () => NEVER) {
  let nowMs = 0
  let asked = 0
  const list = createLinkList(() => new Date(nowMs), patience)
  const ask = (answer: () => Promise<(typeof GONE)[]>) => () => {
    asked++
    return answer()
  }
  return { list, ask, pass: (ms: number) => (nowMs += ms), asked: () => asked }
}

test('a target is asked for its links once in ten seconds', async () => {
  const { list, ask, pass, asked } = openList()
  const answers = [await list.read(ask(() => Promise.resolve([GONE])))]
  pass(9999)
  answers.push(await list.read(ask(() => Promise.resolve([]))))
  pass(1)
  answers.push(await list.read(ask(() => Promise.resolve([]))))
  expect([answers, asked()]).toEqual([[[GONE], [GONE], []], 2])
})

test('concurrent calls share one request', async () => {
  const { list, ask, asked } = openList()
  const question = ask(() => Promise.resolve([GONE]))
  expect(await Promise.all([list.read(question), list.read(question)])).toEqual([[GONE], [GONE]])
  expect(asked()).toBe(1)
})

test('a target that is down or does not respond removes no results and blocks no one', async () => {
  const { list, ask, pass } = openList(() => Promise.resolve())
  expect(await list.read(undefined)).toEqual([])
  const { list: known, ...knownSetting } = openList()
  await known.read(knownSetting.ask(() => Promise.resolve([GONE])))
  knownSetting.pass(10_000)
  expect(await known.read(knownSetting.ask(() => Promise.reject(new Error('down'))))).toEqual([GONE])
  pass(10_000)
  expect(await list.read(ask(() => NEVER))).toEqual([])
})
