import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { startTunnelProxy } from '../../support/fault-proxy.ts'
import { type ForeignAnswer, startForeignService } from './foreign-service.ts'
import { ARTICLE, openClient } from './test-client.ts'

async function start(
  onTunnel: number | 'cut' = 200,
  answer: ForeignAnswer = { body: { success: true, data: [] } },
) {
  const service = await startForeignService(() => answer)
  const proxy = await startTunnelProxy(service.url, onTunnel)
  onTestFinished(async () => {
    await proxy.close()
    await service.close()
  })
  return { service, proxy }
}

test('HTTP_PROXY is used for http://', async () => {
  const { service, proxy } = await start()
  const client = openClient('http://kb.example', {
    proxy: { HTTP_PROXY: proxy.url, HTTPS_PROXY: 'http://127.0.0.1:1' },
  })
  expect(await client.listLinks()).toEqual({ data: [] })
  expect(proxy.asked).toEqual(['http://kb.example/api/v2/tools/link_manager'])
  expect(service.requests).toHaveLength(1)
})

test('HTTPS_PROXY is asked for a tunnel, without the key; it may lack http://', async () => {
  const { service, proxy } = await start()
  const client = openClient('https://kb.example', {
    proxy: { https_proxy: proxy.url.replace('http://', '') },
  })
  // The tunnel leads to a service without TLS, so this shows that TLS is used inside it.
  await expect(client.listLinks()).rejects.toThrow('it does not use TLS')
  expect([proxy.asked, service.requests]).toEqual([['kb.example:443'], []])
})

test.each<[number | 'cut', string]>([
  [407, 'the proxy responded with 407'],
  [502, 'the proxy responded with 502'],
  ['cut', 'the proxy could not be reached or closed the connection'],
])('a tunnel that the proxy does not open is reported: %s', async (onTunnel, reason) => {
  const { proxy } = await start(onTunnel)
  const client = openClient('https://kb.example', { proxy: { HTTPS_PROXY: proxy.url }, retries: 1 })
  await expect(client.deleteArticle('x')).rejects.toMatchObject({
    code: 'TARGET_UNREACHABLE',
    message: `The target https://kb.example did not answer after 2 tries: ${reason}.`,
    hint: 'Check HTTPS_PROXY and HTTP_PROXY, or list the host in NO_PROXY.',
  })
})

test('a proxy that requires its own password is reported for http://, too', async () => {
  const { proxy } = await start(407)
  const client = openClient('http://kb.example', { proxy: { HTTP_PROXY: proxy.url }, retries: 0 })
  const message = 'The target http://kb.example did not answer: the proxy responded with 407.'
  await expect(client.deleteArticle('x')).rejects.toMatchObject({ code: 'TARGET_UNREACHABLE', message })
})

test('loopback addresses and NO_PROXY are reached directly', async () => {
  const { service, proxy } = await start()
  await openClient(service.url, { proxy: { HTTP_PROXY: proxy.url } }).listLinks()
  const client = openClient('http://no-such-host.invalid', {
    proxy: { HTTP_PROXY: proxy.url, NO_PROXY: 'example.com,.invalid' },
    retries: 0,
  })
  await expect(client.listLinks()).rejects.toMatchObject({ code: 'TARGET_UNREACHABLE' })
  expect([proxy.asked, service.requests.length]).toEqual([[], 1])
})

test('an invalid URL is named, without its password', () => {
  const proxy = { HTTPS_PROXY: 'http://user:secret@:99999' }
  const open = () => openClient('https://kb.example', { proxy })
  expect(open).toThrow('HTTPS_PROXY is not the URL of a proxy.')
})

test('reads from other hosts request compressed responses; writes and this machine do not', async () => {
  const { service, proxy } = await start()
  const remote = openClient('http://kb.example', { proxy: { HTTP_PROXY: proxy.url } })
  await remote.listLinks()
  await remote.createArticle(ARTICLE)
  await openClient(service.url).listLinks()
  expect(service.requests.map(({ headers }) => headers['accept-encoding'])).toEqual([
    'gzip',
    undefined,
    undefined,
  ])
})

const LINKS = JSON.stringify({ success: true, data: [{ article_id: '1', url: 'https://example.com/' }] })
const PACKED = { 'content-encoding': 'gzip' }

test('compressed responses are read like others, as a whole and entry by entry', async () => {
  const { proxy } = await start(200, { headers: PACKED, body: gzipSync(LINKS) })
  const client = openClient('http://kb.example', { proxy: { HTTP_PROXY: proxy.url } })
  const whole = await client.listLinks()
  expect(whole.data).toMatchObject([{ article_id: '1', url: 'https://example.com/' }])
  const urls: unknown[] = []
  await client.streamLinks(() => ({ add: ({ url }) => urls.push(url), end: () => undefined }))
  expect(urls).toEqual(['https://example.com/'])
})

test.each([
  ['breaks off', gzipSync(LINKS).subarray(0, 30), 'the response was incomplete (Z_BUF_ERROR)'],
  ['is none', Buffer.from(LINKS), 'the response is not compressed as its header says (Z_DATA_ERROR)'],
])('a compressed response that %s is reported, after the read was repeated', async (_, body, reason) => {
  const { service, proxy } = await start(200, { headers: PACKED, body })
  const client = openClient('http://kb.example', { proxy: { HTTP_PROXY: proxy.url }, retries: 1 })
  await expect(client.listLinks()).rejects.toMatchObject({
    code: 'TARGET_UNREACHABLE',
    message: `The target http://kb.example did not answer after 2 tries: ${reason}.`,
  })
  expect(service.requests).toHaveLength(2)
})
