import { expect, onTestFinished, test } from 'vitest'
import { startTunnelProxy } from '../support/fault-proxy.ts'
import { startForeignService } from './foreign-service.ts'
import { openClient } from './test-client.ts'

async function start(onTunnel: number | 'cut' = 200) {
  const service = await startForeignService(() => ({ body: { success: true, data: [] } }))
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

test('HTTPS_PROXY is asked for a tunnel, without the key; http:// may be left out of it', async () => {
  const { service, proxy } = await start()
  const client = openClient('https://kb.example', {
    proxy: { https_proxy: proxy.url.replace('http://', '') },
  })
  // The tunnel leads to a service without TLS: that it is spoken inside the tunnel is what this shows.
  await expect(client.listLinks()).rejects.toThrow('it does not speak TLS')
  expect([proxy.asked, service.requests]).toEqual([['kb.example:443'], []])
})

test.each<[number | 'cut', string]>([
  [407, 'the proxy answered 407'],
  [502, 'the proxy answered 502'],
  ['cut', 'the proxy could not be reached or cut the connection'],
])('a tunnel that the proxy does not open is reported: %s', async (onTunnel, reason) => {
  const { proxy } = await start(onTunnel)
  const client = openClient('https://kb.example', { proxy: { HTTPS_PROXY: proxy.url }, retries: 1 })
  await expect(client.deleteArticle('x')).rejects.toMatchObject({
    code: 'TARGET_UNREACHABLE',
    message: `The target https://kb.example did not answer after 2 tries: ${reason}.`,
    hint: 'Check HTTPS_PROXY and HTTP_PROXY, or list the host in NO_PROXY.',
  })
})

test('a proxy that wants a password of its own is reported for http://, too', async () => {
  const { proxy } = await start(407)
  const client = openClient('http://kb.example', { proxy: { HTTP_PROXY: proxy.url }, retries: 0 })
  const message = 'The target http://kb.example did not answer: the proxy answered 407.'
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

test('an address that is none is named, without the password in it', () => {
  const proxy = { HTTPS_PROXY: 'http://user:secret@:99999' }
  const open = () => openClient('https://kb.example', { proxy })
  expect(open).toThrow('HTTPS_PROXY is not the address of a proxy.')
})
