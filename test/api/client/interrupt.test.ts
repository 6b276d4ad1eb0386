import { EventEmitter, once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { refusal, startFaultProxy } from '../../support/fault-proxy.ts'
import { startForeignService } from './foreign-service.ts'
import { ARTICLE, openClient } from './test-client.ts'

async function start() {
  const service = await startForeignService(() => ({ body: { success: true, message: 'done', data: [] } }))
  const proxy = await startFaultProxy(service.url)
  onTestFinished(async () => {
    await proxy.close()
    await service.close()
  })
  return { service, proxy, controller: new AbortController() }
}

const outcomeOf = (result: PromiseSettledResult<unknown>): unknown =>
  result.status === 'fulfilled' ? result.value : (result.reason as { code: string }).code

test('requests in progress are completed, waiting ones are not sent', async () => {
  const { service, proxy, controller } = await start()
  proxy.inject({ kind: 'hold' }, { times: 2 })
  const client = openClient(proxy.url, { concurrency: 2, signal: controller.signal })
  const writes = Array.from({ length: 5 }, () => client.createArticle(ARTICLE))
  await proxy.waitForSeen(2)
  controller.abort()
  const waiting = await Promise.allSettled(writes.slice(2))
  expect(waiting.map(outcomeOf)).toEqual(['INTERRUPTED', 'INTERRUPTED', 'INTERRUPTED'])
  proxy.release()
  expect(await Promise.all(writes.slice(0, 2))).toEqual([
    { kind: 'done', message: 'done' },
    { kind: 'done', message: 'done' },
  ])
  expect(service.requests).toHaveLength(2)
  await expect(client.listLinks()).rejects.toMatchObject({ code: 'INTERRUPTED' })
})

test.each([429, 500])('a wait after %i ends at once', async (status) => {
  const { proxy, controller } = await start()
  proxy.inject(refusal(status, 'Later', { 'retry-after': '60' }), { times: 9 })
  const asleep = new EventEmitter()
  const sleep = (_: number, signal?: AbortSignal) =>
    new Promise<void>((__, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error))
      asleep.emit('begin')
    })
  const begun = once(asleep, 'begin')
  const client = openClient(proxy.url, { signal: controller.signal, sleep })
  const reads = Promise.allSettled([client.listLinks(), client.listLinks()])
  await begun
  controller.abort()
  expect((await reads).map(outcomeOf)).toEqual(['INTERRUPTED', 'INTERRUPTED'])
})

test('the real sleep ends at once, too', async () => {
  const { proxy, controller } = await start()
  proxy.inject(refusal(429, 'Later', { 'retry-after': '60' }))
  const client = openClient(proxy.url, { signal: controller.signal, sleep: undefined, now: undefined })
  const read = Promise.allSettled([client.listLinks()])
  await proxy.waitForSeen(1)
  controller.abort()
  expect((await read).map(outcomeOf)).toEqual(['INTERRUPTED'])
})

test('a read without response is aborted, a write is waited for', async () => {
  const { proxy, controller } = await start()
  proxy.inject({ kind: 'hold' }, { times: 3 })
  const client = openClient(proxy.url, { concurrency: 3, signal: controller.signal })
  const reads = [client.listLinks(), client.fetchExtensions()]
  const write = client.createArticle(ARTICLE)
  await proxy.waitForSeen(3)
  controller.abort()
  expect((await Promise.allSettled(reads)).map(outcomeOf)).toEqual(['INTERRUPTED', 'INTERRUPTED'])
  proxy.release()
  expect(await write).toEqual({ kind: 'done', message: 'done' })
})

test('a read that is answered soon is completed', async () => {
  const { proxy, controller } = await start()
  proxy.inject({ kind: 'hold' })
  const client = openClient(proxy.url, { signal: controller.signal, sleep: () => new Promise(() => {}) })
  const read = client.listLinks()
  await proxy.waitForSeen(1)
  controller.abort()
  proxy.release()
  expect(await read).toMatchObject({ data: [] })
})
